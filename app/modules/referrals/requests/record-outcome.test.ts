/** Long because it goes through everything that an answer of the service can mean. */
import { describe, expect, test } from "vitest";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { DAY, sampleRequest } from "../../../../test/samples/facts.ts";
import { sampleLedger } from "../../../../test/samples/ledger.ts";
import type { CreateOutcome } from "../referral-service.ts";
import { REQUEST_STATES, type ReferralRequest } from "../request.ts";
import type { PatientOnRequest } from "../request-repository.ts";
import { recordOutcome } from "./record-outcome.ts";

const later = (ms: number) => new Date(DAY.getTime() + ms);
const NOW = later(60_000);
const PRACTITIONER = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
const medicare = { bundleId: null, tests: [], medicareTests: ["m"], practitioner: PRACTITIONER };

/** A request as its second attempt claimed it. */
const claimed = (fields: Partial<ReferralRequest> = {}) =>
  sampleRequest({
    ...{ state: "sending", attempt: 2, hasPatient: true, attemptStartedAt: DAY },
    ...{ attemptDeadlineAt: later(120_000), recoveryLowerBound: later(-1_000) },
    ...fields,
  });

/** Returns the row and its jobs after this outcome of the attempt that claimed the row. */
async function record(
  outcome: CreateOutcome,
  {
    claim = claimed(),
    row = claim as ReferralRequest | null,
    ...more
  }: { claim?: ReferralRequest; row?: ReferralRequest | null } & Partial<
    Parameters<typeof sampleLedger>[0]
  > = {},
) {
  const { tenant, seen } = sampleLedger({ request: row, ...more });
  const answer = await recordOutcome(tenant, claim, outcome, NOW);
  const notes = seen.notes.map(({ kind, detail }) => [kind, detail] as const);
  return { ...seen, answer, state: seen.row?.state, reviewReason: seen.row?.reviewReason, notes };
}

const rejected = (code = "INVALID_PAYLOAD"): CreateOutcome => ({
  ...{ kind: "rejected", status: 400, code, message: "", errorList: [] },
});
const unknown: CreateOutcome = { kind: "unknown", reason: "no answer" };
const notSent = (fields: Partial<Extract<CreateOutcome, { kind: "not_sent" }>> = {}) =>
  ({
    ...{ kind: "not_sent", reason: "refused", retryable: true, retryAfterMs: null },
    ...fields,
  }) as CreateOutcome;

const job = (name: string) => ({ name, shop: "one.myshopify.com", requestId: "request" });

describe("a refusal", () => {
  test("ends the attempt and says why", async () => {
    const { answer, state, reviewReason, notes, seenNote } = await withNote(rejected());
    expect(answer).toEqual({ kind: "rejected", code: "INVALID_PAYLOAD" });
    expect([state, reviewReason]).toEqual([
      "rejected",
      { code: "rejected", detail: "INVALID_PAYLOAD" },
    ]);
    expect(notes).toEqual([
      ["create_rejected", { attempt: 2, status: 400, code: "INVALID_PAYLOAD" }],
    ]);
    expect(seenNote).toMatchObject({
      actor: "service",
      at: NOW,
      orderId: claimed().orderId,
      requestId: "request",
    });
  });

  test("ends an attempt that has no deadline", async () => {
    const claim = claimed({ attemptDeadlineAt: null });
    expect((await record(rejected(), { claim })).state).toBe("rejected");
  });

  test("of a part leaves what the other part made", async () => {
    const claim = claimed({ missingPart: "medicare" });
    const { state, reviewReason } = await record(rejected(), { claim });
    expect([state, reviewReason]).toEqual([
      "created",
      { code: "half_rejected", detail: "INVALID_PAYLOAD" },
    ]);
  });

  test.each(["INVALID_PROVIDER_NUMBER", "MISSING_PROVIDER_SIGNATURE", "MISSING_PROVIDER_NUMBER"])(
    "of the practitioner (%s) is kept with them",
    async (code) => {
      const claim = claimed({ items: medicare });
      const { verdicts } = await record(rejected(code), { claim });
      expect(verdicts).toEqual([["2426621B", code, NOW]]);
    },
  );

  test("of anything else says nothing of a practitioner", async () => {
    const claim = claimed({ items: medicare });
    expect((await record(rejected(), { claim })).verdicts).toEqual([]);
    expect((await record(rejected("INVALID_PROVIDER_NUMBER"))).verdicts).toEqual([]);
  });

  test("of what nobody wants any more ends it", async () => {
    const claim = claimed({ cancellation: { requestedBy: "store", status: "requested" } });
    const { answer, state } = await record(rejected(), { claim });
    expect([answer, state]).toEqual([{ kind: "cancelled" }, "cancelled"]);
  });
});

