import { expect, test } from "vitest";
import { movableClock } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting } from "../../../../test/database/locks.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { recordOutcome } from "../../referrals/requests/record-outcome.ts";
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
