import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  connect,
  mapVariant,
  ONE_TEST,
  orderLine,
  PATIENT,
  readyRequest,
  storeOrder,
} from "../../../test/database/seed.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { reconcileOrder } from "../../modules/orders/reconcile-order.ts";
import { cancelUnit } from "../../modules/referrals/cancel-unit.ts";
import { createReferral } from "../../modules/referrals/create-referral.ts";
import { referenceNumber } from "../../modules/referrals/reference-number.ts";
import { refetchReferral } from "../../modules/referrals/referrals/refetch-referral.ts";
import { resolveAmbiguous } from "../../modules/referrals/resolve-ambiguous.ts";
import { settledAfterMs } from "../../modules/referrals/resume-after-restore.ts";
import { syncConnection } from "../../modules/referrals/sync-connection.ts";
import { openDatabase } from "./database.ts";
import { pauseAfterRestore } from "./pause-after-restore.ts";

const db = await openTestDatabase();
let ledger: Ledger;

beforeEach(async () => {
  ledger = await startLedger(db);
  await connect(db, ledger.shop);
  await pauseAfterRestore(db.pool, { asked: false, now: ledger.clock.now() });
  await db.pool.query("DELETE FROM outbox; UPDATE connections SET paused_at = NULL");
});

const restore = (asked = true) => pauseAfterRestore(db.pool, { asked, now: ledger.clock.now() });
const sync = () => syncConnection(ports(), { shop: ledger.shop, environment: "staging" });
const ports = () => ({
  ...ledger.ports,
  services: {
    async forConnection(...of: Parameters<Ledger["ports"]["services"]["forConnection"]>) {
      const real = await ledger.ports.services.forConnection(...of);
      const empty = { likelyNext: null, read: () => ({ entries: [], unreadable: [], next: null }) };
      return real && { ...real, resultPage: async () => empty };
    },
  },
});
/** Until nothing that was lost can become a referral any more. */
const settled = () => ledger.clock.advance(settledAfterMs(ledger.ports.waits));
const send = (requestId: string) => createReferral(ports(), { shop: ledger.shop, requestId });

describe("a database counts as restored", () => {
  test("not at its first start, and not at the next", async () => {
    expect(await restore(false)).toEqual({ because: null, paused: 0 });
  });

  test("when it carries another database's identity, once, however many processes start", async () => {
    await db.pool.query("UPDATE database_identity SET identity = 'the original'");
    const starts = await Promise.all([restore(false), restore(false), restore(false)]);
    expect(starts.filter(({ because }) => because === "identity")).toHaveLength(1);
    expect(starts.filter(({ because }) => because === null)).toHaveLength(2);
    expect(await restore(false)).toEqual({ because: null, paused: 0 });
  });

  test("not when an earlier version noted the identity, with the control file's timeline", async () => {
    await db.pool.query(
      `UPDATE database_identity SET identity =
         (SELECT concat_ws(' ', s.system_identifier, c.timeline_id, d.oid)
          FROM pg_control_system() s, pg_control_checkpoint() c, pg_database d
          WHERE d.datname = current_database())`,
    );
    expect(await restore(false)).toEqual({ because: null, paused: 0 });
  });

  test("when the operator says so", async () => {
    expect((await restore(true)).because).toBe("asked");
  });
});

test("the pause reads the ends of timelines and referrals, however long they are", async () => {
  const { shop } = ledger;
  const own = openDatabase({ url: db.url, poolSize: 1, onError: () => {} });
  onTestFinished(() => own.close());
  await db.pool.query(
    `INSERT INTO timeline (shop, at, actor, kind)
     SELECT $1, timestamptz '2026-01-01' + n * interval '1 minute', 'app', 'opened' FROM generate_series(1, 20000) n`,
    [shop],
  );
  // None of them is of the connection's environment.
  await db.pool.query(
    `INSERT INTO referrals (shop, uuid, environment, request_id, status, reference, origin, snapshot_sealed,
                            service_created_at, service_updated_at, fetched_at)
     SELECT $1, gen_random_uuid(), 'production', gen_random_uuid(), 'CREATED', '', 'API', '',
            timestamptz '2026-01-01' + n * interval '1 minute', now(), now() FROM generate_series(1, 20000) n`,
    [shop],
  );
  await db.pool.query("ANALYZE timeline, referrals");
  const read = async () => {
    await own.pool.query("SELECT pg_stat_force_next_flush()");
    const { rows } = await own.pool.query<{ n: number }>(
      `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_all_tables
       WHERE relname IN ('timeline', 'referrals')`,
    );
    return rows[0]?.n ?? 0;
  };
  const before = await read();
  await pauseAfterRestore(own.pool, { asked: true, now: ledger.clock.now() });
  expect((await read()) - before).toBeLessThan(6_000);
});

