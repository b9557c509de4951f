import { expect, test } from "vitest";
import { DAY, sampleReferral } from "../../../../test/samples/facts.ts";
import type { OrderedItems } from "../referral-service.ts";
import {
  isFurther,
  itemsOfParts,
  itemsToSend,
  partOfReferral,
  partsOfItems,
} from "./referral-parts.ts";

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
])("finds the referrals that an order of %s makes", (_, items, parts) => {
  expect(partsOfItems({ ...nothing, ...items })).toEqual(parts);
});

test("sends of a part nothing that belongs to the other", () => {
  const commercial = { bundleId: "b", tests: ["t"], medicareTests: [], practitioner: null };
  const medicare = { bundleId: null, tests: [], medicareTests: ["m"], practitioner };
  expect(itemsOfParts(both, ["commercial"])).toEqual(commercial);
  expect(itemsOfParts(both, ["medicare"])).toEqual(medicare);
  expect(itemsOfParts(both, ["commercial", "medicare"])).toEqual(both);
  expect(itemsOfParts(both, [])).toEqual(nothing);
});

test("sends the whole order, or the part that is missing", () => {
  expect(itemsToSend({ items: both, missingPart: null })).toEqual(both);
  expect(itemsToSend({ items: both, missingPart: "medicare" })).toEqual(
    itemsOfParts(both, ["medicare"]),
  );
});

test("tells the part of a referral by its billing", () => {
  expect(partOfReferral({ medicare: true })).toBe("medicare");
  expect(partOfReferral({ medicare: false })).toBe("commercial");
});

test("takes a referral for a further one when an earlier one of its missingPart is there", () => {
  const first = sampleReferral({ uuid: "first" });
  const second = sampleReferral({ uuid: "second", serviceCreatedAt: later });
  expect(isFurther("second", [first, second])).toBe(true);
  expect(isFurther("first", [first, second])).toBe(false);
  expect(isFurther("unknown", [first, second])).toBe(false);
});

test("takes no referral for a further one because of itself, one of its moment or another part", () => {
  const first = sampleReferral({ uuid: "first" });
  expect(isFurther("first", [first])).toBe(false);
  expect(isFurther("first", [first, sampleReferral({ uuid: "twin" })])).toBe(false);
  const other = sampleReferral({ uuid: "other", medicare: true, serviceCreatedAt: later });
  expect(isFurther("other", [first, other])).toBe(false);
});
