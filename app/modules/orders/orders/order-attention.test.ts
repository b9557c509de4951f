import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import { gid } from "../../kernel/ids.ts";
import type { StoreOrder } from "../order.ts";
import { recordAttention } from "./order-attention.ts";

const LINE = gid("LineItem", 1);
const buyer = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  address: null,
  statusUrl: null,
};
const order: StoreOrder = {
  id: gid("Order", 1),
  name: "#1",
  paid: true,
  paidInPart: false,
  test: false,
  cancelledAt: null,
  processedAt: DAY,
  updatedAt: DAY,
  customerId: gid("Customer", 7),
  buyer,
  lines: [],
};
const nothing = {
  unmapped: [],
  owed: 0,
  backdated: 0,
  givenAway: 0,
  existing: [],
  opened: 0,
  email: "none" as const,
};
const unreachable = { ...order, customerId: null };

/** Returns the reason that is written after a reading of an order with these findings. */
async function noted(
  of: StoreOrder,
  found: Partial<Parameters<typeof recordAttention>[2]>,
  before: (typeof LINE)[] = [],
) {
  const [id, reason, how] = await written(of, found, { before: new Set(before), isFirst: false });
  expect(id).toBe(order.id);
  return [reason, how];
}

async function written(
  of: StoreOrder,
  found: Partial<Parameters<typeof recordAttention>[2]>,
  reading: Parameters<typeof recordAttention>[3],
) {
  const all: unknown[] = [];
  const tenant = sampleTenant({
    orders: {
      setAttention: async (...words) => {
        all.push(...words);
        return false;
      },
    },
  });
  await recordAttention(tenant, of, { ...nothing, ...found }, reading);
  return all;
}

test("needs nobody for an order of which everything is known", async () => {
  const existing = [sampleRequest()];
  expect(await noted(order, { opened: 1, existing })).toEqual([null, { isAnew: false }]);
});

test("needs nobody for an order that was cancelled", async () => {
  const cancelled = { ...unreachable, cancelledAt: DAY };
  const found = { unmapped: [LINE], owed: 1, opened: 1 };
  expect((await noted(cancelled, found))[0]).toBeNull();
});

test("needs a person for a line that nobody knows the meaning of", async () => {
  const unmapped = [LINE];
  expect(await noted(order, { unmapped, owed: 1 })).toEqual(["unmapped_line", { isAnew: true }]);
});

test("asks again for a line that came since, and not for one that was known", async () => {
  expect(await noted(order, { unmapped: [LINE] }, [LINE])).toEqual([
    "unmapped_line",
    { isAnew: false },
  ]);
  const two = [LINE, gid("LineItem", 2)];
  expect((await noted(order, { unmapped: two }, [LINE]))[1]).toEqual({ isAnew: true });
});

test("needs a person for units that wait for the rest of the money", async () => {
  expect(await noted(order, { owed: 1 })).toEqual(["paid_in_part", { isAnew: false }]);
});

test("needs a person first of all when nobody can be asked for details", async () => {
  const found = { unmapped: [LINE], owed: 1 };
  const reason = ["no_contact", { isAnew: false }];
  expect(await noted(unreachable, { ...found, opened: 1 })).toEqual(reason);
  const existing = [sampleRequest({ state: "created" }), sampleRequest()];
  expect(await noted(unreachable, { ...found, existing })).toEqual(reason);
});

test("asks whose email it is before all but a missing contact, and again for each change of the customer", async () => {
  const found = { unmapped: [LINE], owed: 1, backdated: 1 };
  const changed = (isAnew: boolean) => ["customer_changed", { isAnew }];
  expect(await noted(order, { ...found, email: "anew" })).toEqual(changed(true));
  expect(await noted(order, { ...found, email: "still" })).toEqual(changed(false));
  expect((await noted(unreachable, { ...found, opened: 1, email: "anew" }))[1]).toEqual({
    isAnew: false,
  });
});

test("asks about units of long ago before lines that nobody knows", async () => {
  expect(await noted(order, { unmapped: [LINE], backdated: 1 }, [LINE])).toEqual([
    "backdated",
    { isAnew: false },
  ]);
});

test("asks about tests whose money was given back before lines that nobody knows", async () => {
  const unmapped = [LINE];
  expect(await noted(order, { givenAway: 1, unmapped })).toEqual(["money_back", { isAnew: false }]);
  expect(await noted(order, { givenAway: 1, backdated: 1 })).toEqual([
    "backdated",
    { isAnew: false },
  ]);
});

test("needs no contact when no unit waits for details", async () => {
  const existing = [sampleRequest({ state: "created" })];
  expect((await noted(unreachable, { existing }))[0]).toBeNull();
});

test("takes an account or an address for a contact", async () => {
  const mailed = { ...unreachable, buyer: { ...buyer, email: "sam@example.com" } };
  expect((await noted(mailed, { opened: 1 }))[0]).toBeNull();
  expect((await noted(order, { opened: 1 }))[0]).toBeNull();
});

test("writes of an order that was never read before only why somebody is needed", async () => {
  const first = { before: new Set<typeof LINE>(), isFirst: true };
  expect(await written(order, {}, first)).toEqual([]);
  expect(await written(order, { owed: 1 }, first)).toEqual([
    order.id,
    "paid_in_part",
    { isAnew: false },
  ]);
});
