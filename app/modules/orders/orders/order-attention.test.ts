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
  ofBundles: [],
  owed: 0,
  backdated: 0,
  otherName: 0,
  ignored: 0,
  givenAway: 0,
  existing: [],
  opened: 0,
  email: "none" as const,
};
const unreachable = { ...order, customerId: null };

/** Returns the reasons that are written after a reading of an order with these findings, and those that are new. */
async function noted(
  of: StoreOrder,
  found: Partial<Parameters<typeof recordAttention>[2]>,
  before: (typeof LINE)[] = [],
  hasGrown = false,
) {
  const reading = { before: new Set(before), hasGrown, isFirst: false };
  const [id, reasons, anew] = await written(of, found, reading);
  expect(id).toBe(order.id);
  return [reasons, anew];
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
  expect(await noted(order, { opened: 1, existing })).toEqual([[], []]);
});

test("needs nobody for an order that was cancelled", async () => {
  const cancelled = { ...unreachable, cancelledAt: DAY };
  const found = { unmapped: [LINE], owed: 1, opened: 1 };
  expect((await noted(cancelled, found))[0]).toEqual([]);
});

test.each([
  ["cancelled already", sampleRequest({ state: "cancelled" }), []],
  ["not sent", sampleRequest({ state: "ready" }), []],
  ["at the service", sampleRequest({ state: "created" }), ["customer_changed"]],
])("asks whose email a cancelled order has as its unit is %s", async (_what, unit, reasons) => {
  const cancelled = { ...order, cancelledAt: DAY };
  const existing = [unit, sampleRequest({ state: "cancelled" })];
  expect((await noted(cancelled, { existing, email: "still" }))[0]).toEqual(reasons);
  expect((await noted(cancelled, { existing }))[0]).toEqual([]);
});

test.each([
  ["bought", order],
  ["cancelled", { ...order, cancelledAt: DAY }],
])("asks about what is left under another domain of an order that is %s", async (_what, of) => {
  const left = (count: number, isNews: boolean) => ({ elsewhere: { left: count, isNews } });
  expect(await noted(of, left(1, true))).toEqual([["other_name"], ["other_name"]]);
  expect(await noted(of, left(1, false))).toEqual([["other_name"], []]);
  expect(await noted(of, left(0, false))).toEqual([[], []]);
});

test("asks about units that are ordered under another domain, or were sold as no test", async () => {
  const found = { otherName: 1, ignored: 1, owed: 1 };
  const reasons = ["other_name", "not_a_test_then", "paid_in_part"];
  expect(await noted(order, found)).toEqual([reasons, []]);
  expect(await noted(order, found, [], true)).toEqual([reasons, reasons]);
});

test("needs a person for each reason, however many stand behind the first", async () => {
  const unmapped = [LINE];
  expect(await noted(order, { unmapped, owed: 1 })).toEqual([
    ["unmapped_line", "paid_in_part"],
    ["unmapped_line"],
  ]);
  expect(await noted(order, { owed: 1 })).toEqual([["paid_in_part"], []]);
});

test("asks again for a line that came since, and not for one that was known", async () => {
  expect(await noted(order, { unmapped: [LINE] }, [LINE])).toEqual([["unmapped_line"], []]);
  const two = [LINE, gid("LineItem", 2)];
  expect((await noted(order, { unmapped: two }, [LINE]))[1]).toEqual(["unmapped_line"]);
  expect(await noted(order, { unmapped: two, ofBundles: two }, [LINE])).toEqual([
    ["parts_of_bundle"],
    ["parts_of_bundle"],
  ]);
});

test("asks about the parts of a bundle by themselves", async () => {
  const two = [LINE, gid("LineItem", 2)];
  expect(await noted(order, { unmapped: two, ofBundles: [LINE] }, [LINE])).toEqual([
    ["parts_of_bundle", "unmapped_line"],
    ["unmapped_line"],
  ]);
  expect(await noted(order, { unmapped: [LINE], ofBundles: [LINE] })).toEqual([
    ["parts_of_bundle"],
    ["parts_of_bundle"],
  ]);
});

test("asks again about units that came since, whatever they wait for", async () => {
  const found = { unmapped: [LINE], owed: 1, backdated: 1, givenAway: 1 };
  expect((await noted(order, found, [LINE], true))[1]).toEqual([
    "backdated",
    "money_back",
    "paid_in_part",
  ]);
});

test("needs a person first of all when nobody can be asked for details", async () => {
  const found = { unmapped: [LINE], owed: 1 };
  const reasons = ["no_contact", "unmapped_line", "paid_in_part"];
  expect((await noted(unreachable, { ...found, opened: 1 }))[0]).toEqual(reasons);
  const existing = [sampleRequest({ state: "created" }), sampleRequest()];
  expect((await noted(unreachable, { ...found, existing }))[0]).toEqual(reasons);
});

test("asks whose email it is before all but a missing contact, and again for each change of the customer", async () => {
  const found = { owed: 1, backdated: 1 };
  const reasons = ["customer_changed", "backdated", "paid_in_part"];
  expect(await noted(order, { ...found, email: "anew" })).toEqual([reasons, ["customer_changed"]]);
  expect(await noted(order, { ...found, email: "still" })).toEqual([reasons, []]);
  expect((await noted(unreachable, { ...found, opened: 1, email: "anew" }))[0]).toEqual([
    "no_contact",
    ...reasons,
  ]);
});

test("asks about units of long ago, and those whose money was given back, before lines that nobody knows", async () => {
  const found = { unmapped: [LINE], backdated: 1, givenAway: 1 };
  expect((await noted(order, found))[0]).toEqual(["backdated", "money_back", "unmapped_line"]);
});

test("needs no contact when no unit waits for details", async () => {
  const existing = [sampleRequest({ state: "created" })];
  expect((await noted(unreachable, { existing }))[0]).toEqual([]);
});

test("takes an account or an address for a contact", async () => {
  const mailed = { ...unreachable, buyer: { ...buyer, email: "sam@example.com" } };
  expect((await noted(mailed, { opened: 1 }))[0]).toEqual([]);
  expect((await noted(order, { opened: 1 }))[0]).toEqual([]);
});

test("writes of an order that was never read before only why somebody is needed", async () => {
  const first = { before: new Set<typeof LINE>(), hasGrown: false, isFirst: true };
  expect(await written(order, {}, first)).toEqual([]);
  expect(await written(order, { owed: 1 }, first)).toEqual([order.id, ["paid_in_part"], []]);
});