async function withNote(outcome: CreateOutcome) {
  const { tenant, seen } = sampleLedger({ request: claimed() });
  const answer = await recordOutcome(tenant, claimed(), outcome, NOW);
  const notes = seen.notes.map(({ kind, detail }) => [kind, detail]);
  const { state, reviewReason } = seen.row ?? {};
  return { answer, state, reviewReason, notes, seenNote: seen.notes[0] };
}

describe("a call that never left", () => {
  test("is made again in half a minute", async () => {
    const { answer, state, reviewReason, jobs, notes } = await record(notSent());
    const until = later(90_000);
    expect(answer).toEqual({ kind: "postponed", until });
    expect([state, reviewReason]).toEqual(["ready", null]);
    expect(jobs).toEqual([{ job: job("create-referral"), startAfter: until }]);
    expect(notes).toEqual([
      ["create_not_sent", { attempt: 2, reason: "refused", retryable: true }],
    ]);
  });

  test.each([
    [60_000, 60_000],
    [5_001, 5_001],
    [0, 5_000],
  ])(
    "is made again when the service says (%i ms), in five seconds at the soonest",
    async (asked, waited) => {
      const { answer } = await record(notSent({ retryAfterMs: asked }));
      expect(answer).toEqual({ kind: "postponed", until: new Date(NOW.getTime() + waited) });
    },
  );

  test("needs a person when trying again cannot help", async () => {
    const { answer, state, reviewReason, jobs } = await record(notSent({ retryable: false }));
    expect(answer).toEqual({ kind: "postponed", until: null });
    expect([state, reviewReason]).toEqual(["ready", { code: "not_sent", detail: "refused" }]);
    expect(jobs).toEqual([]);
  });

  test("for want of a connection is made again once there is one", async () => {
    const outcome = notSent({ reason: "no_connection", retryable: false });
    const there = await record(outcome);
    expect([there.reviewReason, there.jobs.length]).toEqual([null, 1]);
    const none = await record(outcome, { connection: null });
    expect([none.reviewReason, none.jobs]).toEqual([
      { code: "not_sent", detail: "no_connection" },
      [],
    ]);
  });

  test("for want of a connection waits for the app to come back", async () => {
    const outcome = notSent({ reason: "no_connection" });
    for (const shop of [{ installed: false }, null]) {
      const { answer, state, reviewReason, jobs } = await record(outcome, { shop });
      expect(answer).toEqual({ kind: "postponed", until: null });
      expect([state, reviewReason, jobs]).toEqual(["ready", null, []]);
    }
  });

  test("for keys that are shut needs a person, and is made again in half an hour", async () => {
    const outcome = notSent({ reason: "connection_unreadable", retryable: false });
    const { answer, state, reviewReason, jobs } = await record(outcome);
    const until = new Date(NOW.getTime() + 1_800_000);
    expect(answer).toEqual({ kind: "postponed", until });
    expect([state, reviewReason]).toEqual([
      "ready",
      { code: "not_sent", detail: "connection_unreadable" },
    ]);
    expect(jobs).toEqual([{ job: job("create-referral"), startAfter: until }]);
  });

  test("of what nobody wants any more ends it", async () => {
    const claim = claimed({ cancellation: { requestedBy: "staff", status: "confirmed" } });
    const { answer, state, jobs } = await record(notSent(), { claim });
    expect([answer, state, jobs]).toEqual([{ kind: "cancelled" }, "cancelled", []]);
  });
});

test("looks for what became of a call whose answer never came", async () => {
  const { answer, state, jobs, notes } = await record(unknown);
  expect([answer, state]).toEqual([{ kind: "ambiguous" }, "ambiguous"]);
  expect(jobs).toEqual([{ job: job("resolve-ambiguous") }]);
  expect(notes).toEqual([["create_unknown", { attempt: 2, reason: "no answer" }]]);
});

