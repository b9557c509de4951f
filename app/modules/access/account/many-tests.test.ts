import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, newRequest } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { pageOfCustomerRequests } from "../list-requests.ts";
import { requestsOf, type Viewer } from "../viewer.ts";

const db = await openTestDatabase();
const customerId = gid("Customer", 7);

test("an account with very many tests is read in pages, each test once, newest first", async () => {
  const shop = await installedShop(db);
  const orders = Array.from({ length: 45 }, (_, index) => index);
  await db.tenancy.inShop(shop, async (tenant) => {
    for (const index of orders) {
      const requests = Array.from({ length: 10 }, (_, unit) =>
        newRequest(shop, { id: gid("Order", 9000 + index), customerId }, { unit: unit + 1 }),
      );
      await tenant.requests.add(requests, new Date(Date.UTC(2026, 0, 1, 0, 0, index)));
    }
    await tenant.requests.add(
      [newRequest(shop, { id: gid("Order", 8000), customerId: gid("Customer", 8) })],
      new Date(),
    );
  });
  const viewer: Viewer = { kind: "customer", customerId };
  const pages: { orderId: string; unit: { number: number } }[][] = [];
  let after: string | null = null;
  do {
    const page = await pageOfCustomerRequests(db, { shop, viewer, after });
    pages.push(page.requests);
    after = page.next;
  } while (after !== null);
  expect(pages.map((page) => page.length)).toEqual([200, 200, 50]);
  const expected = orders
    .toReversed()
    .flatMap((index) =>
      Array.from({ length: 10 }, (_, unit) => `${gid("Order", 9000 + index)} ${unit + 1}`),
    );
  expect(pages.flat().map(({ orderId, unit }) => `${orderId} ${unit.number}`)).toEqual(expected);
  const all = await db.tenancy.inShop(shop, (tenant) => requestsOf(tenant, viewer));
  expect(all.map(({ orderId, unit }) => `${orderId} ${unit}`)).toEqual(expected);
});
