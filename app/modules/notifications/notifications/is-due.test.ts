/** Long because it says of each kind of mail while it is still due. */
import { describe, expect, test } from "vitest";
import {
  DAY,
  sampleReferral,
  sampleRequest,
  sampleResult,
} from "../../../../test/samples/facts.ts";
import { sampleTenant } from "../../../../test/samples/tenant.ts";
import type { DueNotification, NotificationKind } from "../../kernel/notification.ts";
import type { TimelineEntry } from "../../kernel/timeline.ts";
import type { StoredReferral, StoredResult } from "../../referrals/referral-repository.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { Shop } from "../../shops/shop.ts";
import { isDue, isStillNews } from "./is-due.ts";

interface Stored {
  request?: Partial<ReferralRequest>;
  /** The other units of its order. */
  others?: ReferralRequest[];
  referrals?: StoredReferral[];
  results?: StoredResult[];
  shop?: Partial<Shop> | null;
  timeline?: Pick<TimelineEntry, "kind" | "requestId">[];
  /** Occurrences of mails of its kind that wait, oldest first. */
  waiting?: string[];
  isCorrectionPending?: boolean;
  isRedacted?: boolean;
  /** Whether the mail was sent. */
  sentAt?: Date | null;
}

const INSTALLED = { installed: true, epoch: 2 };
const LEFT = { installed: false, epoch: 2 };

function stored(kind: NotificationKind, occurrence: string | undefined, known: Stored) {
  const request = sampleRequest({ state: "created", hasPatient: true, ...known.request });
  const shop = (known.shop === undefined ? INSTALLED : known.shop) as Shop | null;
  const { referrals = [sampleReferral()], results = [], waiting = [], others = [] } = known;
  const ofOwn = <Kept>(ids: string[], kept: Kept[]) => (ids.includes(request.id) ? kept : []);
  const tenant = sampleTenant({
    shop: "one.myshopify.com",
    shops: { find: async () => shop, findBeforeInstall: async () => shop },
    requests: {
      forOrder: async () => [request, ...others],
      isRedacted: async () => known.isRedacted ?? false,
    },
    referrals: { forRequests: async (ids) => ofOwn(ids, referrals) },
    results: { forRequests: async (ids) => ofOwn(ids, results) },
    documents: { forRequests: async () => [] },
    timeline: { forOrder: async () => (known.timeline ?? []) as TimelineEntry[] },
    corrections: {
      pending: async () => (known.isCorrectionPending ? ({} as never) : null),
      pendingNumbers: async (ids) =>
        new Map(ofOwn(ids, known.isCorrectionPending ? [[request.id, 1]] : [])),
    },
    notifications: {
      waiting: async (ids, kinds) =>
        waiting
          .filter(() => ids.includes(request.id) && kinds.includes(kind))
          .map((one) => ({ requestId: request.id, kind, occurrence: one, notedAt: DAY })),
      find: async () =>
        known.sentAt === undefined
          ? null
          : { notedAt: DAY, sentAt: known.sentAt, unclearUntil: null, putOff: null },
    },
  });
  const due: DueNotification = {
    ...{ requestId: request.id, kind },
    ...(occurrence === undefined ? {} : { occurrence }),
  };
  return { tenant, request, due };
}

const isNews = (kind: NotificationKind, known: Stored = {}, occurrence?: string) => {
  const { tenant, request, due } = stored(kind, occurrence, known);
  return isStillNews(tenant, request, due);
};
const held = sampleResult();
const shown = sampleResult({ releasedAt: DAY });
const waits = { state: "awaiting_details" } as const;

test("a mail is due until it is sent", async () => {
  const isDueWith = (sentAt?: Date | null) => {
    const { tenant, request, due } = stored("link_renewed", undefined, {
      ...(sentAt !== undefined && { sentAt }),
    });
    return isDue(tenant, request, due);
  };
  expect(await isDueWith()).toBe(true);
  expect(await isDueWith(null)).toBe(true);
  expect(await isDueWith(DAY)).toBe(false);
});

test("nothing is mailed for a shop that has left", async () => {
  for (const kind of ["details_given", "link_renewed", "correction_link"] as const) {
    expect(await isNews(kind)).toBe(true);
    expect(await isNews(kind, { shop: LEFT })).toBe(false);
    expect(await isNews(kind, { shop: null })).toBe(false);
  }
});

test("of a cancelled test nothing is mailed but that it is cancelled", async () => {
  const request = { state: "cancelled" } as const;
  expect(await isNews("details_given", { request })).toBe(false);
  expect(await isNews("state_changed", { request }, "cancelled 2026-11-20")).toBe(true);
});

