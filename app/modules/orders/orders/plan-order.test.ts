import { describe, expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../../test/samples/facts.ts";
import type { Mapping } from "../../catalogue/mapping.ts";
import { gid } from "../../kernel/ids.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { StoreOrder, StoreOrderLine } from "../order.ts";
import type { LineMatches } from "./match-lines.ts";
import { planOrder } from "./plan-order.ts";

const line = (id: number, currentQuantity: number): StoreOrderLine => ({
  id: gid("LineItem", id),
  title: "",
  sku: null,
  productId: gid("Product", id),
  variantId: gid("ProductVariant", id),
  quantity: 2,
  currentQuantity,
});
const mapping = (id: number): Mapping & { kind: "order" } => ({
  kind: "order",
  environment: "staging",
  productId: gid("Product", id),
  variantId: gid("ProductVariant", id),
  updatedAt: DAY,
  items: { bundleId: "b1", tests: [], medicareTests: [], practitioner: null },
});
const order = (fields: Partial<StoreOrder> = {}): StoreOrder => ({
  ...{ id: gid("Order", 1), name: "#1001", paid: true, paidInPart: false, test: true },
  ...{ cancelledAt: null, processedAt: DAY, updatedAt: DAY, customerId: gid("Customer", 7) },
  buyer: {
    ...{ firstName: null, lastName: null, email: null, phone: null },
    ...{ address: null, statusUrl: null },
  },
  lines: [line(1, 2), line(2, 1), line(3, 1)],
  ...fields,
});
/** The first line is mapped, the second is unmapped, the third is ignored. */
const matches: LineMatches = new Map([
  [gid("LineItem", 1), { state: "mapped", mapping: mapping(1) }],
  [gid("LineItem", 2), { state: "unmapped", mapping: null }],
  [gid("LineItem", 3), { state: "ignored", mapping: null }],
]);
const planned = (
  given: StoreOrder,
  {
    existing = [],
    isWanted,
    reported = [],
  }: { existing?: ReferralRequest[]; isWanted?: boolean; reported?: string[] } = {},
) => planOrder(given, { matches, existing, reported: new Set(reported), isWanted });
const unitsOf = ({ open }: ReturnType<typeof planned>) =>
  open.map((one) => [one.line.id, one.units]);
const request = (unit: number, fields: Partial<ReferralRequest> = {}) =>
  sampleRequest({ id: `${unit}`, lineItemId: gid("LineItem", 1), unit, ...fields });

test("opens what is paid and mapped, and names the line of which nobody knows what it is", () => {
  const plan = planned(order());
  expect(unitsOf(plan)).toEqual([[gid("LineItem", 1), [1, 2]]]);
  expect(plan).toMatchObject({ cancel: [], wanted: [], owed: 0, backdated: 0, surplus: 0 });
  expect(plan.unmapped).toEqual([gid("LineItem", 2)]);
});

test("opens nothing of an order that is paid in part, and says how many units wait for the rest", () => {
  const plan = planned(order({ paid: false, paidInPart: true }));
  expect(unitsOf(plan)).toEqual([]);
  expect(plan.owed).toBe(2);
});

test("leaves an order of long ago to a person, until one asked for it or there are requests of it", () => {
  const old = order({ createdAt: new Date(DAY.getTime() + 8 * 86_400_000) });
  expect(planned(old)).toMatchObject({ open: [], backdated: 2 });
  expect(unitsOf(planned(old, { isWanted: true }))).toEqual([[gid("LineItem", 1), [1, 2]]]);
  expect(planned(old, { existing: [request(1)] }).backdated).toBe(0);
});

test("gives up every unit of a cancelled order, and counts those that the service may know", () => {
  const existing = [request(1, { state: "awaiting_details" }), request(2, { state: "created" })];
  const plan = planned(order({ cancelledAt: DAY }), { existing });
  expect(plan.cancel.map(({ unit }) => unit).toSorted()).toEqual([1, 2]);
  expect(plan).toMatchObject({ surplus: 1, unmapped: [] });
  expect(unitsOf(plan)).toEqual([[gid("LineItem", 1), []]]);
});

test("ends the cancellation of a unit that is bought again", () => {
  const taken = { requestedBy: "store", status: "requested" } as const;
  const existing = [request(1), request(2, { state: "created", cancellation: taken })];
  expect(planned(order(), { existing }).wanted.map(({ unit }) => unit)).toEqual([2]);
});

describe("an order whose money was given back whole, with its tests still on it", () => {
  const back = order({ isMoneyBack: true });

  test("opens nothing before a person wants it, and says how many are given away", () => {
    expect(planned(back)).toMatchObject({ open: [], givenAway: 2, cancel: [] });
    const wanted = planned(back, { isWanted: true });
    expect(unitsOf(wanted)).toEqual([[gid("LineItem", 1), [1, 2]]]);
  });

  test("leaves what was opened, and counts it until it has results or was given up", () => {
    const existing = [request(1), request(2, { state: "created" })];
    expect(planned(back, { existing })).toMatchObject({ cancel: [], givenAway: 2 });
    expect(planned(back, { existing, reported: ["2"] }).givenAway).toBe(1);
    const cancellation = { requestedBy: "staff", status: "done" } as const;
    const givenUp = [request(1), request(2, { state: "cancelled", cancellation })];
    expect(planned(back, { existing: givenUp })).toMatchObject({ open: [], givenAway: 1 });
    expect(planned({ ...back, cancelledAt: DAY }, { existing }).givenAway).toBe(0);
    expect(planned(order(), { existing }).givenAway).toBe(0);
  });
});
