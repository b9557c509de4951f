/** A test that the service refused to create, which was ordered by hand or forgotten since: who has it sent after all. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startRequest } from "../../../test/database/request.ts";
import { connect, storeOrder } from "../../../test/database/seed.ts";
import { takeJobs } from "../../../test/database/take-jobs.ts";
import { settledAfterMs } from "../referrals/resume-after-restore.ts";
import { syncConnection } from "../referrals/sync-connection.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { installShop } from "./install-shop.ts";
import { testConnection } from "./test-connection.ts";

const db = await openTestDatabase();
const environment = "staging" as const;

const KINDS = ["refused a moment ago", "marked as handled", "of more than two weeks ago"] as const;

/** A test whose create call was refused with 401. */
async function start(kind: (typeof KINDS)[number]) {
  const one = await startRequest(db);
  const { shop, requestId, ports, clock, service } = one;
  await connect(db, shop);
  service.next("unauthorized", "unauthorized");
  expect(await one.create()).toMatchObject({ kind: "postponed" });
  const request = (await one.find()) ?? expect.unreachable();
  expect(request).toMatchObject({ state: "ready", reviewReason: { code: "not_sent" } });
  const { orderId } = request;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), clock.now()),
  );
  if (kind === "marked as handled")
    expect(
      await markHandled(ports, { shop, orderId, reason: null, actor: "staff:7" }),
    ).toMatchObject({ kind: "marked" });
  // By the database's clock, which no test moves.
  await db.pool.query(
    `UPDATE referral_requests SET created_at = t.at, consent_at = t.at
     FROM (SELECT now() - $2 * interval '1 day' AS at) t WHERE id = $1`,
    [requestId, kind === "of more than two weeks ago" ? 15 : 0],
  );
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  const before = service.calls.length;
  return {
    /** How many referrals the service is asked for by the jobs that were queued. */
    async sent() {
      for (const job of await takeJobs(db, shop, "create-referral")) {
        expect(job).toMatchObject({ requestId });
        await one.create();
      }
      return service.calls.length - before;
    },
    async comesBack() {
      clock.advance(1000);
      await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
      clock.advance(1000);
      expect(await installShop(ports, { shop, scope: "" })).toBe("kept");
      const read = await takeJobs(db, shop, "reconcile-order");
      return read.length;
    },
    async endsPause() {
      await db.pool.query(
        "UPDATE connections SET paused_at = $2, restore_point = $2 WHERE shop = $1",
        [shop, clock.now()],
      );
      clock.advance(settledAfterMs(ports.waits));
      expect(await syncConnection(ports, { shop, environment })).toMatchObject({ kind: "synced" });
      const pause = () => db.tenancy.inShop(shop, (tenant) => tenant.restores.pause(environment));
      expect(await pause()).toBeNull();
    },
    isTested: () => testConnection(ports, { shop, environment }),
  };
}

const byItself = (kind: string) => (kind === "refused a moment ago" ? 1 : 0);

test.each(KINDS)(
  "the end of a pause after a restore sends no test but a fresh one: %s",
  async (kind) => {
    const { endsPause, sent } = await start(kind);
    await endsPause();
    expect(await sent()).toBe(byItself(kind));
  },
);

test.each(KINDS)("a shop that comes back has no test sent but a fresh one: %s", async (kind) => {
  const { comesBack, sent } = await start(kind);
  // An order of which nothing is sent is not read for it.
  expect(await comesBack()).toBe(byItself(kind));
  expect(await sent()).toBe(byItself(kind));
});

test.each(KINDS)("a test of the connection sends it: %s", async (kind) => {
  const { isTested, sent } = await start(kind);
  expect(await isTested()).toMatchObject({ kind: "ok" });
  expect(await sent()).toBe(1);
});
