import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, newRequest, PATIENT, storeOrder } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { listCustomerRequests } from "../list-requests.ts";

const db = await openTestDatabase();

/** Returns the values that "It’s for me" begins with when the order goes to this country and state. */
async function prefillOf(country: string, state: string) {
  const shop = await installedShop(db);
  const order = storeOrder();
  const buyer = order.buyer && {
    ...order.buyer,
    address: { ...PATIENT.address, country, state },
  };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record({ ...order, buyer }, new Map(), START);
    await tenant.requests.add([newRequest(shop, order)], START);
  });
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  const [request] = await listCustomerRequests({ tenancy: db.tenancy }, { shop, viewer });
  return request?.prefill;
}

test("the buyer's address is offered when it is in Australia, or in no country that is known", async () => {
  for (const country of ["AU", ""])
    expect(await prefillOf(country, "WA")).toMatchObject({
      firstName: "Sam",
      address: { state: "WA", city: "Melbourne" },
    });
});

test("an address abroad is not: Washington is not Western Australia", async () => {
  expect(await prefillOf("US", "WA")).toMatchObject({ firstName: "Sam", address: null });
});
