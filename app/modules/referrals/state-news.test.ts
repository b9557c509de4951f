import { expect, test } from "vitest";
import { DAY, sampleReferral, sampleResult } from "../../../test/samples/facts.ts";
import { isOldBesideResults } from "./state-news.ts";

const [first, second, held] = ["00000000-1", "00000000-2", "00000000-3"];
const commercial = sampleReferral({ uuid: first, status: "ISSUED" });
const medicare = sampleReferral({ uuid: second, status: "ISSUED", medicare: true });
const complete = sampleResult({ referralUuid: first, releasedAt: DAY });
const isOld = (
  [kind, occurrence = ""]: [kind: "form_ready" | "form_corrected" | "state_changed", of?: string],
  referrals = [commercial, medicare],
  results = [complete],
) => isOldBesideResults({ requestId: "request", kind, occurrence }, { referrals, results });

test.each([
  ["state_changed", "cancelled 2026-11-20"],
  ["state_changed", "resumed 2026-11-20"],
  ["form_ready"],
  ["form_corrected", "2"],
] as const)("%s %s is old where no form of the test is of use any more", (...due) => {
  expect(isOld([...due])).toBe(false);
  expect(isOld([...due], [commercial])).toBe(true);
  for (const status of ["CREATED", "BILLING_FAILED", "COMPLETE"])
    expect(isOld([...due], [commercial, { ...medicare, status }])).toBe(true);
  const replaced = { ...medicare, replacedBy: "another" };
  expect(isOld([...due], [commercial, replaced])).toBe(true);
});

test("a form that is named is told by itself", () => {
  expect(isOld(["form_ready", second])).toBe(false);
  expect(isOld(["form_corrected", `${second} 2`])).toBe(false);
  expect(isOld(["form_ready", first])).toBe(true);
  expect(isOld(["form_corrected", `${first} 2`])).toBe(true);
});

test("a result that is to come is told beside another one, and not once it is there", () => {
  const to = sampleResult({ uuid: held, referralUuid: second, releasedAt: null });
  const news = ["state_changed", `in_review ${held} 2026-11-20`] as ["state_changed", string];
  expect(isOld(news, undefined, [complete, to])).toBe(false);
  expect(isOld(news, undefined, [complete, { ...to, partial: true }])).toBe(false);
  expect(isOld(news, undefined, [complete, { ...to, releasedAt: DAY }])).toBe(true);
  expect(isOld(news, undefined, [complete, { ...to, otherPerson: true }])).toBe(true);
  expect(isOld(news, undefined, [complete])).toBe(true);
});
