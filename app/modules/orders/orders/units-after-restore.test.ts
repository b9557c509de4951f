import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { type Ledger, startLedger } from "../../../../test/database/ledger.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { bought, connect, mapVariant, ONE_TEST, PATIENT } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { gid } from "../../kernel/ids.ts";
import { createReferral } from "../../referrals/create-referral.ts";
import { referenceNumber } from "../../referrals/reference-number.ts";
import { refetchReferral } from "../../referrals/referrals/refetch-referral.ts";
import { settledAfterMs } from "../../referrals/resume-after-restore.ts";
import { syncConnection } from "../../referrals/sync-connection.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const ORDER = { orderId: gid("Order", 1001), lineItemId: gid("LineItem", 1) };

/** A shop that sells one test, at a service that works. */
async function startShop() {
  const ledger = await startLedger(db);
  const { shop } = ledger;
  await connect(db, shop);
  await mapVariant(db, shop, gid("ProductVariant", 1));
  await pauseAfterRestore(db.pool, { asked: false, now: ledger.clock.now() });
  await db.pool.query("UPDATE connections SET paused_at = NULL WHERE shop = $1", [shop]);
  return { ...ledger, one: await orderInStore(db, shop) };
}

/** A referral of this unit, which a lost database ordered. Answers its uuid. */
async function orderedBefore({ shop, ports, clock, service }: Ledger, unit: number) {
  const client = await ports.services.forConnection(shop, "staging");
  await client?.createReferral(
    {
      patient: PATIENT,
      items: ONE_TEST,
      medicare: null,
      clinicalNotes: null,
      referenceNumber: referenceNumber({ shop, ...ORDER, unit, generation: 1 }),
      metadata: {},
      emailReferralToCustomer: false,
    },
    { deadlineAt: new Date(clock.now().getTime() + 60_000) },
  );
  return String(service.referrals[0]?.uuid);
}

/** The database takes the place of the lost one. The order is from before that. */
function restore({ clock }: Ledger) {
  clock.advance(3_600_000);
  return pauseAfterRestore(db.pool, { asked: true, now: clock.now() });
}

/** Walks the service's list, which ends the pause once everything lost has settled, and does what the walk asks for. */
async function walk({ shop, ports }: Ledger) {
  const services = {
    async forConnection(...of: Parameters<typeof ports.services.forConnection>) {
      const real = await ports.services.forConnection(...of);
      const empty = { likelyNext: null, read: () => ({ entries: [], unreadable: [], next: null }) };
      return real && { ...real, resultPage: async () => empty };
    },
  };
  await syncConnection({ ...ports, services }, { shop, environment: "staging" });
  await refetch({ shop, ports });
}

function endPause(ledger: Ledger) {
  ledger.clock.advance(settledAfterMs(ledger.ports.waits));
  return walk(ledger);
}

async function refetch({ shop, ports }: Pick<Ledger, "shop" | "ports">) {
  for (const job of await takeJobs(db, shop, "refetch-referral")) await refetchReferral(ports, job);
}

const found = async ({ one }: Awaited<ReturnType<typeof startShop>>) =>
  (await one.requests()).map(({ unit, state }) => ({ unit, state }));

const unclaimedOf = async (shop: string) => {
  const { rows } = await db.pool.query<{ uuid: string }>(
    "SELECT uuid FROM unclaimed_referrals WHERE shop = $1",
    [shop],
  );
  return rows.map(({ uuid }) => uuid);
};

test.each(["walk", "order"])(
  "a partly refunded line takes up the unit that was ordered, when the %s is read first",
  async (first) => {
    const world = await startShop();
    const { shop, service, one, ports } = world;
    await orderedBefore(world, 2);
    await restore(world);
    if (first === "walk") await endPause(world);
    await one.read(bought(2, 1));
    if (first === "order") await endPause(world);
    // It was put off until the end of the pause.
    for (const _ of await takeJobs(db, shop, "reconcile-order")) await one.read(bought(2, 1));
    await refetch(world);
    expect(await found(world)).toEqual([{ unit: 2, state: "created" }]);
    expect(await unclaimedOf(shop)).toEqual([]);
    for (const { id } of await one.requests()) await createReferral(ports, { shop, requestId: id });
    expect(service.referrals).toHaveLength(1);
  },
);