test("news of a test is mailed while it is true, and what a later version calls news is not", async () => {
  const failed = sampleReferral({ status: "FAILED_TEST" });
  expect(await isNews("state_changed", { referrals: [failed] }, "failed referral 1")).toBe(true);
  expect(await isNews("state_changed", {}, "failed referral 1")).toBe(false);
  expect(await isNews("state_changed", {}, "teleported referral 1")).toBe(false);
  expect(await isNews("state_changed")).toBe(false);
});

describe("details", () => {
  test("are asked for while a unit of the buyer waits for them", async () => {
    expect(await isNews("details_needed", { request: waits })).toBe(true);
    expect(await isNews("details_needed")).toBe(false);
    expect(await isNews("details_needed", { request: { ...waits, owner: "patient" } })).toBe(false);
    const others = [sampleRequest({ id: "second" })];
    expect(await isNews("details_needed", { others })).toBe(true);
  });

  test("are asked for again of whoever has to give them, until reminders are stopped", async () => {
    for (const owner of ["buyer", "patient"] as const) {
      expect(await isNews("details_reminder", { request: { ...waits, owner } })).toBe(true);
      const stopped = { ...waits, owner, remindersStoppedAt: DAY };
      expect(await isNews("details_reminder", { request: stopped })).toBe(false);
    }
    expect(await isNews("details_reminder")).toBe(false);
  });

  test("are asked for by the last reminder alone where several wait", async () => {
    const remind = (occurrence: string, waiting: string[]) =>
      isNews("details_reminder", { request: waits, waiting }, occurrence);
    expect(await remind("1", ["1", "2"])).toBe(false);
    expect(await remind("2", ["1", "2"])).toBe(true);
    expect(await remind("1", ["1"])).toBe(true);
    expect(await remind("3", ["1", "2"])).toBe(true);
    expect(await remind("3", [])).toBe(true);
  });

  test("are not asked for again where a child’s were given, unless staff ask", async () => {
    const request = { ...waits, underAge: true };
    const given = { kind: "under_age", requestId: "request" } as const;
    const asked = { kind: "details_asked", requestId: null } as const;
    const remind = (...timeline: NonNullable<Stored["timeline"]>) =>
      isNews("details_reminder", { request, timeline });
    expect(await remind(given)).toBe(false);
    expect(await remind(asked, given)).toBe(false);
    expect(await remind(given, asked)).toBe(true);
  });

  test("that are wrong are asked for while they can be corrected", async () => {
    expect(await isNews("correction_needed")).toBe(true);
    const complete = sampleReferral({ status: "COMPLETE" });
    expect(await isNews("correction_needed", { referrals: [complete] })).toBe(false);
    expect(await isNews("correction_needed", { request: { hasPatient: false } })).toBe(false);
  });

  test("that were refused are told of, unless they were corrected again", async () => {
    expect(await isNews("correction_refused")).toBe(true);
    expect(await isNews("correction_refused", { isCorrectionPending: true })).toBe(false);
  });
});

test("a delay is told while the test waits for the shop", async () => {
  expect(await isNews("order_delayed", { request: { state: "held" } })).toBe(true);
  expect(await isNews("order_delayed")).toBe(false);
});

test("a patient is invited by their latest invitation, until they have accepted", async () => {
  const invite = (request: Partial<ReferralRequest>) =>
    isNews("unit_for_you", { request }, String(DAY.getTime()));
  expect(await invite({ invitedAt: DAY })).toBe(true);
  expect(await invite({ invitedAt: DAY, acceptedAt: DAY })).toBe(false);
  expect(await invite({ invitedAt: new Date(DAY.getTime() + 1) })).toBe(false);
  expect(await invite({ invitedAt: null })).toBe(false);
});

test("the shop hears that a patient can’t be reached while that is so", async () => {
  expect(await isNews("patient_unreachable", { request: { mailRefusedAt: DAY } })).toBe(true);
  expect(await isNews("patient_unreachable")).toBe(false);
});

