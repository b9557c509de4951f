import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { RELEASE, REVIEWER, readyRequest, storeOrder } from "../../../../test/database/seed.ts";
import {
  type DatedResult,
  referralSnapshot,
  resultSnapshot,
} from "../../../../test/database/snapshots.ts";
import { openResult } from "../../access/open-result.ts";
import { gid } from "../../kernel/ids.ts";
import { sendNotification } from "../../notifications/send-notification.ts";
import { RELEASE_POLICIES, type ReleasePolicy } from "../../shops/shop.ts";
import { customerState } from "../customer-view.ts";
import { recordContact } from "../record-contact.ts";
import { releaseResults } from "../release-result.ts";
import { gatherFacts } from "../request-facts.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const customerId = gid("Customer", 7);

const summary = (abnormal: number, critical: number) => ({
  biomarkerSummary: { normal: 9, abnormal, critical, total: 9 + abnormal + critical },
});
const NORMAL = summary(0, 0);
const ABNORMAL = summary(1, 0);
const CRITICAL = summary(1, 1);

/** A request whose service tells of its result what it was last told. */
async function start(releasePolicy: ReleasePolicy) {
  const { shop, ports, clock, story, takeJobs } = await startLedger(db, {
    releasePolicy,
    reviewer: REVIEWER,
  });
  const requestId = await readyRequest(db, shop);
  const referral = referralSnapshot({ status: "COMPLETE" });
  let current = resultSnapshot({ referralUuid: referral.uuid, ...NORMAL });
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), new Map(), START);
    await putRequest(tenant, requestId, { state: "created" });
    await tenant.referrals.save("staging", requestId, referral, START);
  });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  const target = () => ({ shop, environment: "staging", uuid: current.uuid }) as const;
  let ticks = 0;
  return {
    async arrives(fields: Partial<DatedResult> = {}) {
      clock.advance(60_000);
      const updatedAt = new Date(START.getTime() + ++ticks * 60_000).toISOString();
      current = { ...current, updatedAt, ...fields };
      await refetchResult({ ...ports, services }, target());
      return this.isVisible();
    },
    isVisible: async () =>
      (await openResult(ports, {
        shop,
        viewer: { kind: "customer", customerId },
        resultId: current.uuid,
      })) !== null,
    requestId,
    /** Rings the patient now. */
    call: () =>
      recordContact(ports, {
        ...{ shop, requestId, actor: "staff:7", reached: "patient" },
        contactedAt: clock.now(),
      }),
    release: (record: Partial<typeof RELEASE> = {}) =>
      releaseResults(ports, {
        ...{ shop, requestId, actor: "staff:7" },
        record: { ...RELEASE, ...record },
      }),
    setPolicy: (policy: ReleasePolicy) =>
      db.tenancy.inShop(shop, (t) => t.shops.updateSettings({ releasePolicy: policy })),
    seen: () =>
      db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.find(requestId);
        const [facts] = request ? await gatherFacts(tenant, [request]) : [];
        return facts && customerState(facts);
      }),
    /** Returns the state of the mail that says that something new can be read. */
    mail: () => {
      const due = { requestId, kind: "results_available" } as const;
      const mailer = { send: async () => [] };
      return sendNotification(
        {
          ...ports,
          mailer,
          appUrl: "https://app.example",
          accountPageUrl: () => "https://shop.example/apps/pathway",
          adminPageUrl: () => "https://admin.example",
        },
        { shop, ...due },
      );
    },
    failReferral: () =>
      db.pool.query("UPDATE referrals SET status = 'FAILED_TEST' WHERE uuid = $1", [referral.uuid]),
    reviewReason: () =>
      db.tenancy.inShop(shop, async (t) => (await t.requests.find(requestId))?.reviewReason),
    story: () => story(requestId),
    takeJobs,
  };
}

describe("a result that arrives", () => {
  const unknown = { biomarkerSummary: null };
  test.each<[ReleasePolicy, Partial<DatedResult>, boolean]>([
    ["automatic", CRITICAL, true],
    ["automatic", unknown, true],
    ["hold_critical", ABNORMAL, true],
    ["hold_critical", CRITICAL, false],
    ["hold_critical", unknown, false],
    ["hold_abnormal", NORMAL, true],
    ["hold_abnormal", ABNORMAL, false],
    ["hold_abnormal", CRITICAL, false],
    ["hold_abnormal", unknown, false],
    ["hold_all", NORMAL, false],
  ])("under %s: %j is visible: %s", async (policy, figures, visible) => {
    const result = await start(policy);
    expect(await result.arrives(figures)).toBe(visible);
    expect(await result.seen()).toBe(visible ? "results_ready" : "in_review");
  });

  test.each(RELEASE_POLICIES)("in review at the service is never shown (%s)", async (policy) => {
    const result = await start(policy);
    expect(await result.arrives({ status: "IN_REVIEW" })).toBe(false);
    expect(await result.release()).toEqual({ kind: "nothing_held" });
    expect(await result.isVisible()).toBe(false);
    expect(await result.seen()).toBe("in_review");
  });

  test("in review again after it was shown is hidden again", async () => {
    const result = await start("automatic");
    expect(await result.arrives()).toBe(true);
    expect(await result.arrives({ status: "IN_REVIEW" })).toBe(false);
    expect(await result.arrives({ status: "COMPLETE" })).toBe(true);
  });
});

