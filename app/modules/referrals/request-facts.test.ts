import { expect, test } from "vitest";
import {
  DAY,
  sampleDocument,
  sampleReferral,
  sampleRequest,
  sampleResult,
} from "../../../test/samples/facts.ts";
import { sampleTenant } from "../../../test/samples/tenant.ts";
import type { RequestFacts } from "./customer-view.ts";
import { gatherFacts, isVisible } from "./request-facts.ts";

const form = sampleDocument();
const report = sampleDocument({ kind: "result", sourceUuid: "result" });
const facts = (fields: Partial<RequestFacts> = {}): RequestFacts => ({
  request: sampleRequest({ state: "created" }),
  referrals: [sampleReferral({ uuid: "other", deletedAt: DAY }), sampleReferral()],
  results: [sampleResult({ uuid: "held" }), sampleResult({ releasedAt: DAY })],
  documents: [form, report],
  ...fields,
});

test("shows the form of a referral that counts, and the report of a released result", () => {
  expect(isVisible(form, facts())).toBe(true);
  expect(isVisible(report, facts())).toBe(true);
});

test("shows no form that was replaced, is being replaced, or whose referral is deleted or unknown", () => {
  for (const fields of [
    { replacedBy: "next" },
    { deletedAt: DAY },
    { status: "SCHEDULED_REISSUE" },
  ])
    expect(isVisible(form, facts({ referrals: [sampleReferral(fields)] }))).toBe(false);
  expect(isVisible(form, facts({ referrals: [] }))).toBe(false);
  expect(isVisible({ ...form, sourceUuid: "other" }, facts())).toBe(false);
});

test("shows no report of a result that is held or unknown", () => {
  expect(isVisible({ ...report, sourceUuid: "held" }, facts())).toBe(false);
  expect(isVisible(report, facts({ results: [] }))).toBe(false);
});

test("takes no referral for a result, and no result for a referral, by their ids", () => {
  expect(isVisible({ ...form, sourceUuid: "result" }, facts())).toBe(false);
  expect(isVisible({ ...report, sourceUuid: "referral" }, facts())).toBe(false);
});

test("shows nothing of what was cancelled", () => {
  const request = sampleRequest({ state: "cancelled" });
  expect(isVisible(form, facts({ request }))).toBe(false);
  expect(isVisible(report, facts({ request }))).toBe(false);
});

test("gathers for each request what is its own", async () => {
  const [one, two] = [sampleRequest({ id: "one" }), sampleRequest({ id: "two" })];
  const asked: string[][] = [];
  const all =
    <T>(make: (fields: { requestId: string }) => T) =>
    async (ids: string[]) => {
      asked.push(ids);
      return [make({ requestId: "one" }), make({ requestId: "one" })];
    };
  const tenant = sampleTenant({
    referrals: { forRequests: all(sampleReferral) },
    results: { forRequests: all(sampleResult) },
    documents: { forRequests: all(sampleDocument) },
  });
  const found = await gatherFacts(tenant, [one, two]);
  expect(asked).toEqual([
    ["one", "two"],
    ["one", "two"],
    ["one", "two"],
  ]);
  expect(found.map(({ request }) => request)).toEqual([one, two]);
  const counts = found.map((of) => [of.referrals, of.results, of.documents].map((it) => it.length));
  expect(counts).toEqual([
    [2, 2, 2],
    [0, 0, 0],
  ]);
});

test("knows which parts of a request were ordered again, and asks about no other", async () => {
  const items = { bundleId: null, tests: ["fbc"], medicareTests: ["m"], practitioner: null };
  const again = sampleRequest({ id: "next", items: { ...items, tests: [] } });
  const asked: string[][] = [];
  const none = { forRequests: async () => [] };
  const tenant = sampleTenant({
    ...{ referrals: none, results: none, documents: none },
    requests: {
      async laterGenerations(ids) {
        asked.push(ids);
        return new Map([["one", [again]]]);
      },
    },
  });
  const one = sampleRequest({ id: "one", items, replacedBy: "next" });
  const facts = await gatherFacts(tenant, [one, sampleRequest({ id: "two" })]);
  expect(facts.map(({ orderedAgain }) => orderedAgain)).toEqual([["medicare"], []]);
  expect(asked).toEqual([["one"]]);
});

test("shows no report to an owner who wants it shown no more, and still the form", () => {
  const request = sampleRequest({ state: "created", resultsHiddenAt: DAY });
  expect(isVisible(report, facts({ request }))).toBe(false);
  expect(isVisible(form, facts({ request }))).toBe(true);
});