describe.each(["form_ready", "form_corrected"] as const)("a form is told of by %s", (kind) => {
  const form = (known: Stored, occurrence?: string) => isNews(kind, known, occurrence);
  const [first, second] = ["00000000-1", "00000000-2"];

  test("while it can be used", async () => {
    expect(await form({})).toBe(true);
    for (const status of ["FAILED_TEST", "PENDING_VERIFICATION", "PARTIAL_RESULTS", "COMPLETE"])
      expect(await form({ referrals: [sampleReferral({ status })] })).toBe(false);
    for (const over of [{ deletedAt: DAY }, { replacedBy: "next" }, { otherPerson: true }])
      expect(await form({ referrals: [sampleReferral(over)] })).toBe(false);
  });

  test("once it has the corrected details", async () => {
    expect(await form({ isCorrectionPending: true })).toBe(false);
    const referrals = [sampleReferral({ correction: 1 })];
    expect(await form({ isCorrectionPending: true, referrals })).toBe(true);
    expect(await form({ referrals: [sampleReferral({ status: "SCHEDULED_REISSUE" })] })).toBe(
      false,
    );
  });

  test("not where the test is cancelled, or the shop decides about it", async () => {
    for (const cancellation of [
      { requestedBy: "store", status: "requested" },
      { requestedBy: "staff", status: "confirmed" },
    ] as const)
      expect(await form({ request: { cancellation } })).toBe(false);
    const kept = {
      cancellation: { requestedBy: "store", status: "requested" },
      kept: true,
    } as const;
    expect(await form({ request: kept })).toBe(true);
  });

  test("by itself where it is named, and with any other where it is not", async () => {
    const failed = sampleReferral({ uuid: first, status: "FAILED_TEST" });
    const issued = sampleReferral({ uuid: second, medicare: true });
    const referrals = [failed, issued];
    expect(await form({ referrals })).toBe(true);
    expect(await form({ referrals }, first)).toBe(false);
    expect(await form({ referrals }, second)).toBe(true);
    // A restore forgot the one that is named.
    expect(await form({ referrals }, "00000000-3")).toBe(true);
    expect(await form({ referrals: [] })).toBe(true);
  });
});

describe("results", () => {
  test.each(["results_available", "results_today"] as const)(
    "are told of by %s while one can be opened, and not once they are hidden",
    async (kind) => {
      expect(await isNews(kind, { results: [held, shown] })).toBe(true);
      expect(await isNews(kind, { results: [held] })).toBe(false);
      expect(await isNews(kind)).toBe(false);
      const request = { resultsHiddenAt: DAY };
      expect(await isNews(kind, { request, results: [shown] })).toBe(false);
    },
  );

  test("that are critical are told of to the shop though the patient hides them", async () => {
    const request = { resultsHiddenAt: DAY };
    expect(await isNews("urgent_result_shown", { request, results: [shown] })).toBe(true);
    expect(await isNews("urgent_result_shown", { request, results: [held] })).toBe(false);
  });

  test.each(["ring_today", "review_due", "review_today"] as const)(
    "that are held are told of by %s until none is",
    async (kind) => {
      expect(await isNews(kind, { results: [shown, held] })).toBe(true);
      expect(await isNews(kind, { results: [shown] })).toBe(false);
      expect(await isNews(kind)).toBe(false);
      const request = { resultsHiddenAt: DAY };
      expect(await isNews(kind, { request, results: [held] })).toBe(true);
    },
  );
});

describe.each(["results_elsewhere", "patients_waiting"] as const)(
  "who waits for results of a shop that is cut off is told by %s",
  (kind) => {
    const cutOff = (shop: Partial<Shop>, occurrence: string, known: Stored = {}) =>
      isNews(kind, { shop, ...known }, occurrence);

    test("while it is away since that time", async () => {
      expect(await cutOff(LEFT, "left 2")).toBe(true);
      expect(await cutOff(INSTALLED, "left 2")).toBe(false);
      expect(await cutOff(LEFT, "left 1")).toBe(false);
      expect(await cutOff(LEFT, "left 2 to contact")).toBe(true);
      expect(await isNews(kind, { shop: null }, "left 2")).toBe(false);
    });

    test("while it stays, for what the service refuses it", async () => {
      expect(await cutOff(INSTALLED, "cut off 2026-11-20")).toBe(true);
      expect(await cutOff(LEFT, "cut off 2026-11-20")).toBe(false);
    });

    test("while results are to come, of somebody who is known", async () => {
      expect(await cutOff(LEFT, "left 2", { results: [shown] })).toBe(false);
      expect(await cutOff(LEFT, "left 2", { results: [held] })).toBe(true);
      expect(await cutOff(LEFT, "left 2", { isRedacted: true })).toBe(false);
    });
  },
);

test("what was read already is believed, and not read again", async () => {
  const { tenant, request } = stored("form_ready", undefined, {
    shop: null,
    referrals: [sampleReferral({ status: "FAILED_TEST" })],
  });
  const settings = INSTALLED as Shop;
  const facts = { request, referrals: [sampleReferral()], results: [shown], documents: [] };
  for (const [kind, occurrence] of [
    ["form_ready", ""],
    ["results_available", ""],
    ["state_changed", "form_back referral 1"],
  ] as const) {
    const due = { requestId: request.id, kind, occurrence };
    expect(await isStillNews(tenant, request, due, { settings })).toBe(false);
    const news = kind === "state_changed" ? { ...facts, results: [] } : facts;
    expect(await isStillNews(tenant, request, due, { settings, facts: news })).toBe(true);
  }
});
