import { z } from "zod";
import type { Scope } from "../../../../platform/database/scope.ts";
import { gid } from "../../../kernel/ids.ts";
import { ENVIRONMENTS } from "../../../shops/connection.ts";
import type { Delivery } from "../../delivery.ts";

/** Among so many of the newest messages of any sender the service's are looked for: the walk has an end. */
const LOOKED_AT = 2_000;

const acceptedRows = z.array(
  z.object({
    id: z.string(),
    at: z.date(),
    environment: z.enum(ENVIRONMENTS),
    eventType: z.string().nullable(),
    state: z.string(),
    ledTo: z.enum(["fetch", "nothing", "comparison", "self_test"]).nullable(),
    isFetched: z.boolean(),
    orderId: z
      .string()
      .nullable()
      .transform((value) => (value === null ? null : gid("Order", value))),
  }),
);
const refusedRows = z.array(
  z.object({
    ...{ id: z.string(), at: z.date(), count: z.number() },
    environment: z.enum(ENVIRONMENTS).nullable(),
  }),
);

/** The last deliveries of the service's webhooks, the newest first: what was believed, and what was not. */
export async function readDeliveries({ tx, shop }: Scope, limit: number): Promise<Delivery[]> {
  const accepted = acceptedRows.parse(
    await tx.$queryRaw`
      WITH newest AS (
        SELECT id, source, topic, event_type, received_at, state, about, led_to FROM inbox
        WHERE shop = ${shop} ORDER BY id DESC LIMIT ${LOOKED_AT}
      ), events AS (
        SELECT * FROM newest WHERE source = 'service' ORDER BY id DESC LIMIT ${limit}
      )
      SELECT 'event ' || e.id AS id, e.received_at AS at, e.topic AS environment, e.event_type AS "eventType", e.state, e.led_to AS "ledTo",
             coalesce(greatest(f.fetched_at, r.fetched_at) >= e.received_at, false) AS "isFetched",
             q.order_id AS "orderId"
      FROM events e
      LEFT JOIN referrals f ON f.shop = ${shop} AND f.uuid = e.about
      LEFT JOIN results r ON r.shop = ${shop} AND r.uuid = e.about
      LEFT JOIN referral_requests q ON q.shop = ${shop} AND q.id = coalesce(f.request_id, r.request_id)
      ORDER BY e.id DESC`,
  );
  const refused = refusedRows.parse(
    await tx.$queryRaw`
      SELECT 'refused ' || id AS id, at, coalesce((detail->>'count')::int, 1) AS count,
             detail->>'environment' AS environment FROM access_log
      WHERE shop = ${shop} AND request_id IS NULL AND what = 'signature_refused'
        AND detail->>'place' = 'service_event'
      ORDER BY id DESC LIMIT ${limit}`,
  );
  const told = accepted.map(({ state, ledTo, isFetched, ...event }): Delivery => {
    const isOpen = state === "received" || state === "queued";
    const isReadable = state !== "unreadable";
    const outcome = isOpen ? "waiting" : ledTo === "fetch" && isFetched ? "fetched" : ledTo;
    return { kind: "accepted", ...event, isReadable, ledTo: outcome };
  });
  return [...told, ...refused.map((row): Delivery => ({ kind: "refused", ...row }))]
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, limit);
}
