import { describe, expect, test } from "vitest";
import {
  DAY,
  sampleDocument,
  sampleReferral,
  sampleRequest,
  sampleResult,
} from "../../../test/samples/facts.ts";
import type { RequestFacts } from "./customer-view.ts";
import { customerState, statusesOf } from "./customer-view.ts";
import { partOf, partsOf } from "./unit-parts.ts";

const items = { bundleId: null, tests: ["fbc"], medicareTests: ["iron"], practitioner: null };
const request = sampleRequest({ state: "created", items });
const single = sampleRequest({ state: "created" });
const commercial = sampleReferral({ uuid: "c" });
const medicare = sampleReferral({ uuid: "m", medicare: true, status: "COMPLETE" });
const facts = (fields: Partial<RequestFacts> = {}): RequestFacts => ({
  request,
  referrals: [commercial, medicare],
  results: [],
  documents: [],
  ...fields,
});

test("tells of each part what came of it alone", () => {
  const results = [sampleResult({ referralUuid: "m", releasedAt: DAY })];
  const documents = [sampleDocument({ sourceUuid: "c" })];
  expect(partsOf(facts({ results, documents }))).toEqual([
    {
      part: "commercial",
      state: "form_ready",
      nextStep: "Open the referral form and take it to a collection centre.",
      isForToday: false,
      statuses: ["ISSUED"],
    },
    {
      part: "medicare",
      state: "results_ready",
      nextStep: "Your results are ready.",
      isForToday: false,
      statuses: ["COMPLETE"],
      resultId: "result",
    },
  ]);
});

test("says of each part what comes next of it, whatever came of the other", () => {
  const taken = sampleResult({ uuid: "r1", referralUuid: "c", deletedAt: DAY });
  const shown = sampleResult({ uuid: "r2", referralUuid: "m", releasedAt: DAY });
  const [commercialPart, medicarePart] = partsOf(facts({ results: [taken, shown] }));
  expect(commercialPart?.nextStep).toMatch(/^The results were taken back\./);
  expect(medicarePart?.nextStep).toBe("Your results are ready.");
  const [, reported] = partsOf(facts({ results: [{ ...shown, referralUuid: "c" }] }));
  expect(reported?.nextStep).toMatch(/^The laboratory has reported\./);
});

test("asks to ring about the part whose result is held, and not about the other", () => {
  const held = sampleResult({ uuid: "r1", referralUuid: "c" });
  const shown = sampleResult({ uuid: "r2", referralUuid: "m", releasedAt: DAY });
  const contact = { name: "Nurse Kim", phone: "02 5550 9999" };
  const toRing = { uuids: new Set(["r1"]), contact };
  const [commercialPart, medicarePart] = partsOf(facts({ results: [held, shown], toRing }));
  expect(commercialPart?.nextStep).toMatch(
    /Please ring Nurse Kim today: 02 5550 9999\. If nobody answers or you feel unwell,/,
  );
  expect(medicarePart?.nextStep).toBe("Your results are ready.");
  expect([commercialPart?.isForToday, medicarePart?.isForToday]).toEqual([true, false]);
});

test("asks to open the part today whose result is critical, and not the other", () => {
  const urgent = { ...request, resultReason: "urgent_result_shown" } as const;
  const results = [
    sampleResult({ uuid: "r1", referralUuid: "c", releasedAt: DAY }),
    sampleResult({ uuid: "r2", referralUuid: "m", releasedAt: DAY }),
  ];
  const known = facts({ request: urgent, results, critical: new Set(["r2"]) });
  expect(partsOf(known).map(({ isForToday }) => isForToday)).toEqual([false, true]);
});

test("gives the words of what is for today apart, and none for the other part", () => {
  const urgent = { ...request, resultReason: "urgent_result_shown" } as const;
  const results = [sampleResult({ referralUuid: "m", releasedAt: DAY })];
  const [commercialPart, medicarePart] = partsOf(facts({ request: urgent, results }));
  expect(medicarePart?.today).toBe("Please open your results today and read the note at the top.");
  expect(commercialPart).not.toHaveProperty("today");
});

test("names the statuses of referrals that count still", () => {
  const former = sampleReferral({ uuid: "c0", status: "FAILED_TEST", replacedBy: "c" });
  const [part] = partsOf(facts({ referrals: [former, commercial, medicare] }));
  expect(part?.statuses).toEqual(["ISSUED"]);
});

test("tells of a part that is still to be made that it is prepared", () => {
  const [, part] = partsOf(facts({ referrals: [commercial] }));
  expect(part).toMatchObject({ part: "medicare", state: "being_prepared", statuses: [] });
});