test("looks no sooner than the service asked for, after an answer that proves nothing", async () => {
  const { jobs } = await record({ kind: "unknown", reason: "429", retryAfterMs: 7_000 });
  const startAfter = new Date(NOW.getTime() + 7_000);
  expect(jobs).toEqual([{ job: job("resolve-ambiguous"), startAfter }]);
});

test("keeps what a person was told until a report says otherwise", async () => {
  const claim = claimed({ reviewReason: { code: "duplicate_referral", detail: null } });
  expect((await record(unknown, { claim })).reviewReason).toEqual({
    code: "duplicate_referral",
    detail: null,
  });
  expect((await record(notSent(), { claim })).reviewReason).toBeNull();
});

describe("a report about an attempt", () => {
  const REPORTS = [rejected(), notSent(), unknown];

  test.each(REPORTS)("that is no longer the latest changes nothing ($kind)", async (outcome) => {
    const row = claimed({ attempt: 3 });
    const { row: left, jobs, answer } = await record(outcome, { row });
    expect(left).toEqual(row);
    if (outcome.kind === "not_sent") expect([answer, jobs]).toEqual([{ kind: "not_due" }, []]);
  });

  test.each(REQUEST_STATES.filter((state) => state !== "sending"))(
    "that has ended already changes nothing (%s)",
    async (state) => {
      const row = claimed({ state });
      for (const outcome of REPORTS) expect((await record(outcome, { row })).row).toEqual(row);
    },
  );

  test.each(REPORTS)(
    "of which another row has the number changes nothing ($kind)",
    async (outcome) => {
      const row = claimed({ attemptDeadlineAt: later(130_000) });
      expect((await record(outcome, { row })).row).toEqual(row);
    },
  );

  test("whose request is gone changes nothing", async () => {
    for (const outcome of REPORTS) expect((await record(outcome, { row: null })).row).toBeNull();
  });
});

describe("an attempt that a restore has forgotten", () => {
  const restored = (fields: Partial<ReferralRequest> = {}) =>
    claimed({
      ...{ state: "ready", attempt: 1, attemptStartedAt: null, attemptDeadlineAt: null },
      ...{
        recoveryLowerBound: null,
        emptyScans: 1,
        reviewReason: { code: "not_sent", detail: "x" },
      },
      ...fields,
    });

  test.each(["ready", "held", "rejected", "sending", "ambiguous"] as const)(
    "is looked for as any other when its end is unknown (%s)",
    async (state) => {
      const { row } = await record(unknown, { row: restored({ state }) });
      expect(row).toEqual(claimed({ state: "ambiguous" }));
    },
  );

  test.each(["awaiting_details", "created", "cancelled"] as const)(
    "is left alone where nothing would be sent (%s)",
    async (state) => {
      const row = restored({ state });
      expect((await record(unknown, { row })).row).toEqual(row);
    },
  );

  test("is left alone without its patient", async () => {
    const row = restored({ hasPatient: false });
    expect((await record(unknown, { row })).row).toEqual(row);
  });

  test("is told by its number, though the deadline be the same", async () => {
    const { attemptDeadlineAt } = claimed();
    const { row } = await record(unknown, { row: restored({ attemptDeadlineAt }) });
    expect(row).toEqual(claimed({ state: "ambiguous" }));
  });

  test("keeps what the row knows where the claim knows nothing", async () => {
    const known = {
      attemptStartedAt: later(1),
      attemptDeadlineAt: later(2),
      recoveryLowerBound: later(3),
    };
    const claim = claimed({
      attemptStartedAt: null,
      attemptDeadlineAt: null,
      recoveryLowerBound: null,
    });
    const { row } = await record(unknown, { claim, row: restored(known) });
    expect(row).toMatchObject({ ...known, state: "ambiguous", attempt: 2 });
  });

  test.each([rejected(), notSent()])("ends by no other report ($kind)", async (outcome) => {
    const row = restored({ state: "sending" });
    expect((await record(outcome, { row })).row).toEqual(row);
  });
});