describe("after a restore", () => {
  test("nothing is sent until the service's list has been walked, and then what waited is", async () => {
    const requestId = await readyRequest(db, ledger.shop);
    await restore();
    expect(await send(requestId)).toEqual({ kind: "postponed", until: null });
    expect(ledger.service.calls).toHaveLength(0);
    expect(await ledger.takeJobs()).toEqual([
      "import-orders",
      "sync-connection",
      "replay-erasures",
    ]);
    ledger.service.listWorks = false;
    settled();
    await expect(sync()).rejects.toThrow();
    expect((await send(requestId)).kind).toBe("postponed");
    ledger.service.listWorks = true;
    await sync();
    expect(await ledger.takeJobs()).toEqual(["create-referral"]);
    expect((await send(requestId)).kind).toBe("created");
    expect(ledger.service.calls).toHaveLength(1);
  });

  test("a walk that began before everything lost has settled links what it finds, and ends no pause", async () => {
    const waiting = await readyRequest(db, ledger.shop, { orderNumber: 2000 });
    const known = await sendAndForget(2001);
    await restore();
    ledger.clock.advance(settledAfterMs(ledger.ports.waits) - 1);
    await ledger.takeJobs();
    await sync();
    expect(await ledger.state(known)).toBe("created");
    expect((await ledger.takeJobs()).at(-1)).toBe("sync-connection");
    ledger.clock.advance(1);
    expect((await send(waiting)).kind).toBe("postponed");
    await sync();
    expect(await ledger.takeJobs()).toContain("create-referral");
    expect((await send(waiting)).kind).toBe("created");
  });

  test("withdraws the forgotten referral when its unit was cancelled during the pause", async () => {
    const { shop, ports, clock } = ledger;
    const requestId = await sendAndForget(2002);
    await restore();
    await db.tenancy.inShop(shop, async (tenant) => {
      const now = clock.now();
      await cancelUnit(tenant, { id: requestId }, { by: "store", actor: "shopify", now });
    });
    expect(await ledger.state(requestId)).toBe("cancelled");
    settled();
    await sync();
    expect(await ledger.takeJobs()).toContain("refetch-referral");
    const uuid = String(ledger.service.referrals[0]?.uuid);
    await refetchReferral(ports, { shop, environment: "staging", uuid });
    expect(await db.tenancy.inShop(shop, (t) => t.requests.find(requestId))).toMatchObject({
      state: "created",
      cancellation: { requestedBy: "store", status: "confirmed" },
    });
  });

  test("scans decide nothing until the pause is over", async () => {
    const { ports, shop, service, clock } = ledger;
    const requestId = await readyRequest(db, shop);
    service.next("reset_before");
    await send(requestId);
    const resolve = () => resolveAmbiguous(ports, { shop, requestId });
    await resolve();
    settled();
    await restore();
    for (const _ of [1, 2, 3]) expect(await resolve()).toEqual({ kind: "paused" });
    expect(await ledger.state(requestId)).toBe("ambiguous");
    settled();
    await sync();
    expect(await ledger.takeJobs()).toContain("resolve-ambiguous");
    clock.advance(1);
    expect(await resolve()).toEqual({ kind: "resend" });
  });

  test("a referral that the backup does not know yet is linked, not ordered again", async () => {
    const requestId = await readyRequest(db, ledger.shop);
    await send(requestId);
    // The backup was taken before the request was sent.
    await db.pool.query(
      `UPDATE referral_requests SET state = 'ready', attempt = 0, attempt_started_at = NULL WHERE id = $1`,
      [requestId],
    );
    await db.pool.query("DELETE FROM referrals WHERE shop = $1", [ledger.shop]);
    await restore();
    settled();
    await sync();
    expect(await ledger.state(requestId)).toBe("created");
    expect((await send(requestId)).kind).toBe("not_due");
    expect(ledger.service.calls).toHaveLength(1);
  });

  test.each(["no referral", "an earlier referral"])(
    "all are linked although our clock is hours ahead of the service’s, when the backup knows %s",
    async (known) => {
      const { shop, service } = ledger;
      service.clockBehindMs = 3 * 3_600_000;
      if (known === "an earlier referral") {
        await send(await readyRequest(db, shop, { orderNumber: 2000 }));
        // Nothing of it can change any more, so no walk has to go back to it.
        service.set(String(service.referrals[0]?.uuid), { status: "COMPLETE" });
        await db.pool.query("UPDATE referrals SET status = 'COMPLETE' WHERE shop = $1", [shop]);
      }
      const first = await sendAndForget(3000);
      const second = await sendAndForget(3001);
      const sent = service.calls.length;
      await restore();
      // An event is faster than the walk, and says nothing about what came before it.
      const uuid = String(service.referrals[0]?.uuid);
      await refetchReferral(ledger.ports, { shop, environment: "staging", uuid });
      await db.pool.query("UPDATE referrals SET status = 'COMPLETE' WHERE shop = $1", [shop]);
      settled();
      await sync();
      for (const requestId of [first, second]) {
        expect(await ledger.state(requestId)).toBe("created");
        expect((await send(requestId)).kind).toBe("not_due");
      }
      expect(service.calls).toHaveLength(sent);
    },
  );

  /** A referral that was ordered after the backup, of which the timeline kept nothing but the time. */
  async function sendAndForget(orderNumber: number): Promise<string> {
    ledger.clock.advance(3_600_000);
    const requestId = await readyRequest(db, ledger.shop, { orderNumber });
    await send(requestId);
    await db.pool.query(
      `UPDATE referral_requests SET state = 'ready', attempt = 0, attempt_started_at = NULL,
         attempt_deadline_at = NULL, recovery_lower_bound = NULL WHERE id = $1`,
      [requestId],
    );
    await db.pool.query("DELETE FROM referrals WHERE request_id = $1", [requestId]);
    return requestId;
  }

  test("an order that the backup does not know at all gets its referral back when it is brought in", async () => {
    const { shop } = ledger;
    await mapVariant(db, shop, gid("ProductVariant", 1));
    const order = storeOrder({ id: gid("Order", 3003), lines: [orderLine({ number: 1 })] });
    const fact = { orderId: order.id, lineItemId: gid("LineItem", 1), unit: 1, generation: 1 };
    const service = await ledger.ports.services.forConnection(shop, "staging");
    await service?.createReferral(
      {
        patient: PATIENT,
        items: ONE_TEST,
        medicare: null,
        clinicalNotes: null,
        referenceNumber: referenceNumber({ shop, ...fact }),
        metadata: { requestId: randomUUID() },
        emailReferralToCustomer: false,
      },
      { deadlineAt: new Date(ledger.clock.now().getTime() + 60_000) },
    );
    await restore();
    await sync();
    const storeOrders = { read: async () => order };
    await ledger.takeJobs();
    await reconcileOrder({ ...ledger.ports, storeOrders }, { shop, orderId: order.id });
    expect(await ledger.takeJobs()).toContain("refetch-referral");
    const uuid = String(ledger.service.referrals[0]?.uuid);
    const [request] = await db.tenancy.inShop(shop, (t) => t.requests.forOrder(order.id));
    // Details that are quicker than the refetch do not send it either.
    const id = request?.id ?? "";
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.requests.savePatient(
        id,
        { patient: PATIENT, medicare: null },
        ledger.clock.now(),
      );
      await putRequest(tenant, id, { state: "ready" });
    });
    expect((await send(id)).kind).toBe("postponed");
    await refetchReferral(ledger.ports, { shop, environment: "staging", uuid });
    expect(await ledger.state(id)).toBe("created");
    expect(ledger.service.calls).toHaveLength(1);
  });
});