test("tells of a part that the service refused, and nobody has sent since, that it needs the shop", () => {
  const half = { ...request, missingPart: "medicare" } as const;
  const documents = [sampleDocument({ sourceUuid: "c" })];
  const waiting = facts({ request: half, referrals: [commercial], documents });
  expect(partsOf(waiting)).toMatchObject([
    { part: "commercial", state: "form_ready" },
    {
      part: "medicare",
      state: "needs_support",
      nextStep: expect.stringMatching(/^Something needs our attention .* contact the shop\.$/),
    },
  ]);
  // Sent again, it is on its way.
  const again = facts({ request: { ...half, state: "ready" }, referrals: [commercial] });
  expect(partsOf(again)[1]?.state).toBe("being_prepared");
});

test("says of the part alone that is not ordered yet that it is delayed", () => {
  const half = { ...request, state: "ambiguous", missingPart: "medicare" } as const;
  const known = facts({ request: half, referrals: [commercial], isDelayed: true });
  expect(partsOf(known).map(({ nextStep }) => nextStep)).toEqual([
    "We are preparing the referral form. You don’t need to do anything.",
    expect.stringMatching(/^We can’t go on with this test yet,/),
  ]);
  const { isDelayed: _, ...untold } = known;
  for (const { nextStep } of partsOf(untold)) expect(nextStep).toMatch(/^We are preparing/);
});

test("leads to the results of a part whose referral is gone, though the shop has yet to send it again", () => {
  const half = { ...request, missingPart: "medicare" } as const;
  const deleted = { ...medicare, deletedAt: DAY };
  const results = [sampleResult({ referralUuid: "m", releasedAt: DAY })];
  const [, part] = partsOf(facts({ request: half, referrals: [commercial, deleted], results }));
  expect(part).toMatchObject({ state: "results_ready", resultId: "result" });
});

test("counts no unit as ready of which a part was refused", () => {
  const half = { ...request, missingPart: "medicare" } as const;
  const results = [sampleResult({ referralUuid: "c", releasedAt: DAY })];
  const known = facts({ request: half, referrals: [commercial], results });
  expect(customerState(known)).toBe("partial_results");
  expect(partsOf(known).map(({ state }) => state)).toEqual(["results_ready", "needs_support"]);
  // Its replacement tells of it.
  const elsewhere = { ...known, orderedAgain: ["medicare"] as const };
  expect(customerState(elsewhere)).toBe("results_ready");
  expect(partsOf(elsewhere).map(({ part }) => part)).toEqual(["commercial"]);
});

describe("a part that was ordered again", () => {
  const former = sampleReferral({
    uuid: "m0",
    medicare: true,
    status: "FAILED_TEST",
    replacedBy: "next",
  });
  const again = (fields: Partial<RequestFacts> = {}) =>
    partsOf(
      facts({
        request: { ...request, replacedBy: "next" },
        referrals: [commercial, former],
        orderedAgain: ["medicare"],
        ...fields,
      }),
    ).map(({ part, state }) => [part, state]);

  test("is told of by its replacement alone", () => {
    const documents = [sampleDocument({ sourceUuid: "c" })];
    expect(again({ documents })).toEqual([["commercial", "form_ready"]]);
    expect(again({ referrals: [former], orderedAgain: ["commercial", "medicare"] })).toEqual([]);
  });

  test("stays for what came of it: to be opened, to be waited for, or not to be gone by", () => {
    const came = (fields: Parameters<typeof sampleResult>[0]) =>
      again({ results: [sampleResult({ referralUuid: "m0", ...fields })] })[1];
    expect(came({ releasedAt: DAY })).toEqual(["medicare", "results_ready"]);
    expect(came({})).toEqual(["medicare", "in_review"]);
    expect(came({ deletedAt: DAY })).toEqual(["medicare", "needs_support"]);
  });

  test("stays while a referral of it counts, or the part is another one", () => {
    expect(again({ referrals: [commercial, former, medicare] })[1]?.[0]).toBe("medicare");
    expect(again({ orderedAgain: ["commercial"] })).toEqual([
      ["commercial", "being_prepared"],
      ["medicare", "being_prepared"],
    ]);
  });
});

test("has no parts of a unit with one referral, before one exists, and once it is cancelled", () => {
  expect(partsOf(facts({ request: single }))).toEqual([]);
  expect(partsOf(facts({ referrals: [] }))).toEqual([]);
  expect(partsOf(facts({ request: { ...request, state: "cancelled" } }))).toEqual([]);
});

test("says which part a referral is", () => {
  expect(partOf(facts(), "c")).toBe("commercial");
  expect(partOf(facts(), "m")).toBe("medicare");
  expect(partOf(facts(), "unknown")).toBeNull();
  expect(partOf(facts({ request: single }), "c")).toBeNull();
});

test("tells no status of a unit whose form is closed", () => {
  expect(statusesOf(facts())).toEqual(["ISSUED", "COMPLETE"]);
  const cancellation = { requestedBy: "store", status: "requested" } as const;
  const closed = sampleRequest({ state: "created", items, cancellation });
  expect(statusesOf(facts({ request: closed }))).toEqual([]);
});
