import { describe, expect, test } from "vitest";
import { sampleRequest } from "../../../test/samples/facts.ts";
import { sampleTenant } from "../../../test/samples/tenant.ts";
import { CUSTOMER, sampleGuest, samplePatient } from "../../../test/samples/viewers.ts";
import { gid } from "../kernel/ids.ts";
import { concerns, isBuyer, isOwner, ownerIdentity, requestsOf, type Viewer } from "./viewer.ts";

const own = sampleRequest();
const handedOver = sampleRequest({ owner: "patient" });
const GUEST = sampleGuest();
const PATIENT = samplePatient();

describe("a buyer", () => {
  test.each<[string, Viewer]>([
    ["customer", CUSTOMER],
    ["guest", GUEST],
  ])("who is a %s holds what they bought until it is handed over", (_, viewer) => {
    expect(isBuyer(own, viewer)).toBe(true);
    expect(isOwner(own, viewer)).toBe(true);
    expect(isBuyer(handedOver, viewer)).toBe(true);
    expect(isOwner(handedOver, viewer)).toBe(false);
    expect(concerns(handedOver, viewer)).toBe(true);
  });

  test("is told by the account, or by the order of the link", () => {
    const others = sampleRequest({ customerId: gid("Customer", 8), orderId: gid("Order", 2) });
    for (const viewer of [CUSTOMER, GUEST]) {
      expect(isBuyer(others, viewer)).toBe(false);
      expect(isOwner(others, viewer)).toBe(false);
      expect(concerns(others, viewer)).toBe(false);
    }
    // An account's orders are its own, wherever they were bought; a guest's link is for one order.
    expect(isBuyer(sampleRequest({ orderId: gid("Order", 2) }), CUSTOMER)).toBe(true);
    expect(isBuyer(sampleRequest({ customerId: null }), CUSTOMER)).toBe(false);
    expect(isBuyer(sampleRequest({ customerId: null }), GUEST)).toBe(true);
  });
});

describe("a patient", () => {
  test("holds the unit that was handed to them, in each of its generations, and did not buy it", () => {
    expect(isOwner(handedOver, PATIENT)).toBe(true);
    expect(isOwner({ ...handedOver, generation: 2 }, PATIENT)).toBe(true);
    expect(isBuyer(handedOver, PATIENT)).toBe(false);
    expect(concerns(handedOver, PATIENT)).toBe(true);
  });

  test("holds nothing once it went back to its buyer", () => {
    expect(isOwner(own, PATIENT)).toBe(false);
    expect(concerns(own, PATIENT)).toBe(false);
  });

  test.each([
    ["another order", { orderId: gid("Order", 2) }],
    ["another line", { lineItemId: gid("LineItem", 2) }],
    ["another unit", { unit: 2 }],
  ])("holds nothing of %s", (_, fields) => {
    expect(isOwner({ ...handedOver, ...fields }, PATIENT)).toBe(false);
  });
});

test("lists of an account or an order what concerns the viewer, and nothing else", async () => {
  const others = sampleRequest({ customerId: gid("Customer", 8), unit: 2, owner: "patient" });
  const tenant = sampleTenant({
    requests: {
      forCustomer: async (id) => (id === gid("Customer", 7) ? [own, others] : []),
      forOrder: async (id) => (id === gid("Order", 1) ? [handedOver, others] : []),
    },
  });
  expect(await requestsOf(tenant, CUSTOMER)).toEqual([own]);
  expect(await requestsOf(tenant, GUEST)).toEqual([handedOver, others]);
  expect(await requestsOf(tenant, PATIENT)).toEqual([handedOver]);
});

test("knows of a unit who holds it now", () => {
  expect(ownerIdentity(own)).toEqual({ kind: "customer", customerId: gid("Customer", 7) });
  expect(ownerIdentity({ ...own, customerId: null })).toEqual({
    kind: "guest",
    orderId: gid("Order", 1),
  });
  const { orderId, lineItemId, unit } = handedOver;
  expect(ownerIdentity(handedOver)).toEqual({ kind: "patient", orderId, lineItemId, unit });
  for (const [request, viewer] of [
    [own, CUSTOMER],
    [{ ...own, customerId: null }, GUEST],
    [handedOver, PATIENT],
  ] as const)
    expect(isOwner(request, ownerIdentity(request)) && isOwner(request, viewer)).toBe(true);
});

test.each([199, 200, 201, 450])(
  "lists all %i tests of an account, however many are read at once",
  async (count) => {
    const all = Array.from({ length: count }, (_, at) => sampleRequest({ id: `r${at}` }));
    const reads: (string | null)[] = [];
    const tenant = sampleTenant({
      requests: {
        async forCustomer(_, { after, limit }) {
          reads.push(after);
          const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
          return all.slice(from, from + limit);
        },
      },
    });
    expect(await requestsOf(tenant, CUSTOMER)).toEqual(all);
    expect(reads).toHaveLength(Math.floor(count / 200) + 1);
  },
);

test("reads the order of a link whole, and once", async () => {
  const all = Array.from({ length: 201 }, (_, at) => sampleRequest({ id: `r${at}` }));
  let reads = 0;
  const tenant = sampleTenant({
    requests: {
      async forOrder() {
        reads += 1;
        if (reads > 1) throw new Error("it was read before");
        return all;
      },
    },
  });
  expect(await requestsOf(tenant, GUEST)).toEqual(all);
});
