import { expect, test } from "vitest";
import { DAY, sampleReferral } from "../../../../test/samples/facts.ts";
import type { OrderedItems } from "../referral-service.ts";
import { halfOf, halvesOf, isFurther, itemsOfHalves, itemsToSend } from "./halves.ts";

const practitioner = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
const nothing: OrderedItems = { bundleId: null, tests: [], medicareTests: [], practitioner: null };
const both: OrderedItems = { bundleId: "b", tests: ["t"], medicareTests: ["m"], practitioner };
const later = new Date(DAY.getTime() + 1);

test.each<[string, Partial<OrderedItems>, string[]]>([
  ["a bundle", { bundleId: "b" }, ["commercial"]],
  ["tests", { tests: ["t"] }, ["commercial"]],
  ["Medicare tests", { medicareTests: ["m"] }, ["medicare"]],
  [
    "a bundle and Medicare tests",
    { bundleId: "b", medicareTests: ["m"] },
    ["commercial", "medicare"],
  ],
  ["tests and Medicare tests", { tests: ["t"], medicareTests: ["m"] }, ["commercial", "medicare"]],
  ["nothing", {}, []],
])("finds the referrals that an order of %s makes", (_, items, halves) => {
  expect(halvesOf({ ...nothing, ...items })).toEqual(halves);
});

test("sends of a half nothing that belongs to the other", () => {
  const commercial = { bundleId: "b", tests: ["t"], medicareTests: [], practitioner: null };
  const medicare = { bundleId: null, tests: [], medicareTests: ["m"], practitioner };
  expect(itemsOfHalves(both, ["commercial"])).toEqual(commercial);
  expect(itemsOfHalves(both, ["medicare"])).toEqual(medicare);
  expect(itemsOfHalves(both, ["commercial", "medicare"])).toEqual(both);
  expect(itemsOfHalves(both, [])).toEqual(nothing);
});

test("sends the whole order, or the half that is missing", () => {
  expect(itemsToSend({ items: both, half: null })).toEqual(both);
  expect(itemsToSend({ items: both, half: "medicare" })).toEqual(itemsOfHalves(both, ["medicare"]));
});

test("tells the half of a referral by its billing", () => {
  expect(halfOf({ medicare: true })).toBe("medicare");
  expect(halfOf({ medicare: false })).toBe("commercial");
});

test("takes a referral for a further one when an earlier one of its half is there", () => {
  const first = sampleReferral({ uuid: "first" });
  const second = sampleReferral({ uuid: "second", serviceCreatedAt: later });
  expect(isFurther("second", [first, second])).toBe(true);
  expect(isFurther("first", [first, second])).toBe(false);
  expect(isFurther("unknown", [first, second])).toBe(false);
});

test("takes no referral for a further one because of itself, one of its moment or another half", () => {
  const first = sampleReferral({ uuid: "first" });
  expect(isFurther("first", [first])).toBe(false);
  expect(isFurther("first", [first, sampleReferral({ uuid: "twin" })])).toBe(false);
  const other = sampleReferral({ uuid: "other", medicare: true, serviceCreatedAt: later });
  expect(isFurther("other", [first, other])).toBe(false);
});
