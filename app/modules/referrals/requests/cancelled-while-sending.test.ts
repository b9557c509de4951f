import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting } from "../../../../test/database/locks.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { startRequest } from "../../../../test/database/request.ts";
import { connect, PATIENT } from "../../../../test/database/seed.ts";
import { installShop } from "../../lifecycle/install-shop.ts";
import { cancelUnit } from "../cancel-unit.ts";
import { createReferral } from "../create-referral.ts";

const db = await openTestDatabase();

/** A request whose sender looks for the connection while something happens to it, and finds none. */
async function start() {
  const ledger = await startRequest(db);
  const { shop, clock, ports, target } = ledger;
  await connect(db, shop);
  return {
    ...ledger,
    install: () => {
      clock.advance(1000);
      return installShop(ports, { shop, scope: "" });
    },
    uninstall: () => {
      clock.advance(1000);
      return db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
    },
    createWhile: async (happens: () => Promise<unknown>) => {
      const services = {
        forConnection: async () => {
          await happens();
          return null;
        },
      };
      await ledger.takeJobs();
      return createReferral({ ...ports, services }, target);
    },
  };
}

test("a unit that was claimed when the app was taken off waits for its return, and is sent then", async () => {
  const { createWhile, uninstall, install, find, takeJobs, create, service } = await start();
  expect(await createWhile(uninstall)).toEqual({ kind: "postponed", until: null });
  expect(await find()).toMatchObject({ state: "ready", reviewReason: null });
  expect(await takeJobs()).toEqual([]);
  await install();
  expect(await takeJobs()).toContain("create-referral");
  expect(await create()).toMatchObject({ kind: "created" });
  expect(service.calls).toHaveLength(1);
});

test("when the app is back before that is written down, it is soon sent", async () => {
  const { createWhile, uninstall, install, find, takeJobs } = await start();
  const outcome = await createWhile(async () => {
    await uninstall();
    await install();
    await takeJobs();
  });
  expect(outcome).toMatchObject({ kind: "postponed", until: expect.any(Date) });
  expect(await find()).toMatchObject({ state: "ready", reviewReason: null });
  expect(await takeJobs()).toContain("create-referral");
});

test("without a connection, somebody has to make one", async () => {
  const { createWhile, find, shop } = await start();
  await db.pool.query("DELETE FROM connections WHERE shop = $1", [shop]);
  expect(await createWhile(async () => {})).toEqual({ kind: "postponed", until: null });
  expect(await find()).toMatchObject({
    state: "ready",
    reviewReason: { code: "not_sent", detail: "no_connection" },
  });
});

test.each([
  ["store", "shopify"],
  ["staff", "pathway"],
] as const)(
  "a unit that the %s cancelled while it was claimed ends unsent, and its story names %s",
  async (by, actor) => {
    const { createWhile, find, shop, requestId, clock } = await start();
    const outcome = await createWhile(() =>
      db.tenancy.inShop(shop, (tenant) =>
        cancelUnit(tenant, { id: requestId }, { by, actor, now: clock.now() }),
      ),
    );
    expect(outcome).toEqual({ kind: "cancelled" });
    expect(await find()).toMatchObject({ state: "cancelled", cancellation: { requestedBy: by } });
    const { rows } = await db.pool.query(
      "SELECT actor FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'request_cancelled'",
      [shop, requestId],
    );
    expect(rows).toEqual([{ actor }]);
  },
);

test("deletions and corrections that wait are taken up as well", async () => {
  const { createdId, uninstall, install, takeJobs, shop, clock } = await startCreatedOne();
  await uninstall();
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, createdId, {
      cancellation: { requestedBy: "store", status: "confirmed" },
    });
    await tenant.corrections.add(createdId, PATIENT, clock.now());
  });
  await takeJobs();
  await install();
  expect(await takeJobs()).toEqual(
    expect.arrayContaining(["delete-referrals", "correct-referrals"]),
  );
});

async function startCreatedOne() {
  const one = await start();
  await one.create();
  return { ...one, createdId: one.requestId };
}

test("an install waits for a sender that is just writing down that the app was away", async () => {
  const { createWhile, uninstall, install, takeJobs, ports } = await start();
  const recording = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const { tenancy } = ports;
  ports.tenancy = {
    ...tenancy,
    inShop: (shop, work) =>
      tenancy.inShop(shop, async (tenant) => {
        const value = await work(tenant);
        const outcome = value as { kind?: string } | null;
        if (outcome?.kind === "postponed") {
          recording.resolve();
          await mayCommit.promise;
        }
        return value;
      }),
  };
  const creating = createWhile(uninstall);
  await recording.promise;
  ports.tenancy = tenancy;
  const installing = install();
  await untilWaiting(db, 1, installing);
  mayCommit.resolve();
  await Promise.all([creating, installing]);
  expect(await takeJobs()).toContain("create-referral");
});
