import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { REQUEST_STATES, type RequestState } from "../../../referrals/request.ts";
import { reasonOf, stageOf } from "../../stage.ts";

const db = await openTestDatabase();
const SHOP = "one.myshopify.com";
const ORDER = "gid://shopify/Order/1";

const REASONS = [null, "rejected:INVALID_PAYLOAD", "half_created"];
const STATUSES = ["ISSUED", "COMPLETE", "BILLING_FAILED"];

/** Anything that any code might write, as plain SQL: the database knows nothing of who writes. */
const writes = fc.oneof(
  fc.record({
    kind: fc.constant("request" as const),
    state: fc.constantFrom(...REQUEST_STATES, "redacted"),
    attention: fc.constantFrom(...REASONS),
  }),
  fc.record({
    kind: fc.constant("referral" as const),
    slot: fc.nat(2),
    status: fc.constantFrom(...STATUSES),
    deleted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("result" as const),
    slot: fc.nat(1),
    released: fc.boolean(),
    inReview: fc.boolean(),
    deleted: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("forget" as const),
    table: fc.constantFrom("referrals", "results"),
  }),
  fc.record({ kind: fc.constant("handle" as const) }),
  fc.record({
    kind: fc.constant("replace" as const),
    table: fc.constantFrom("referrals", "referral_requests"),
  }),
  fc.record({ kind: fc.constant("meddle" as const) }),
);
type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never;

async function write(requestId: string, change: Write): Promise<void> {
  const uuid = (slot: number) => `${requestId.slice(0, -1)}${slot}`;
  switch (change.kind) {
    case "request":
      await db.pool.query("UPDATE referral_requests SET state = $2, attention = $3 WHERE id = $1", [
        requestId,
        change.state,
        change.attention,
      ]);
      return;
    case "referral":
      await db.pool.query(
        `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
           snapshot_sealed, service_created_at, service_updated_at, deleted_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $4, '12345678', 'API', '', now(), now(), $5, now())
         ON CONFLICT (shop, uuid) DO UPDATE SET status = excluded.status, deleted_at = excluded.deleted_at`,
        [SHOP, uuid(change.slot), requestId, change.status, change.deleted ? new Date() : null],
      );
      return;
    case "result":
      await db.pool.query(
        `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
           in_review, released_at, deleted_at, snapshot_sealed, service_updated_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $2, 'COMPLETE', false, $4, $5, $6, '', now(), now())
         ON CONFLICT (shop, uuid) DO UPDATE SET in_review = excluded.in_review,
           released_at = excluded.released_at, deleted_at = excluded.deleted_at`,
        [
          SHOP,
          uuid(change.slot),
          requestId,
          change.inReview,
          change.released ? new Date() : null,
          change.deleted ? new Date() : null,
        ],
      );
      return;
    case "forget":
      await db.pool.query(`DELETE FROM ${change.table} WHERE request_id = $1`, [requestId]);
      return;
    case "replace":
      await db.pool.query(
        `UPDATE ${change.table} SET replaced_by = gen_random_uuid()
         WHERE ${change.table === "referrals" ? "request_id" : "id"} = $1`,
        [requestId],
      );
      return;
    case "handle":
      await db.pool.query(
        "UPDATE referral_requests SET handled_reason = coalesce(reason, handled_reason) WHERE id = $1",
        [requestId],
      );
      return;
    case "meddle":
      await db.pool.query(
        "UPDATE referral_requests SET stage = 'nonsense', reason = 'none' WHERE id = $1",
        [requestId],
      );
  }
}

async function newRequest(): Promise<string> {
  const id = randomUUID();
  await db.pool.query(
    `INSERT INTO referral_requests (shop, id, environment, order_id, line_item_id, unit,
       reference_number, title, state, updated_at)
     VALUES ($1, $2, 'staging', $3, $4, 1, $4, 'Iron studies', 'awaiting_details', now())`,
    [SHOP, id, ORDER, `line ${id}`],
  );
  return id;
}

interface Row {
  state: RequestState;
  attention: string | null;
  handledReason: string | null;
  replacedBy: string | null;
  stage: string;
  reason: string | null;
}