test("the reading of an order that waits for the walk is asked for in the same words", async () => {
  const world = await startShop();
  const { shop, one } = world;
  await restore(world);
  await one.read(bought(2, 1));
  await takeJobs(db, shop, "reconcile-order");
  const asked = {
    shop,
    orderId: ORDER.orderId,
    isWanted: true,
    ignoredSince: START.toISOString(),
  } as const;
  expect(await reconcileOrder(one.ports, asked)).toEqual({ kind: "postponed" });
  expect(await takeJobs(db, shop, "reconcile-order")).toEqual([asked]);
  expect(await one.requests()).toEqual([]);
});

test("an order that is read while its shop goes live waits for the walk of the production environment", async () => {
  const world = await startShop();
  const { shop, one, clock } = world;
  await connect(db, shop, "production");
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  await restore(world);
  await db.pool.query(
    "UPDATE connections SET paused_at = NULL WHERE shop = $1 AND environment = 'staging'",
    [shop],
  );
  one.store.orders = [bought(2, 1)];
  clock.advance(1000);
  const storeOrders = {
    async read(...asked: Parameters<typeof one.ports.storeOrders.read>) {
      const order = await one.ports.storeOrders.read(...asked);
      await db.tenancy.inShop(shop, (t) => t.shops.updateSettings({ environment: "production" }));
      return order;
    },
  };
  const target = { shop, orderId: ORDER.orderId };
  expect(await reconcileOrder({ ...one.ports, storeOrders }, target)).toEqual({
    kind: "postponed",
  });
  expect(await one.requests()).toEqual([]);
});

test.each([
  ["was placed since", { processedAt: new Date(START.getTime() + 7_200_000) }],
  ["was taken back as a whole", { cancelledAt: START }],
])("an order that %s does not wait for the walk", async (_, fields) => {
  const world = await startShop();
  await restore(world);
  expect(await world.one.read({ ...bought(2, 1), ...fields })).toMatchObject({
    kind: "reconciled",
  });
});

test("of two units that the database still knows, the one that was ordered since stays", async () => {
  const world = await startShop();
  const { shop, service, one } = world;
  await one.read(bought(2));
  await orderedBefore(world, 2);
  await restore(world);
  await one.read(bought(2, 1));
  await endPause(world);
  for (const _ of await takeJobs(db, shop, "reconcile-order")) await one.read(bought(2, 1));
  expect(await found(world)).toEqual([
    { unit: 1, state: "cancelled" },
    { unit: 2, state: "created" },
  ]);
  expect(service.deletions).toEqual([]);
});

test("a unit whose referral was deleted stands behind the others", async () => {
  const world = await startShop();
  const { shop, service, one } = world;
  const deleted = await orderedBefore(world, 1);
  await orderedBefore(world, 3);
  service.set(deleted, { deletedAt: world.clock.now().toISOString() });
  await restore(world);
  await endPause(world);
  await one.read(bought(3, 2));
  await refetch(world);
  // The second unit was not ordered yet.
  expect(await found(world)).toEqual([
    { unit: 2, state: "awaiting_details" },
    { unit: 3, state: "created" },
  ]);
  expect(await unclaimedOf(shop)).toEqual([deleted]);
});

test("a referral that is deleted during the pause is known as deleted", async () => {
  const world = await startShop();
  const { shop, service, one } = world;
  const deleted = await orderedBefore(world, 1);
  await orderedBefore(world, 2);
  await restore(world);
  await walk(world);
  service.set(deleted, { deletedAt: world.clock.now().toISOString() });
  await endPause(world);
  await one.read(bought(2, 1));
  await refetch(world);
  expect(await found(world)).toEqual([{ unit: 2, state: "created" }]);
  expect(await unclaimedOf(shop)).toEqual([deleted]);
});
