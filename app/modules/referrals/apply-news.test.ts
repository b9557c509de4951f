/** Long because it tells what the owner and the store hear of every event that they hear of. */
import { describe, expect, test } from "vitest";
import { DAY, sampleReferral, sampleRequest, sampleResult } from "../../../test/samples/facts.ts";
import { sampleLedger } from "../../../test/samples/ledger.ts";
import type { NotedMail } from "../kernel/notification.ts";
import { apply, updateStanding } from "./apply.ts";
import type { LedgerEvent } from "./ledger/events.ts";
import type { ReferralRequest } from "./request.ts";
import { plainReason } from "./review-reason.ts";

const BY = { actor: "staff:7", at: DAY } as const;
const NEWS_AT = DAY.toISOString();
const REQUESTED = { requestedBy: "store", status: "requested" } as const;
const CONFIRMED = { requestedBy: "store", status: "confirmed" } as const;
const REDACTED = { kind: "redacted" } as const;
const WANTED = { kind: "wanted_again" } as const;
const REFUSED = { kind: "withdrawal_refused" } as const;
const takenBack = (fields: object = {}): LedgerEvent => ({
  ...{ kind: "cancellation_requested", by: "store", hasResults: false, mayBeElsewhere: false },
  ...{ refundPolicy: "ask", ...fields },
});

/** A mail with news of the request, sent so many seconds after the day began; null: still to be sent. */
const mail = (news: string, seconds: number | null): NotedMail => ({
  ...{ requestId: "request", kind: "state_changed", occurrence: `${news} ${NEWS_AT}` },
  sentAt: seconds === null ? null : new Date(DAY.getTime() + seconds * 1_000),
  ...{ notedAt: DAY, recipient: null },
});

/** Returns what is written and told when the event happens to the request. */
async function happen(
  request: Partial<ReferralRequest>,
  event: LedgerEvent,
  stored: Partial<Parameters<typeof sampleLedger>[0]> = {},
) {
  const { tenant, seen } = sampleLedger({ request: sampleRequest(request), ...stored });
  const applied = await apply(tenant, "request", event, BY);
  return { applied, ...seen, told: seen.due.map(({ occurrence }) => occurrence) };
}
const news = async (...args: Parameters<typeof happen>) => (await happen(...args)).told;

describe("the owner of a test is told that it was cancelled", () => {
  const sent = { state: "created", stage: "in_progress" } as const;

  test("when the store takes it back before it was sent", async () => {
    const { due } = await happen({ state: "awaiting_details" }, takenBack());
    expect(due).toEqual([
      { requestId: "request", kind: "state_changed", occurrence: `cancelled ${NEWS_AT}` },
    ]);
  });

  test("when the service refuses to delete what the store took back: they cannot use it any more", async () => {
    const told = [`cancelled ${NEWS_AT}`];
    expect(await news({ ...sent, cancellation: CONFIRMED }, REFUSED)).toEqual(told);
    expect(await news({ ...sent, cancellation: null }, REFUSED)).toEqual([]);
  });

  test("not twice, unless it went on meanwhile", async () => {
    const tell = (mails: NotedMail[]) =>
      news({ ...sent, cancellation: CONFIRMED }, REFUSED, { mails });
    expect(await tell([mail("cancelled", 1)])).toEqual([]);
    expect(await tell([mail("cancelled", 1), mail("failed", 2)])).toEqual([]);
    for (const mails of [
      [mail("resumed", 2), mail("cancelled", 1)],
      [mail("cancelled", 1), mail("resumed", 2)],
      [mail("cancelled", null)],
      [mail("paused", 1)],
    ])
      expect(await tell(mails)).toEqual([`cancelled ${NEWS_AT}`]);
  });

  test("not when it was so before", async () => {
    const refused = {
      ...sent,
      cancellation: REQUESTED,
      reviewReason: plainReason("withdrawal_refused"),
    };
    const deleted = { referrals: [sampleReferral({ deletedAt: DAY })] };
    expect(await news(refused, { kind: "referrals_read" }, deleted)).toEqual([]);
    const byStaff = { requestedBy: "staff", status: "done" } as const;
    expect(await news({ state: "cancelled", cancellation: byStaff }, takenBack())).toEqual([]);
  });

  test("not when everything about its patient was destroyed", async () => {
    const { row, told } = await happen({ state: "ready" }, REDACTED);
    expect(row?.state).toBe("cancelled");
    expect(told).toEqual([]);
  });
});

