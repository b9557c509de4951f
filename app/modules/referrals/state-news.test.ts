/** Long because it says of every news of a test while it is still true. */
import { describe, expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest, sampleResult } from "../../../test/samples/facts.ts";
import { sampleLedger } from "../../../test/samples/ledger.ts";
import type { NotedMail } from "../kernel/notification.ts";
import type { RequestFacts } from "./customer-view.ts";
import { plainReason } from "./review-reason.ts";
import { REFERRAL_STATUSES } from "./snapshots.ts";
import {
  announceReferral,
  isOldBesideResults,
  isStillTrue,
  newsOfStatus,
  STATE_NEWS,
  STOPS_FORM,
  type StateNews,
} from "./state-news.ts";
import { isFormHeldBack } from "./status.ts";

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
  ["state_changed", "paused 2026-11-20"],
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
  expect(isOld(news, undefined, [complete, { ...to, deletedAt: DAY }])).toBe(true);
  expect(isOld(news, undefined, [complete])).toBe(true);
});

test.each([
  `failed ${second} 2026-11-20`,
  `taken_back ${held} 2026-11-20`,
  `teleported ${second} 2026-11-20`,
])("news of no form and no result that is to come is told beside results: %s", (occurrence) => {
  expect(isOld(["state_changed", occurrence])).toBe(false);
});

const REQUESTED = { requestedBy: "store", status: "requested" } as const;
const CONFIRMED = { requestedBy: "staff", status: "confirmed" } as const;
const OF_RESULTS = ["in_review", "partial", "new_figures", "changed_in_review", "taken_back"];
const asked = (change: Parameters<typeof sampleRequest>[0] = {}) =>
  sampleRequest({ state: "created", ...change });
/** All news that is still true of a test. */
const newsTrueOf = (fields: Partial<RequestFacts>): StateNews[] => {
  const facts = { request: asked(), referrals: [commercial], results: [], documents: [] };
  return STATE_NEWS.filter((news) => isStillTrue(news, { ...facts, ...fields }));
};
const gone = { ...commercial, deletedAt: DAY };