describe("what exists", () => {
  const created = (isMedicare: boolean): CreateOutcome => ({
    kind: "created",
    referrals: ["a", "b"].map((uuid) =>
      referralSnapshot({ uuid, medicare: isMedicare, referenceNumber: claimed().referenceNumber }),
    ),
  });

  test("is linked and noted, whatever is known of the attempt", async () => {
    for (const row of [claimed(), claimed({ attempt: 9 }), claimed({ state: "ready" })]) {
      const { answer, state, notes, referrals, jobs } = await record(created(false), { row });
      expect(answer).toEqual({ kind: "created", uuids: ["a", "b"] });
      expect(state).toBe("created");
      expect(notes).toContainEqual(["create_succeeded", { attempt: 2, uuids: "a b" }]);
      expect(referrals.map(({ uuid }) => uuid)).toEqual(["a", "b"]);
      expect(jobs.map(({ job: { name } }) => name)).toEqual([
        "refetch-referral",
        "refetch-referral",
      ]);
    }
  });

  test("is told with the status that it came with, where that is news", async () => {
    const { referenceNumber } = claimed();
    const referral = referralSnapshot({ uuid: "a", status: "BILLING_FAILED", referenceNumber });
    const { tenant, seen } = sampleLedger({ request: claimed() });
    await recordOutcome(tenant, claimed(), { kind: "created", referrals: [referral] }, NOW);
    expect(seen.notes).toContainEqual({
      ...{ kind: "referral_status", actor: "service", at: NOW },
      ...{ orderId: claimed().orderId, requestId: "request" },
      detail: { attempt: 2, uuid: "a", from: null, to: "BILLING_FAILED" },
    });
  });

  test("is kept in mind when its request is gone", async () => {
    const { unclaimed } = await record(created(false), { row: null });
    const own = ["a", "b"].map((uuid) => ({ uuid, referenceNumber: "PW1-ABC" }));
    expect(unclaimed).toEqual([["staging", own]]);
  });

  describe("and does not name its request", () => {
    const own = referralSnapshot({ uuid: "own", referenceNumber: claimed().referenceNumber });
    const unnamed = { referenceNumber: null, metadata: null };
    const others = { ...own.person, firstName: "Grace", lastName: "Hopper" };
    const anothers = { ...unnamed, referenceNumber: "PW1001-0123456789AB" };
    const patient = { patient: own.person, medicare: null } as PatientOnRequest;

    test.each([
      ["is believed where it is for the same person", unnamed, true],
      ["is left out where it is for somebody else", { ...unnamed, person: others }, false],
      ["is left out where it names another test of the same person", anothers, false],
    ])("%s", async (_, fields, isOwn) => {
      const strange = referralSnapshot({ uuid: "strange", ...fields });
      const both: CreateOutcome = { kind: "created", referrals: [own, strange] };
      const uuids = isOwn ? ["own", "strange"] : ["own"];
      const { answer, referrals } = await record(both, { patient });
      expect(answer).toEqual({ kind: "created", uuids });
      expect(referrals.map(({ uuid }) => uuid)).toEqual(uuids);
      // Alone, it proves something only where it is believed.
      const alone = await record({ kind: "created", referrals: [strange] }, { patient });
      expect([alone.answer.kind, alone.state]).toEqual(
        isOwn ? ["created", "created"] : ["ambiguous", "ambiguous"],
      );
    });

    test("is believed where nobody knows the patient any more", async () => {
      const strange = referralSnapshot({ uuid: "strange", ...unnamed, person: others });
      const { answer } = await record({ kind: "created", referrals: [strange] });
      expect(answer).toEqual({ kind: "created", uuids: ["strange"] });
    });
  });

  test("clears its practitioner of what was said, if it was a Medicare referral", async () => {
    const claim = claimed({ items: medicare });
    expect((await record(created(true), { claim })).verdicts).toEqual([["2426621B", null, NOW]]);
    expect((await record(created(false), { claim })).verdicts).toEqual([]);
    expect((await record(created(true))).verdicts).toEqual([]);
    const { referenceNumber } = claim;
    const both = [true, false].map((isMedicare) =>
      referralSnapshot({ medicare: isMedicare, referenceNumber }),
    );
    const { verdicts } = await record({ kind: "created", referrals: both }, { claim });
    expect(verdicts).toEqual([["2426621B", null, NOW]]);
  });
});
