import { expect, test } from "vitest";
import { sampleRequest } from "../testing/sample-request.ts";
import { groupsOf, standApart } from "./unit-groups.ts";

const form = (id: string, part: "commercial" | "medicare" | null) => ({
  id,
  kind: "referral" as const,
  version: 1,
  partial: false,
  part,
  resultId: null,
});

test("a unit with one referral is one group", () => {
  const unit = sampleRequest({ state: "form_ready", documents: [form("f", null)], resultId: "r" });
  expect(groupsOf(unit)).toMatchObject([
    { part: null, state: "form_ready", resultId: "r", documents: [{ id: "f" }] },
  ]);
});

test("a unit with two referrals is one group for each, and nothing stands twice", () => {
  const groups = groupsOf(
    sampleRequest({
      state: "partial_results",
      resultId: "r",
      documents: [form("a", "medicare"), form("b", "commercial")],
      parts: [
        { part: "commercial", state: "results_ready", nextStep: null, resultId: "r" },
        { part: "medicare", state: "form_ready", nextStep: null, resultId: null },
      ],
    }),
  );
  expect(groups).toMatchObject([
    { part: "commercial", resultId: "r", documents: [{ id: "b" }] },
    { part: "medicare", resultId: null, documents: [{ id: "a" }] },
  ]);
  expect(standApart(groups)).toBe(true);
});

test("a result that came in before its referral is still to be found", () => {
  const groups = groupsOf(
    sampleRequest({
      resultId: "r",
      documents: [form("f", "commercial")],
      parts: [
        { part: "commercial", state: "form_ready", nextStep: null, resultId: null },
        { part: "medicare", state: "being_prepared", nextStep: null, resultId: null },
      ],
    }),
  );
  expect(groups.map(({ part, resultId }) => [part, resultId])).toEqual([
    [null, "r"],
    ["commercial", null],
    ["medicare", null],
  ]);
});