describe("a result that the service deletes", () => {
  const deleted = { deletedAt: START.toISOString() };

  test("is shown no more, released by nobody, and a person is told", async () => {
    const result = await start("automatic");
    expect(await result.arrives()).toBe(true);
    await result.takeJobs();
    expect(await result.arrives(deleted)).toBe(false);
    expect(await result.seen()).toBe("needs_support");
    expect(await result.reviewReason()).toEqual({ code: "result_deleted", detail: null });
    expect(await result.release()).toEqual({ kind: "nothing_held" });
    const story = await result.story();
    expect(story.filter((kind) => kind === "result_deleted")).toHaveLength(1);
    expect(story).not.toContain("result_held_again");
    expect(await result.arrives()).toBe(false);
    expect((await result.story()).filter((kind) => kind === "result_deleted")).toHaveLength(1);
    // Its patient could see it, and is told once that it is void.
    expect((await result.takeJobs()).filter((name) => name === "send-mail")).toHaveLength(1);
  });

  test("is judged anew when it comes back, and its patient told again", async () => {
    const result = await start("automatic");
    await result.arrives();
    await result.arrives(deleted);
    await result.takeJobs();
    expect(await result.arrives({ deletedAt: null })).toBe(true);
    expect(await result.reviewReason()).toBeNull();
    expect(await result.takeJobs()).toContain("send-mail");
  });

  test("is not announced by a mail that was still to be sent", async () => {
    const result = await start("automatic");
    await result.arrives();
    await result.arrives(deleted);
    expect(await result.mail()).toBe("not_due");
    await result.arrives({ deletedAt: null });
    expect(await result.mail()).toBe("sent");
  });

  test("leaves its place to another one of the same referral", async () => {
    const result = await start("automatic");
    await result.arrives();
    await result.arrives(deleted);
    expect(await result.arrives({ uuid: randomUUID(), deletedAt: null })).toBe(true);
    expect(await result.reviewReason()).toBeNull();
    expect(await result.seen()).toBe("results_ready");
  });

  test("gives way to the referral's own reason when it comes back", async () => {
    const result = await start("automatic");
    await result.arrives();
    await result.arrives(deleted);
    await result.failReferral();
    await result.arrives({ deletedAt: null });
    expect(await result.reviewReason()).toEqual({ code: "referral", detail: "FAILED_TEST" });
  });

  test("asks nobody to release it where results are held", async () => {
    const result = await start("hold_all");
    await result.arrives();
    await result.arrives(deleted);
    expect(await result.reviewReason()).toEqual({ code: "result_deleted", detail: null });
  });
});

test("a result of a product that is sold as a sensitive test waits for a call, whatever its markers are called", async () => {
  const result = await start("hold_critical");
  await db.pool.query("UPDATE referral_requests SET title = 'STI check' WHERE id = $1", [
    result.requestId,
  ]);
  expect(await result.arrives(NORMAL)).toBe(false);
  expect(await result.release({ contacted: false })).toEqual({ kind: "contact_needed" });
  expect(await result.release({ contacted: true })).toMatchObject({ kind: "released" });
});

test("a call about former figures releases no new ones of a sensitive test", async () => {
  const result = await start("hold_critical");
  const sensitive = { productName: "HIV antibodies" };
  await result.arrives({ ...NORMAL, ...sensitive });
  expect(await result.call()).toEqual({ kind: "recorded" });
  await result.arrives({ ...ABNORMAL, ...sensitive });
  expect(await result.release()).toEqual({ kind: "contact_needed" });
  // The same figures, fetched again, leave it at the call.
  expect(await result.call()).toEqual({ kind: "recorded" });
  await result.arrives({ ...ABNORMAL, ...sensitive });
  expect(await result.release()).toMatchObject({ kind: "released" });
});

describe("a result that changes after it was shown", () => {
  test("and has become critical is held again, and told again when it is released", async () => {
    const result = await start("hold_critical");
    expect(await result.arrives(NORMAL)).toBe(true);
    expect(await result.takeJobs()).toContain("send-mail");
    expect(await result.arrives(CRITICAL)).toBe(false);
    expect(await result.story()).toContain("result_held_again");
    await result.takeJobs();
    expect(await result.release()).toMatchObject({ kind: "released" });
    expect(await result.isVisible()).toBe(true);
    expect(await result.takeJobs()).toEqual(["send-mail"]);
  });

  test("stays visible when the policy lets its new figures through", async () => {
    const result = await start("hold_critical");
    await result.arrives(NORMAL);
    expect(await result.arrives(ABNORMAL)).toBe(true);
  });

  test("and was released by a person stays so while its figures are the same", async () => {
    const result = await start("hold_all");
    await result.arrives(CRITICAL);
    await result.release();
    expect(await result.arrives({ reviewed: true })).toBe(true);
    expect(await result.arrives(ABNORMAL)).toBe(false);
  });
});

describe("a policy that is changed", () => {
  test("does not hide what is visible, nor show what is held, when they come again", async () => {
    const shown = await start("automatic");
    await shown.arrives(CRITICAL);
    await shown.setPolicy("hold_all");
    expect(await shown.arrives()).toBe(true);
    const held = await start("hold_all");
    await held.arrives(CRITICAL);
    await held.setPolicy("automatic");
    expect(await held.arrives()).toBe(false);
  });

  test("decides about new figures", async () => {
    const result = await start("hold_all");
    await result.arrives(NORMAL);
    await result.setPolicy("automatic");
    expect(await result.arrives(ABNORMAL)).toBe(true);
  });
});

test("partial results are shown as such, and overwritten whole", async () => {
  const result = await start("automatic");
  await result.arrives({ status: "PARTIAL_RESULTS" });
  expect(await result.seen()).toBe("partial_results");
  await result.arrives({ status: "COMPLETE", ...ABNORMAL });
  expect(await result.seen()).toBe("results_ready");
});
