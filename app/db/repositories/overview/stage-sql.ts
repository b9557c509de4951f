import type { ShopDomain } from "../../../domain/ids.ts";
import { Prisma } from "../../../generated/prisma/client.ts";

/**
 * Where a request stands, for rows `r` of referral_requests that are joined with one of the two below:
 * `f.complete` tells whether every current referral is complete, `h.request_id` whether results are held.
 */

/** Looks the facts up request by request: for the requests of a few orders. */
export const FACTS_OF_FEW = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT bool_and(status = 'COMPLETE') AS complete FROM referrals
    WHERE shop = r.shop AND request_id = r.id AND deleted_at IS NULL AND replaced_by IS NULL
  ) f ON r.state = 'created'
  LEFT JOIN LATERAL (
    SELECT request_id FROM results
    WHERE shop = r.shop AND request_id = r.id AND released_at IS NULL AND NOT in_review LIMIT 1
  ) h ON r.state = 'created'`;

/** Gathers the facts of the whole shop first: for counting all of its requests. */
export const factsOfAll = (shop: ShopDomain) => Prisma.sql`
  LEFT JOIN (
    SELECT request_id, bool_and(status = 'COMPLETE') AS complete FROM referrals
    WHERE shop = ${shop} AND deleted_at IS NULL AND replaced_by IS NULL GROUP BY 1
  ) f ON f.request_id = r.id AND r.state = 'created'
  LEFT JOIN (
    SELECT DISTINCT request_id FROM results
    WHERE shop = ${shop} AND released_at IS NULL AND NOT in_review
  ) h ON h.request_id = r.id AND r.state = 'created'`;

/** `reasonOf` (app/domain/overview/stage.ts). */
export const REASON = Prisma.sql`
  CASE WHEN r.state = 'cancelled' THEN NULL
       WHEN r.attention IS NOT NULL THEN r.attention
       WHEN r.replaced_by IS NOT NULL AND r.state <> 'created' THEN NULL
       WHEN r.state IN ('held', 'rejected') THEN r.state
       WHEN h.request_id IS NOT NULL THEN 'results_held' END`;

/** `stageOf` (app/domain/overview/stage.ts). */
export const STAGE = Prisma.sql`
  CASE WHEN r.state = 'cancelled' THEN 'cancelled'
       WHEN ${REASON} IS NOT NULL THEN 'attention'
       WHEN r.state = 'awaiting_details' THEN 'awaiting_details'
       WHEN r.replaced_by IS NOT NULL AND f.complete IS NULL THEN 'cancelled'
       WHEN f.complete THEN 'results_ready'
       ELSE 'in_progress' END`;

/** Requests that need a person, from both places that can say so: order_id, reason. */
export const attentionRequests = (shop: ShopDomain) => Prisma.sql`
  SELECT order_id, coalesce(attention, state) AS reason FROM referral_requests
  WHERE shop = ${shop} AND state <> 'cancelled'
    AND (attention IS NOT NULL OR state IN ('held', 'rejected') AND replaced_by IS NULL)
  UNION ALL
  SELECT r.order_id, 'results_held'
  FROM (SELECT DISTINCT request_id FROM results
        WHERE shop = ${shop} AND released_at IS NULL AND NOT in_review) h
  JOIN referral_requests r ON r.shop = ${shop} AND r.id = h.request_id
  WHERE r.state = 'created' AND r.attention IS NULL`;
