import { expect, test } from "vitest";
import { movableClock } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../../test/database/locks.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  bought,
  mappedShop,
  mapVariant,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { recordOutcome } from "../../referrals/requests/record-outcome.ts";
import type { StoreOrder } from "../order.ts";
import { reconcileOrder } from "../reconcile-order.ts";
import type { Tenancy } from "../tenant.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);

test("a unit that is bought again while its sender reports that nothing was sent is still owed", async () => {
  const shop = await mappedShop(db);
  const clock = movableClock();
  const read = (left: number, tenancy: Tenancy = db.tenancy) => {
    clock.advance(1000);
    const order = storeOrder({ lines: [orderLine({ quantity: 1, currentQuantity: left })] });
    const storeOrders = { read: async () => order };
    return reconcileOrder({ tenancy, storeOrders, clock }, { shop, orderId: ORDER });
  };
  await read(1);
  const [opened] = await requests(shop);
  if (!opened) throw new Error("nothing was opened");
  const sending = await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, opened.id, { state: "sending" }),
  );
  if (!sending) throw new Error("it could not be claimed");
  await read(0);
  expect(await requests(shop)).toMatchObject([
    { state: "sending", cancellation: { requestedBy: "store", status: "requested" } },
  ]);

  let report: Promise<unknown> | undefined;
  const amidst = beforeChange(async () => {
    const unsent = { kind: "not_sent", reason: "overloaded", retryable: true } as const;
    report = db.tenancy.inShop(shop, (tenant) =>
      recordOutcome(tenant, sending, { ...unsent, retryAfterMs: null }, clock.now()),
    );
    await untilWaiting(db, 1, report);
  });
  await read(1, amidst);
  expect(await report).toMatchObject({ kind: "postponed" });
  expect(await requests(shop)).toMatchObject([{ state: "ready", cancellation: null }]);
});

const goLive = (shop: ShopDomain) =>
  db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ environment: "production" }));

/** A shop in staging whose mapping is the same in production, and its order. */
async function startBeforeLive() {
  const shop = await mappedShop(db);
  await mapVariant(db, shop, gid("ProductVariant", 1), { environment: "production" });
  const read = (order: () => Promise<StoreOrder>, tenancy = db.tenancy) =>
    reconcileOrder(
      { tenancy, storeOrders: { read: order }, clock: movableClock() },
      { shop, orderId: ORDER },
    );
  return { shop, read };
}

test("an order that is read while its shop goes live is ordered in production", async () => {
  const { shop, read } = await startBeforeLive();
  const outcome = await read(async () => {
    await goLive(shop);
    return bought(1);
  });
  expect(outcome).toMatchObject({ kind: "reconciled", opened: 1 });
  expect(await requests(shop)).toMatchObject([{ environment: "production" }]);
});

test("a test order that is read while its shop goes live stays in staging", async () => {
  const { shop, read } = await startBeforeLive();
  await read(async () => {
    await goLive(shop);
    return { ...bought(1), test: true };
  });
  expect(await requests(shop)).toMatchObject([{ environment: "staging" }]);
});

test("an order waits for the save by which its shop is going live", async () => {
  const { shop, read } = await startBeforeLive();
  const saving = await whoHolds(
    db,
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    `settings ${shop}`,
  );
  await saving.change("UPDATE shops SET environment = 'production' WHERE shop = $1", shop);
  const reading = read(async () => bought(1));
  await untilWaiting(db, 1, reading);
  await saving.end();
  expect(await reading).toMatchObject({ kind: "reconciled", opened: 1 });
  expect(await requests(shop)).toMatchObject([{ environment: "production" }]);
});

test("an order whose shop leaves while it is read opens nothing, and is kept for its return", async () => {
  const { shop, read } = await startBeforeLive();
  const outcome = await read(async () => {
    await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(new Date()));
    return bought(1);
  });
  expect(outcome).toEqual({ kind: "not_installed" });
  expect(await requests(shop)).toEqual([]);
  expect(await db.tenancy.inShop(shop, (tenant) => tenant.inbox.unpark())).toBe(1);
});

/** A tenancy in which something happens once, just before what was planned for a request is done. */
function beforeChange(happen: () => Promise<void>): Tenancy {
  let once: (() => Promise<void>) | null = happen;
  return {
    ...db.tenancy,
    inShop: (shop, work) =>
      db.tenancy.inShop(shop, (tenant) =>
        work({
          ...tenant,
          requests: {
            ...tenant.requests,
            async findForUpdate(...args) {
              const first = once;
              once = null;
              await first?.();
              return tenant.requests.findForUpdate(...args);
            },
          },
        }),
      ),
  };
}

const requests = (shop: ShopDomain) =>
  db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(ORDER));
