import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest } from "../../../test/samples/facts.ts";
import { isOrderedAnew, itemsOfCall, itemsToOrder } from "./items-to-order.ts";
import type { MappingMeaning } from "./mapping-facts.ts";
import type { ReferralRequest } from "./request.ts";
import { plainReason } from "./review-reason.ts";

const items = { bundleId: null, tests: ["fbc"], medicareTests: ["m"], practitioner: null };
const commercial = { ...items, medicareTests: [] };
const medicare = { ...items, tests: [] };
/** The meaning of the product by now. */
const now = { ...items, tests: ["iron"] };
const mapping = { kind: "order", items: now } as const;
const failed = sampleReferral({ status: "FAILED_TEST" });
const stands = sampleReferral({ uuid: "medicare", medicare: true });

const toOrder = (
  request: Partial<ReferralRequest>,
  meaning: MappingMeaning | undefined = mapping,
  referrals = [failed, stands],
) => itemsToOrder({ request: sampleRequest({ items, ...request }), referrals }, meaning);

test("names what is held as it was ordered, whatever the product means by now", () => {
  expect(toOrder({ state: "held" })).toEqual(items);
  expect(toOrder({ state: "held", missingPart: "medicare" })).toEqual(medicare);
});

test("names what the product means by now for a request that was refused or could not be sent", () => {
  const notSent = { code: "not_sent", detail: "unauthorized" } as const;
  expect(toOrder({ state: "rejected" })).toEqual(now);
  expect(toOrder({ state: "ready", reviewReason: notSent })).toEqual(now);
  expect(toOrder({ state: "ambiguous", reviewReason: plainReason("ambiguous") })).toEqual(now);
  expect(toOrder({ state: "rejected" }, { kind: "ignored" })).toEqual(items);
  const request = sampleRequest({ items, state: "rejected" });
  expect(itemsToOrder({ request, referrals: [] }, undefined)).toEqual(items);
});

test("names of a part that was refused what it was ordered as: the other one exists", () => {
  const reviewReason = { code: "half_rejected", detail: "115" } as const;
  const request = { state: "created", missingPart: "medicare", reviewReason } as const;
  expect(toOrder(request, mapping, [sampleReferral()])).toEqual(medicare);
});

test("names of two parts the one that failed", () => {
  expect(toOrder({ state: "created" })).toEqual(commercial);
});

test("names nothing where nobody can order anything", () => {
  expect(toOrder({ state: "created" }, mapping, [sampleReferral(), stands])).toBeNull();
  for (const state of ["awaiting_details", "ready", "sending", "ambiguous", "cancelled"] as const)
    expect(toOrder({ state })).toBeNull();
});

test("names nothing for a retry that would wait for other details, of a child's", () => {
  const reviewReason = { code: "not_sent", detail: "unauthorized" } as const;
  expect(toOrder({ state: "ready", reviewReason, underAge: true })).toBeNull();
});

test("names what the product means by now also for a refused request that waits for other details", () => {
  expect(toOrder({ state: "rejected", underAge: true })).toEqual(now);
});

test("names what the product means by now for a test that staff cancelled, and not for a part of one", () => {
  const cancelled = {
    state: "cancelled",
    cancellation: { requestedBy: "staff", status: "done" },
  } as const;
  expect(toOrder(cancelled, mapping, [])).toEqual(now);
  const request = sampleRequest({ items, ...cancelled, replacedBy: "next" });
  const referrals = [sampleReferral({ deletedAt: DAY }), { ...stands, replacedBy: "next" }];
  expect(itemsToOrder({ request, referrals, orderedAgain: ["medicare"] }, mapping)).toEqual(
    commercial,
  );
});

test("names the items of the call that sends a request, and of the one that a retry makes", () => {
  const call = (request: Partial<ReferralRequest>, meaning: MappingMeaning | undefined = mapping) =>
    itemsOfCall(sampleRequest({ items, ...request }), meaning);
  expect(call({ state: "rejected" })).toEqual(now);
  expect(call({ state: "rejected" }, { kind: "ignored" })).toEqual(items);
  expect(itemsOfCall(sampleRequest({ items, state: "rejected" }), undefined)).toEqual(items);
  expect(call({ state: "ready" })).toEqual(items);
  expect(call({ state: "rejected", missingPart: "medicare" })).toEqual(medicare);
});

test("orders anew what was refused, or what staff cancelled whole", () => {
  const isAnew = (
    state: ReferralRequest["state"],
    parts: readonly ("commercial" | "medicare")[],
  ): boolean => isOrderedAnew(sampleRequest({ items, state }), parts);
  const both = ["commercial", "medicare"] as const;
  expect(isAnew("rejected", both)).toBe(true);
  expect(isAnew("cancelled", both)).toBe(true);
  expect(isAnew("cancelled", ["medicare"])).toBe(false);
  expect(isAnew("created", both)).toBe(false);
});