describe("the owner of a form is told", () => {
  const created = { state: "created", stage: "in_progress" } as const;
  const paused = {
    ...{ ...created, cancellation: REQUESTED },
    reviewReason: plainReason("refunded_after_sending"),
  };
  const referrals = [sampleReferral()];

  test("that it is paused while staff decide about what the store took back", async () => {
    const { due } = await happen(created, takenBack(), { referrals });
    expect(due).toEqual([
      { requestId: "request", kind: "state_changed", occurrence: `paused ${NEWS_AT}` },
    ]);
  });

  test("of no pause where nothing is to be decided, and of none twice", async () => {
    expect(await news(created, takenBack({ refundPolicy: "automatic" }), { referrals })).toEqual(
      [],
    );
    expect(
      await news(
        paused,
        { kind: "document_missing", document: "referral", refusedHost: null },
        { referrals },
      ),
    ).toEqual([]);
    const results = takenBack({ hasResults: true });
    expect(await news(paused, results, { referrals, mails: [mail("paused", 1)] })).toEqual([]);
  });

  test("of no pause when everything about its patient was destroyed", async () => {
    const refused = { ...paused, reviewReason: plainReason("withdrawal_refused") };
    expect(await news(refused, REDACTED, { referrals })).toEqual([]);
  });

  test("that it goes on, if they last heard that it does not", async () => {
    const resumed = [`resumed ${NEWS_AT}`];
    const tell = (mails: NotedMail[]) => news(paused, WANTED, { referrals, mails });
    expect(await tell([mail("paused", 1)])).toEqual(resumed);
    expect(await tell([mail("cancelled", 1)])).toEqual(resumed);
    expect(await tell([mail("paused", 3), mail("resumed", 2), mail("paused", 1)])).toEqual(resumed);
    for (const mails of [
      [],
      [mail("paused", null)],
      [mail("failed", 1)],
      [mail("a_later_word", 1)],
      [mail("resumed", 2), mail("paused", 1)],
      [mail("paused", 1), mail("resumed", 2)],
    ])
      expect(await tell(mails)).toEqual([]);
  });

  test("that it goes on when staff let them keep it", async () => {
    const mails = [mail("paused", 1)];
    expect(await news(paused, { kind: "kept" }, { referrals, mails })).toEqual([
      `resumed ${NEWS_AT}`,
    ]);
  });

  test("not that it goes on when it was open all the time, stays closed, or was forgotten", async () => {
    const mails = [mail("paused", 1)];
    expect(await news(created, WANTED, { referrals, mails })).toEqual([]);
    const read = { kind: "answer_unreadable", uuid: "a", code: "not_found" } as const;
    expect(await news({ ...created, cancellation: REQUESTED }, read, { referrals, mails })).toEqual(
      [],
    );
    const { row, told } = await happen({ state: "ready", cancellation: REQUESTED }, REDACTED, {
      mails,
    });
    expect(row).toMatchObject({ state: "cancelled", cancellation: null });
    expect(told).toEqual([]);
  });

  test("what was held back while it was closed", async () => {
    const unsent = [{ requestId: "request", kind: "form_ready" } as const];
    const { jobs } = await happen(paused, WANTED, { referrals, unsent });
    expect(jobs).toEqual([
      {
        job: {
          name: "send-mail",
          shop: "one.myshopify.com",
          requestId: "request",
          kind: "form_ready",
        },
      },
    ]);
    expect((await happen(created, WANTED, { referrals, unsent })).jobs).toEqual([]);
    const forgotten = await happen({ state: "ready", cancellation: REQUESTED }, REDACTED, {
      unsent,
    });
    expect(forgotten.jobs).toEqual([]);
  });
});

describe("details whose date of birth is a child's", () => {
  const given = { hasPatient: true, consentAt: DAY };

  test("are forgotten where nothing was ordered with them", async () => {
    const { row } = await happen({ state: "ready", ...given }, { kind: "under_age" });
    expect(row).toMatchObject({ state: "awaiting_details", hasPatient: false, consentAt: null });
  });

  test("are kept while they are being ordered with, and where one part was", async () => {
    for (const request of [
      { state: "sending" },
      { state: "ready", missingPart: "medicare" },
    ] as const) {
      const { row } = await happen({ ...request, ...given }, { kind: "under_age" });
      expect(row).toMatchObject({ hasPatient: true, reviewReason: plainReason("under_age") });
    }
  });

  test("are the only ones that are forgotten so", async () => {
    const { row } = await happen({ state: "ready", ...given }, { kind: "handed_over" });
    expect(row).toMatchObject({ state: "awaiting_details", hasPatient: true });
  });

  test("need not be there", async () => {
    const { tenant, seen } = sampleLedger({ request: sampleRequest({ state: "ready" }) });
    tenant.requests.forgetPatient = () => Promise.reject(new Error("there is nobody"));
    await apply(tenant, "request", { kind: "under_age" }, BY);
    expect(seen.row).toMatchObject({ state: "awaiting_details" });
  });
});