describe("news of a test is still true", () => {
  test("of a cancelled one: that it was cancelled, and nothing else", () => {
    const request = sampleRequest({ state: "cancelled" });
    const failed = sampleReferral({ status: "FAILED_TEST" });
    const results = [complete, sampleResult({ partial: true, releasedAt: DAY, uuid: held })];
    expect(newsTrueOf({ request, referrals: [gone, failed], results })).toEqual(["cancelled"]);
  });

  test("of one that the service did not delete: that it was cancelled, and not that it is paused", () => {
    const reviewReason = plainReason("withdrawal_refused");
    const request = asked({ cancellation: REQUESTED, reviewReason });
    expect(newsTrueOf({ request })).toEqual(["cancelled"]);
  });

  test("of one that the store took back: that it is paused, until it has results or no referral", () => {
    const request = asked({ cancellation: REQUESTED });
    expect(newsTrueOf({ request })).toEqual(["paused"]);
    expect(newsTrueOf({ request, results: [sampleResult()] })).not.toContain("paused");
    expect(newsTrueOf({ request, referrals: [gone] })).toEqual(["deleted"]);
    expect(newsTrueOf({ request, referrals: [gone, medicare] })).toContain("paused");
  });

  test("of one that goes on: that it does, and that its form can be used", () => {
    expect(newsTrueOf({})).toEqual(["resumed", "form_back"]);
    expect(newsTrueOf({ request: asked({ cancellation: REQUESTED, kept: true }) })).toEqual([
      "resumed",
      "form_back",
    ]);
    expect(newsTrueOf({ request: asked({ cancellation: CONFIRMED }) })).toEqual([]);
    expect(newsTrueOf({ request: sampleRequest({ state: "ready" }), referrals: [] })).toEqual([]);
  });

  test("of a form that is gone: of one, or of the whole test", () => {
    expect(newsTrueOf({ referrals: [gone] })).toEqual(["resumed", "deleted"]);
    expect(newsTrueOf({ referrals: [gone, medicare] })).toEqual([
      "resumed",
      "form_gone",
      "form_back",
    ]);
    // Another was made in its place, or ordered.
    const replaced = { ...commercial, replacedBy: "next" };
    expect(newsTrueOf({ referrals: [replaced] })).toEqual(["resumed"]);
  });

  test("of a form: not once all results of it can be read, and still while some cannot", () => {
    const failed = sampleReferral({ uuid: second, status: "FAILED_TEST" });
    expect(newsTrueOf({ referrals: [failed] })).toEqual(["resumed", "failed"]);
    const ofFailed = sampleResult({ referralUuid: second, releasedAt: DAY });
    expect(newsTrueOf({ referrals: [failed], results: [ofFailed] })).not.toContain("failed");
    for (const result of [{ ...ofFailed, partial: true }, complete])
      expect(newsTrueOf({ referrals: [failed], results: [result] })).toContain("failed");
    const unseen = { ...ofFailed, releasedAt: null };
    expect(newsTrueOf({ referrals: [failed], results: [unseen] })).toContain("failed");
    // The part that was deleted had its results.
    for (const referrals of [[gone], [gone, medicare]]) {
      const told = newsTrueOf({ referrals, results: [complete] });
      expect(told).not.toContain("deleted");
      expect(told).not.toContain("form_gone");
    }
  });

  test("that a form can be used: while it is open, made, and not held back", () => {
    for (const status of ["CREATED", "PENDING_VERIFICATION", "COMPLETE", "SCHEDULED_REISSUE"])
      expect(newsTrueOf({ referrals: [{ ...commercial, status }] })).not.toContain("form_back");
    const another = { ...commercial, otherPerson: true };
    expect(newsTrueOf({ referrals: [another] })).not.toContain("form_back");
    expect(newsTrueOf({ results: [complete] })).not.toContain("form_back");
  });

  test("of a status: while a referral that counts has it", () => {
    const failed = { ...commercial, status: "FAILED_TEST" };
    expect(newsTrueOf({ referrals: [medicare, failed] })).toContain("failed");
    expect(newsTrueOf({ referrals: [medicare, failed] })).not.toContain("refunded");
    const replaced = { ...failed, replacedBy: "next" };
    expect(newsTrueOf({ referrals: [medicare, replaced] })).not.toContain("failed");
  });

  test("of results: as they can be read, wait, or were taken back", () => {
    const ofResults = (...results: RequestFacts["results"]) =>
      newsTrueOf({ results }).filter((news) => OF_RESULTS.includes(news));
    const waiting = sampleResult({ uuid: held });
    const inReview = ["in_review", "changed_in_review"];
    expect(ofResults()).toEqual([]);
    expect(ofResults(waiting)).toEqual(inReview);
    expect(ofResults({ ...waiting, partial: true })).toEqual(inReview);
    expect(ofResults({ ...waiting, otherPerson: true })).toEqual([]);
    expect(ofResults(complete)).toEqual(["new_figures"]);
    expect(ofResults({ ...complete, partial: true })).toEqual(["partial", "new_figures"]);
    expect(ofResults({ ...complete, partial: true }, waiting)).toEqual([
      ...["in_review", "partial", "new_figures", "changed_in_review"],
    ]);
    const taken = sampleResult({ referralUuid: second, deletedAt: DAY });
    expect(ofResults(taken)).toEqual(["taken_back"]);
    expect(ofResults(taken, complete)).toEqual(["new_figures", "taken_back"]);
    // Another one is shown instead.
    expect(ofResults(taken, { ...complete, referralUuid: second })).toEqual(["new_figures"]);
    expect(ofResults(taken, { ...waiting, referralUuid: second })).toContain("taken_back");
  });

  test("of hidden results: none, though news of the form is", () => {
    const request = asked({ resultsHiddenAt: DAY });
    const taken = sampleResult({ referralUuid: second, deletedAt: DAY });
    const results = [{ ...complete, partial: true }, sampleResult({ uuid: held }), taken];
    expect(newsTrueOf({ request, results })).toEqual(["resumed", "form_back"]);
  });
});

test("news of a status names what the patient is told, and of a strange one that nobody knows it", () => {
  expect(newsOfStatus("REFUNDED")).toBe("refunded");
  expect(newsOfStatus("FAILED_TEST")).toBe("failed");
  expect(newsOfStatus("INSUFFICIENT_DATA")).toBe("insufficient");
  expect(newsOfStatus("BILLING_FAILED")).toBe("billing");
  expect(newsOfStatus("TRANSFERRED")).toBe("transferred");
  expect(newsOfStatus("PENDING_VERIFICATION")).toBe("verification");
  for (const status of ["CREATED", "ISSUED", "SCHEDULED_REISSUE", "PARTIAL_RESULTS", "COMPLETE"])
    expect(newsOfStatus(status)).toBeNull();
  expect(newsOfStatus("TELEPORTED")).toBe("unknown");
});

