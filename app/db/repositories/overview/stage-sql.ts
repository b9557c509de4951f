import type { Stage } from "../../../domain/overview/stage.ts";
import { Prisma } from "../../../generated/prisma/client.ts";

/** `stageOf` (app/domain/overview/stage.ts) for a row `r` of referral_requests. */
export const STAGE_OF_R = Prisma.sql`
  CASE
    WHEN r.state = 'cancelled' THEN 'cancelled'
    WHEN r.attention IS NOT NULL OR r.state IN ('held', 'rejected') THEN 'attention'
    WHEN r.state = 'awaiting_details' THEN 'awaiting_details'
    WHEN r.state = 'created' AND (
      SELECT bool_and(f.status = 'COMPLETE') FROM referrals f
      WHERE f.shop = r.shop AND f.request_id = r.id AND f.deleted_at IS NULL
    ) THEN 'results_ready'
    ELSE 'in_progress'
  END`;

/** Why a person is needed for a row `r`, or null. */
export const REASON_OF_R = Prisma.sql`
  CASE WHEN r.state = 'cancelled' THEN NULL
       WHEN r.attention IS NOT NULL THEN r.attention
       WHEN r.state = 'held' THEN 'held'
       WHEN r.state = 'rejected' THEN 'rejected' END`;

/** A condition on a row `o` of orders: it has a request in this stage. */
export const hasRequestIn = (stage: Stage) => Prisma.sql`
  EXISTS (SELECT 1 FROM referral_requests r
          WHERE r.shop = o.shop AND r.order_id = o.order_id AND ${STAGE_OF_R} = ${stage})`;