describe("the store is told", () => {
  const settings = { installed: true, tagOrders: true, markFulfilled: false, startFlows: false };
  const milestones = async (...[request, event, stored]: Parameters<typeof happen>) => {
    const { jobs, alerted } = await happen(request, event, { shop: settings, ...stored });
    const told = jobs.flatMap(({ job }) => ("milestone" in job ? [job] : []));
    return { told, alerted };
  };
  const about = { orderId: "gid://shopify/Order/1", requestId: "request" };
  const created = { state: "created", stage: "in_progress" } as const;

  test("once that a person is needed", async () => {
    const { told, alerted } = await milestones(
      { state: "ready", stage: "in_progress" },
      { kind: "held" },
    );
    expect(told).toMatchObject([{ ...about, milestone: "attention_needed" }]);
    expect(alerted).toEqual([about.orderId]);
    const missing = { kind: "document_missing", document: "referral", refusedHost: null } as const;
    const again = await milestones(
      { state: "created", reviewReason: plainReason("unreadable_at_service") },
      { kind: "correction_refused", correction: 1 },
    );
    expect(again).toEqual({ told: [], alerted: [] });
    expect((await milestones(created, missing)).told).toHaveLength(1);
  });

  test("not that somebody has to see to a result: other apps would know that something was found", async () => {
    const results = [sampleResult({ releasedAt: DAY })];
    const referrals = [sampleReferral()];
    const event = { kind: "results_read", hasUrgentHold: false, isShownNow: true } as const;
    const seen = await milestones(created, event, { referrals, results });
    expect(seen).toEqual({ told: [], alerted: [] });
  });

  test("that a person is needed, when one was needed for a result alone before", async () => {
    const shown = { ...created, resultReason: "urgent_result_shown" } as const;
    const request = {
      ...shown,
      stage: "attention",
      reason: plainReason("urgent_result_shown"),
    } as const;
    const event = { kind: "handled", reason: plainReason("urgent_result_shown") } as const;
    const mailRefusedAt = DAY;
    const { told } = await milestones({ ...request, mailRefusedAt }, event);
    expect(told).toMatchObject([{ milestone: "attention_needed" }]);
  });

  test("nothing of results, whose stage waits for what was found (save-referral.ts)", async () => {
    const referrals = [sampleReferral({ status: "COMPLETE" })];
    const read = { kind: "referrals_read" } as const;
    expect((await milestones(created, read, { referrals })).told).toEqual([]);
  });
});

describe("where a request stands is put right", () => {
  test("whatever was stored, and it is said whether anything was wrong", async () => {
    const request = sampleRequest({ state: "created", stage: "in_progress" });
    const referrals = [sampleReferral({ status: "COMPLETE" })];
    const { tenant, seen } = sampleLedger({ request, referrals });
    expect(await updateStanding(tenant, "request")).toBe(true);
    expect(seen.row).toMatchObject({ state: "created", stage: "results_ready" });
    expect(await updateStanding(tenant, "request")).toBe(false);
  });

  test("of no request that is gone", async () => {
    expect(await updateStanding(sampleLedger({ request: null }).tenant, "request")).toBe(false);
  });
});

describe("of what the service holds", () => {
  const OURS = [
    ...[{ kind: "details_given", isHeldByShop: false }, { kind: "held" }, { kind: "released" }],
    ...[{ kind: "risk_read", risk: "clear" }, { kind: "details_overdue" }, { kind: "under_age" }],
    ...[{ kind: "handed_over" }],
    { kind: "claimed", at: DAY, deadlineAt: DAY, recoveryLowerBound: DAY },
  ] as LedgerEvent[];

  test.each(["awaiting_details", "ready", "held"] as const)(
    "nothing is read for what happens to a request that is %s: an order waits for it",
    async (state) => {
      for (const event of OURS) expect((await happen({ state }, event)).reads, event.kind).toBe(0);
    },
  );

  test("referrals and results are read for news of it, and once it may hold any", async () => {
    expect((await happen({ state: "ready" }, { kind: "found" })).reads).toBe(2);
    expect((await happen({ state: "sending" }, { kind: "under_age" })).reads).toBe(2);
  });
});