test("a patient reads first that a form is of no use, whatever other forms are ready", () => {
  for (const status of REFERRAL_STATUSES) {
    const news = newsOfStatus(status);
    // A referral that is being verified has no form yet (interface §3).
    if (news === null || news === "verification") continue;
    expect(isFormHeldBack({ status, otherPerson: false })).toBe(true);
    expect(STOPS_FORM.has(news)).toBe(true);
  }
  for (const news of ["cancelled", "paused", "deleted", "form_gone", "unknown"] as const)
    expect(STOPS_FORM.has(news)).toBe(true);
  for (const news of ["resumed", "form_back", "verification", "in_review", "partial"] as const)
    expect(STOPS_FORM.has(news)).toBe(false);
});

describe("the owner is emailed about a referral", () => {
  const NOW = new Date("2026-11-21T00:00:00Z");
  const mail = (occurrence: string, sentAt: number | null, kind = "state_changed" as const) => ({
    ...{ requestId: "request", kind, occurrence, notedAt: DAY, recipient: null },
    sentAt: sentAt === null ? null : new Date(DAY.getTime() + sentAt),
  });
  const tell = async (news: StateNews, ...mails: NotedMail[]) => {
    const { tenant, seen } = sampleLedger({ request: asked(), mails });
    await announceReferral(tenant, news, { requestId: "request", uuid: first, now: NOW });
    return seen;
  };
  const fresh = `failed ${first} ${NOW.toISOString()}`;
  const job = (occurrence: string) => ({
    ...{ name: "send-mail", shop: "one.myshopify.com" },
    ...{ requestId: "request", kind: "state_changed", occurrence },
  });

  test("once for what they have not heard", async () => {
    const { due, jobs } = await tell("failed");
    expect(due.map(({ occurrence }) => occurrence)).toEqual([fresh]);
    expect(jobs).toEqual([{ job: job(fresh) }]);
  });

  test("not when that is what they heard of it last", async () => {
    const told = mail(`failed ${first} 1`, 1);
    expect((await tell("failed", told)).jobs).toEqual([]);
    const other = mail(`refunded ${first} 2`, 2);
    for (const mails of [
      [told, other],
      [other, told],
    ])
      expect((await tell("failed", ...mails)).jobs).toHaveLength(1);
    expect((await tell("refunded", told, other)).jobs).toEqual([]);
  });

  test("whatever they heard of another referral, or of other mails", async () => {
    expect((await tell("failed", mail(`failed ${second} 1`, 1))).jobs).toHaveLength(1);
    const { due } = await tell("failed", mail(`failed ${second} 1`, null));
    expect(due.map(({ occurrence }) => occurrence)).toEqual([fresh]);
  });

  test("by the mail that waits to tell it, where there is one", async () => {
    const { due, jobs } = await tell("failed", mail(`failed ${first} 1`, null));
    expect(due).toEqual([]);
    expect(jobs).toEqual([{ job: job(`failed ${first} 1`) }]);
    const sent = [mail(`failed ${first} 1`, 1), mail(`refunded ${first} 2`, 2)];
    expect((await tell("failed", ...sent)).due).toHaveLength(1);
    expect((await tell("failed", mail(`refunded ${first} 1`, null))).due).toHaveLength(1);
  });

  test("that its form can be used again, once it stays so, and where they had heard that it can’t", async () => {
    expect((await tell("form_back")).jobs).toEqual([]);
    expect((await tell("form_back", mail(`failed ${first} 1`, null))).jobs).toEqual([]);
    const { jobs } = await tell("form_back", mail(`failed ${first} 1`, 1));
    expect(jobs).toMatchObject([{ startAfter: new Date(NOW.getTime() + 10 * 60_000) }]);
    expect((await tell("form_back", mail(`form_back ${first} 1`, 1))).jobs).toEqual([]);
  });

  test("that its form can be used again, unless a mail about that form waits to be sent", async () => {
    const heard = mail(`failed ${first} 1`, 1);
    const form = (kind: "form_ready" | "form_corrected", occurrence: string, sent: number | null) =>
      tell("form_back", heard, { ...mail(occurrence, sent), kind });
    expect((await form("form_ready", "", null)).jobs).toEqual([]);
    expect((await form("form_corrected", `${first} 2`, null)).jobs).toEqual([]);
    expect((await form("form_ready", second, null)).jobs).toHaveLength(1);
    expect((await form("form_ready", "", 2)).jobs).toHaveLength(1);
    const waiting = { ...mail("", null), kind: "form_ready" } as const;
    expect((await tell("failed", waiting)).jobs).toHaveLength(1);
  });
});