/** What is stored beside what the domain makes of the facts. */
async function compare(id: string) {
  const { rows } = await db.pool.query<Row>(
    `SELECT state, attention, handled_reason AS "handledReason", replaced_by AS "replacedBy",
            stage, reason
     FROM referral_requests WHERE id = $1`,
    [id],
  );
  const { rows: referrals } = await db.pool.query<{
    status: string;
    deletedAt: Date | null;
    replacedBy: string | null;
  }>(
    `SELECT status, deleted_at AS "deletedAt", replaced_by AS "replacedBy" FROM referrals WHERE request_id = $1`,
    [id],
  );
  const { rows: results } = await db.pool.query<{
    releasedAt: Date | null;
    inReview: boolean;
    deletedAt: Date | null;
  }>(
    `SELECT released_at AS "releasedAt", in_review AS "inReview", deleted_at AS "deletedAt"
     FROM results WHERE request_id = $1`,
    [id],
  );
  const [request] = rows;
  if (!request) throw new Error("the request is gone");
  const facts = { request, referrals, results };
  const stored = { stage: request.stage, reason: request.reason };
  return { stored, computed: { stage: stageOf(facts), reason: reasonOf(facts) } };
}

test("whatever is written, in whatever order, the stored stage is the one that the facts make", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(writes, { minLength: 1, maxLength: 12 }), async (changes) => {
      const id = await newRequest();
      for (const change of changes) {
        await write(id, change);
        const { stored, computed } = await compare(id);
        expect({ change, ...stored }).toEqual({ change, ...computed });
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);

test("two writers at once: the one that commits last has seen the other's facts", async () => {
  for (const [first, second] of [
    ["referral", "referral"],
    ["referral", "request"],
    ["request", "result"],
  ] as const) {
    const id = await newRequest();
    await write(id, { kind: "request", state: "created", attention: null });
    await write(id, { kind: "referral", slot: 0, status: "ISSUED", deleted: false });
    const statements = {
      referral: `UPDATE referrals SET status = 'COMPLETE' WHERE request_id = '${id}'`,
      request: `UPDATE referral_requests SET attention = 'half_created' WHERE id = '${id}'`,
      result: `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
        in_review, released_at, snapshot_sealed, service_updated_at, fetched_at)
        VALUES ('${SHOP}', gen_random_uuid(), 'staging', '${id}', gen_random_uuid(), 'COMPLETE', false,
        false, NULL, '', now(), now())`,
    };
    const one = await db.pool.connect();
    const two = await db.pool.connect();
    try {
      await one.query("BEGIN");
      await one.query(statements[first]);
      // Waits for the first one's lock on the request.
      const waiting = two.query(
        second === "referral"
          ? `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin,
             snapshot_sealed, service_created_at, service_updated_at, fetched_at)
             VALUES ('${SHOP}', gen_random_uuid(), 'staging', '${id}', 'COMPLETE', '1', 'API', '', now(),
             now(), now())`
          : statements[second],
      );
      await one.query("COMMIT");
      await waiting;
    } finally {
      one.release();
      two.release();
    }
    const { stored, computed } = await compare(id);
    expect({ first, second, ...stored }).toEqual({ first, second, ...computed });
  }
});

test("what was handled comes back when the reason does, and not before", async () => {
  const id = await newRequest();
  const refuse = () =>
    write(id, { kind: "request", state: "rejected", attention: "rejected:INVALID_PAYLOAD" });
  await refuse();
  await write(id, { kind: "handle" });
  await refuse();
  expect((await compare(id)).stored).toEqual({ stage: "cancelled", reason: null });
  await write(id, { kind: "request", state: "ready", attention: null });
  await refuse();
  expect((await compare(id)).stored.stage).toBe("attention");
});

test("a request stands beside its order: paid when it was, a test when it was", async () => {
  const id = await newRequest();
  const place = async () => {
    const { rows } = await db.pool.query<{ same: boolean; lane: string }>(
      `SELECT r.order_paid_at = o.paid_at AS same, r.lane FROM referral_requests r
       JOIN orders o ON o.shop = r.shop AND o.order_id = r.order_id WHERE r.id = $1`,
      [id],
    );
    return rows[0];
  };
  await db.pool.query(
    `INSERT INTO orders (shop, order_id, name, paid_at, first_read_at, read_at)
     VALUES ($1, $2, '#1', '2026-01-01', now(), now())`,
    [SHOP, ORDER],
  );
  expect(await place()).toEqual({ same: true, lane: "staging" });
  await db.pool.query("UPDATE orders SET paid_at = '2026-02-01', test = true WHERE shop = $1", [
    SHOP,
  ]);
  expect(await place()).toEqual({ same: true, lane: "test" });
});
