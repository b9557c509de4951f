import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import type { RequestRepository } from "../request-repository.ts";
import { readStalledWork, STALLED_WORK } from "./stalled-work.ts";

const idRows = z.array(z.object({ id: z.string() }));

const REFUND_TO_DECIDE = { stage: "attention", reasonCode: "refunded_after_sending" };

type WaitingWork = Pick<
  RequestRepository,
  | "refusedForOthers"
  | "refundsToDecide"
  | "countRefundsToDecide"
  | "isAnySending"
  | "countUnsettled"
  | "delayed"
  | "stalled"
>;

/** Finds requests that wait for a person, for others, or for a service that can be reached. */
export function waitingWork({ tx, shop }: Pick<Scope, "tx" | "shop">): WaitingWork {
  return {
    async refusedForOthers(codes, limit) {
      const rows = await tx.$queryRaw`
        SELECT r.id::text FROM referral_requests r
        JOIN order_lines l ON l.shop = r.shop AND l.order_id = r.order_id AND l.line_item_id = r.line_item_id
        JOIN LATERAL (
          SELECT * FROM mappings WHERE shop = ${shop} AND environment = r.environment
            AND variant_id IN (l.variant_id, l.product_id) ORDER BY variant_id = product_id LIMIT 1
        ) m ON true
        LEFT JOIN practitioners p ON p.shop = r.shop AND p.provider_number = m.provider_number
        WHERE r.shop = ${shop} AND r.stage = 'attention' AND r.patient_sealed IS NOT NULL
          AND m.kind = 'order' AND p.fault IS NULL
          AND r.review_detail = ANY(${[...codes]})
          AND (r.review_code = 'rejected' OR r.review_code = 'half_rejected' AND p.provider_number IS NOT NULL)
          AND (p.provider_number IS NOT NULL OR m.provider_number IS NULL)
        ORDER BY r.order_paid_at, r.id LIMIT ${limit}`;
      return idRows.parse(rows).map(({ id }) => id);
    },
    async refundsToDecide({ after, limit }) {
      const rows = await tx.referralRequest.findMany({
        where: { shop, ...REFUND_TO_DECIDE, ...(after ? { id: { gt: after } } : {}) },
        orderBy: { id: "asc" },
        take: limit,
        select: { id: true },
      });
      return rows.map(({ id }) => id);
    },
    countRefundsToDecide: () => tx.referralRequest.count({ where: { shop, ...REFUND_TO_DECIDE } }),
    async isAnySending(environment) {
      const rows = await tx.$queryRaw<unknown[]>`
        SELECT FROM referral_requests
        WHERE shop = ${shop} AND environment = ${environment} AND state = 'sending' LIMIT 1`;
      return rows.length > 0;
    },
    async countUnsettled(environment, limit) {
      const rows = await tx.$queryRaw<{ count: number }[]>`
        SELECT count(*)::int AS count FROM (
          SELECT FROM referral_requests WHERE shop = ${shop} AND environment = ${environment}
            AND state IN ('ready', 'sending', 'ambiguous') LIMIT ${limit + 1}) open`;
      return rows[0]?.count ?? 0;
    },
    // By the database's clock, as `updated_at` may be another process's; and by states that have an index.
    async delayed({ fromMs, toMs }, limit) {
      const rows = await tx.$queryRaw`
        SELECT r.id::text FROM referral_requests r
        WHERE r.shop = ${shop} AND r.updated_at < now() - make_interval(secs => ${fromMs / 1000})
          AND r.updated_at > now() - make_interval(secs => ${toMs / 1000})
          AND (r.state IN ('ready', 'sending', 'ambiguous') OR r.stage = 'attention' AND r.state IN ('held', 'rejected'))
          AND r.handled_code IS NULL AND r.cancellation_status IS NULL AND r.replaced_by IS NULL
          AND r.redacted_at IS NULL
          AND NOT EXISTS (
            SELECT FROM notifications n
            JOIN referral_requests o ON o.shop = n.shop AND o.id = n.request_id
            WHERE n.shop = r.shop AND n.kind = 'order_delayed' AND o.order_id = r.order_id
              AND (o.id = r.id OR o.owner = 'buyer' AND r.owner = 'buyer')
          )
        ORDER BY r.updated_at, r.id LIMIT ${limit}`;
      return idRows.parse(rows).map(({ id }) => id);
    },
    async stalled(environment, isTested = false) {
      const wish = [shop, environment ?? null, true, isTested];
      return readStalledWork(await tx.$queryRawUnsafe(STALLED_WORK, ...wish));
    },
  };
}
