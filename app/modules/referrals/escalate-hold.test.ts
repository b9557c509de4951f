/** Long because a held result is tried with every policy and each of its alerts. */
import { describe, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { RELEASE, REVIEWER } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { installShop } from "../lifecycle/install-shop.ts";
import { savePolicies } from "../lifecycle/save-policies.ts";
import { markHandled } from "../reports/mark-handled.ts";
import { readSettings } from "../reports/read-settings.ts";
import type { ShopSettings } from "../shops/shop.ts";
import { escalateHold } from "./escalate-hold.ts";
import { releaseResults } from "./release-result.ts";
import { recordResult } from "./results/record-result.ts";
import { withholdResults } from "./results/withhold-results.ts";
import type { ResultSnapshot } from "./snapshots.ts";

const db = await openTestDatabase();
const HOUR = 3_600_000;
const OWNER = "owner@example.com";

const summary = (critical: number) => ({ normal: 9, abnormal: critical, critical, total: 9 });
const CRITICAL = { biomarkerSummary: summary(1) };
const NORMAL = { biomarkerSummary: summary(0) };
const NAMED = { reviewer: REVIEWER, releasePolicy: "hold_critical" } as const;

/** A guest's unit whose referral was made, in a shop with these settings. */
async function start(settings: Partial<ShopSettings> = NAMED) {
  const world = await startLinked(db);
  const { shop, clock, ports, runJobs, mails, id, read, mail, enter } = world;
  const referral = referralSnapshot();
  const base = resultSnapshot({ referralUuid: referral.uuid });
  const { uuid } = base;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.updateSettings({ releasePolicy: "automatic", ...settings });
    await tenant.shops.setContactEmail(OWNER);
    await putRequest(tenant, id, { state: "created" });
    await tenant.referrals.save("staging", id, referral, START);
  });
  const find = () => db.tenancy.inShop(shop, (tenant) => tenant.requests.find(id));
  let version = 0;
  return {
    ...world,
    uuid,
    referralUuid: referral.uuid,
    find,
    /** The service reports the result with these figures. */
    async arrives(fields: Partial<ResultSnapshot> = {}) {
      const updatedAt = new Date(START.getTime() + ++version * 60_000).toISOString();
      await db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.findForUpdate(id);
        if (!request) throw new Error("It is gone");
        const snapshot = { ...base, updatedAt, ...fields };
        await recordResult(tenant, request, snapshot, { askedAt: clock.now(), now: clock.now() });
      });
      await runJobs();
    },
    async wait(hours: number) {
      clock.advance(hours * HOUR);
      await runJobs();
    },
    /** The subjects of mails since the last look, each with its recipients. */
    told: () =>
      mails
        .splice(0)
        .map(({ to, subject }) => `${to}: ${subject.replace(/ \(.*\)$/, "")}`)
        .filter((line) => line !== SOON),
    isReleased: async () =>
      (await db.tenancy.inShop(shop, (tenant) => tenant.results.find(uuid)))?.releasedAt !== null,
    reason: async () => (await find())?.reason ?? null,
    release: (record = RELEASE) =>
      releaseResults(ports, { shop, requestId: id, actor: "staff:7", record }),
    isReadable: async () =>
      (await read(await enter(await mail("results_today")), uuid)) !== "not found",
  };
}

/** Told to the patient once, when a result begins to wait. */
const SOON = "sam@example.com: News about your order is being checked";
const REVIEW_TODAY = `${REVIEWER.email}, ${OWNER}: Please review a result today`;
const RING = `${REVIEWER.email}, ${OWNER}: Please ring a patient today`;
const OPEN_TODAY = "sam@example.com: Please open your results today";

describe("a critical result", () => {
  test("is shown at once without a reviewer, whatever the policy, and the shop is told", async () => {
    const { arrives, told, isReleased, reason } = await start({ releasePolicy: "hold_all" });
    await arrives(CRITICAL);
    expect(await isReleased()).toBe(true);
    expect(told().toSorted()).toEqual(
      [`${OWNER}: Please ring a patient today`, OPEN_TODAY].toSorted(),
    );
    expect(await reason()).toEqual({ code: "urgent_result_shown", detail: null });
  });

  test("is held for a reviewer, who is told at once and after 1 and 4 hours", async () => {
    const { arrives, wait, told, isReleased, reason } = await start();
    await arrives(CRITICAL);
    expect(told()).toEqual([REVIEW_TODAY]);
    expect(await reason()).toEqual({ code: "urgent_result_held", detail: null });
    await wait(0.9);
    expect(told()).toEqual([]);
    await wait(0.1);
    expect(told()).toEqual([REVIEW_TODAY]);
    await wait(2.9);
    expect(told()).toEqual([]);
    await wait(0.1);
    expect(told()).toEqual([REVIEW_TODAY]);
    await wait(7.9);
    expect(told()).toEqual([]);
    expect(await isReleased()).toBe(false);
  });

  test.each([72, 0.5])(
    "is told and shown in its hours though the clock was set back by %s hours",
    async (hours) => {
      const { arrives, wait, told, clock, ports, shop, uuid, isReleased } = await start();
      await arrives(CRITICAL);
      expect(told()).toEqual([REVIEW_TODAY]);
      clock.advance(-hours * HOUR);
      // By the regular look at what is held (lifecycle/maintain-shop.ts).
      expect(await escalateHold(ports, { shop, uuid })).toBe("waiting");
      for (const later of [1, 3]) {
        await wait(later);
        expect(told()).toEqual([REVIEW_TODAY]);
      }
      await wait(7.9);
      expect(await isReleased()).toBe(false);
      await wait(0.1);
      expect(await isReleased()).toBe(true);
    },
  );

  test("is shown after 12 hours when nobody reviewed it, and the patient is given a number", async () => {
    const { arrives, wait, told, mails, isReleased, reason, isReadable } = await start();
    await arrives(CRITICAL);
    for (const hours of [1, 3, 8]) await wait(hours);
    const patients = mails.find(({ subject }) => /open your results/.test(subject));
    expect(patients?.text).toContain(`You can ring ${REVIEWER.name}: ${REVIEWER.phone}.`);
    expect(told()).toEqual(expect.arrayContaining([OPEN_TODAY, RING]));
    expect(await isReleased()).toBe(true);
    expect(await reason()).toEqual({ code: "urgent_result_shown", detail: null });
    expect(await isReadable()).toBe(true);
    told();
    await wait(48);
    expect(told()).toEqual([]);
  });

  describe.each([
    ["is reviewed by the service without its figures", { status: "IN_REVIEW", ...NORMAL }],
    ["is reviewed without a summary", { status: "IN_REVIEW", biomarkerSummary: null }],
    ["is deleted without its figures", { ...NORMAL, deletedAt: "2026-11-21T01:00:00.000Z" }],
  ])("that %s after its release, and comes again,", (_, hidden) => {
    test.each(["reviewer", "deadline"])("is told of again once the %s releases it", async (by) => {
      const { arrives, release, runJobs, wait, told, isReleased } = await start();
      await arrives(CRITICAL);
      await release();
      await runJobs();
      expect(told()).toContain(OPEN_TODAY);
      await arrives(hidden);
      await arrives(CRITICAL);
      expect(await isReleased()).toBe(false);
      expect(told()).not.toContain(OPEN_TODAY);
      if (by === "reviewer") await release();
      else for (const hours of [1, 3, 8]) await wait(hours);
      await runJobs();
      expect(await isReleased()).toBe(true);
      expect(told().filter((line) => line === OPEN_TODAY)).toHaveLength(1);
    });
  });

  test("is told of again after it was harmless and another person's in between", async () => {
    const { arrives, release, runJobs, told, shop, id, clock, referralUuid, isReleased } =
      await start();
    await arrives(CRITICAL);
    await release();
    await arrives(NORMAL);
    expect(told()).toContain(OPEN_TODAY);
    await db.tenancy.inShop(shop, async (tenant) => {
      const request = await tenant.requests.findForUpdate(id);
      if (!request) throw new Error("It is gone");
      const isMeant = (one: { referralUuid: string }) => one.referralUuid === referralUuid;
      await withholdResults(tenant, request, { isMeant, now: clock.now() });
    });
    expect(await isReleased()).toBe(false);
    await arrives(CRITICAL);
    await release();
    await runJobs();
    expect(told()).toContain(OPEN_TODAY);
  });

  test("is shown after the hours that the shop has set", async () => {
    const { arrives, wait, isReleased } = await start({ ...NAMED, releaseAfterHours: 3 });
    await arrives(CRITICAL);
    await wait(1);
    await wait(1.9);
    expect(await isReleased()).toBe(false);
    await wait(0.1);
    expect(await isReleased()).toBe(true);
  });

  test("its patient is still asked to ring once the clock was set back", async () => {
    const { arrives, wait, clock, ports, shop, uuid, enter, seeOne, mail } = await start(NAMED);
    await arrives({ ...CRITICAL, productName: "HIV antibody" });
    for (const hours of [1, 3, 8]) await wait(hours);
    clock.advance(-72 * HOUR);
    expect(await escalateHold(ports, { shop, uuid })).toBe("waiting");
    const seen = await seeOne(await enter(await mail("link_renewed")));
    expect(seen).toMatchObject({ isForToday: true, nextStep: expect.stringMatching(/ring/) });
  });

  test("stays held past the deadline when it is sensitive, and its patient is asked to ring", async () => {
    const contact = { name: "Nurse Kim", phone: "02 5550 9999" };
    const world = await start({ ...NAMED, clinicalContact: contact });
    const { arrives, wait, told, mails, isReleased, release, enter, token, seeOne, mail } = world;
    await arrives({ ...CRITICAL, productName: "HIV antibody" });
    for (const hours of [1, 3]) await wait(hours);
    const before = await seeOne(await enter(await mail("link_renewed")));
    expect(before).toMatchObject({
      isForToday: false,
      nextStep: expect.not.stringMatching(/ring/),
    });
    told();
    await wait(8);
    const asked = mails.find(({ to }) => to === "sam@example.com");
    expect(asked?.subject).toMatch(/^Please ring us today/);
    expect(asked?.text).toContain("You can ring Nurse Kim: 02 5550 9999.");
    // The email comes at any hour.
    expect(asked?.text).toContain(
      "If nobody answers or you feel unwell, call Healthdirect on 1800 022 222, day or night. In an emergency call 000.",
    );
    const dialled = asked?.html?.match(/tel:[^"]+/g);
    expect(dialled).toEqual(["tel:0255509999", "tel:1800022222", "tel:000"]);
    expect(asked?.text).not.toMatch(/HIV|result|critical/i);
    expect(told().toSorted()).toEqual(
      [REVIEW_TODAY, "sam@example.com: Please ring us today"].toSorted(),
    );
    // The page behind the email's link says the same, and with which number.
    const patient = await enter(token(asked));
    expect(await seeOne(patient)).toMatchObject({
      state: "in_review",
      nextStep:
        "There is news about this test that we want to tell you in person. Please ring Nurse Kim today: 02 5550 9999. If nobody answers or you feel unwell, call Healthdirect on 1800 022 222, day or night. In an emergency call 000.",
      isForToday: true,
    });
    await wait(24);
    expect(told()).toEqual([REVIEW_TODAY]);
    expect(await isReleased()).toBe(false);
    expect(await release()).toEqual({ kind: "contact_needed" });
    expect(await isReleased()).toBe(false);
    const record = { ...RELEASE, contacted: true };
    expect(await release(record)).toEqual({ kind: "released", results: 1 });
    await wait(24);
    expect((await seeOne(patient))?.nextStep).not.toMatch(/ring/);
    const toOpen = mails.find(({ subject }) =>
      subject.startsWith("Please open your results today"),
    );
    expect(toOpen?.text).toContain(
      "If nobody answers or you feel unwell, call Healthdirect on 1800 022 222, day or night. In an emergency call 000.",
    );
    expect(told()).toEqual([OPEN_TODAY]);
  });

  test("ends its alerts once it is released, with name and comment kept sealed", async () => {
    const { arrives, wait, told, release, reason, shop, uuid, runJobs } = await start();
    await arrives(CRITICAL);
    told();
    const comment = "Rang the patient: potassium";
    expect(await release({ ...RELEASE, comment })).toEqual({ kind: "released", results: 1 });
    await runJobs();
    expect(told()).toEqual([OPEN_TODAY]);
    expect(await reason()).toBeNull();
    await wait(24);
    expect(told()).toEqual([]);
    const kept = await db.tenancy.inShop(shop, (tenant) => tenant.results.releaseOf(uuid));
    expect(kept).toEqual({ ...RELEASE, comment });
    const { rows } = await db.pool.query(
      "SELECT row_to_json(t)::text AS line FROM timeline t WHERE shop = $1 UNION ALL SELECT row_to_json(r)::text FROM results r WHERE shop = $1",
      [shop],
    );
    const lines = rows.map(({ line }) => String(line)).join("\n");
    expect(lines).not.toMatch(/potassium/);
    expect(lines).not.toContain(RELEASE.name);
  });

  test("cannot be marked as handled while it is held", async () => {
    const { arrives, find, shop, ports, reason } = await start();
    await arrives(CRITICAL);
    const orderId = (await find())?.orderId;
    if (!orderId) throw new Error("It is gone");
    const press = (reason: string | null) =>
      markHandled(ports, { shop, orderId, reason, actor: "staff:7" });
    expect(await press("urgent_result_held")).toEqual({ kind: "nothing_open" });
    expect(await press(null)).toEqual({ kind: "nothing_open" });
    expect(await reason()).toEqual({ code: "urgent_result_held", detail: null });
  });

  test("is told anew when a harmless held result becomes critical", async () => {
    const { arrives, wait, told } = await start({ ...NAMED, releasePolicy: "hold_all" });
    await arrives(NORMAL);
    expect(told()).toEqual([`${REVIEWER.email}, ${OWNER}: A result waits for its reviewer`]);
    await wait(11);
    expect(told()).toEqual([]);
    await arrives(CRITICAL);
    expect(told()).toEqual([REVIEW_TODAY]);
    await wait(1);
    expect(told()).toEqual([REVIEW_TODAY]);
  });

  test("does not begin its hours anew with each new version of its figures", async () => {
    const { arrives, wait, isReleased } = await start();
    await arrives(CRITICAL);
    for (const hours of [1, 3, 7]) await wait(hours);
    await arrives({ biomarkerSummary: summary(2) });
    await wait(1);
    expect(await isReleased()).toBe(true);
  });
});

describe("a sensitive result", () => {
  test("is held with a reviewer although nothing in it is critical", async () => {
    const { arrives, told, isReleased, wait, reason } = await start();
    await arrives({ ...NORMAL, productName: "Chlamydia and gonorrhoea PCR" });
    expect(told()).toEqual([`${REVIEWER.email}, ${OWNER}: A result waits for its reviewer`]);
    await wait(48);
    expect(told()).toEqual([]);
    expect(await isReleased()).toBe(false);
    expect(await reason()).toEqual({ code: "results_held", detail: null });
  });

  test("is shown at once by a shop without a reviewer", async () => {
    const { arrives, isReleased } = await start({ releasePolicy: "hold_critical" });
    await arrives({ ...NORMAL, productName: "Chlamydia and gonorrhoea PCR" });
    expect(await isReleased()).toBe(true);
  });

  test("is not released with a critical one of the same unit", async () => {
    const { arrives, wait, shop, id, uuid, clock } = await start();
    const sensitive = resultSnapshot({ referralUuid: referralSnapshot().uuid, productName: "HIV" });
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.results.save({
        ...{ environment: "staging", requestId: id, snapshot: sensitive, partial: false },
        ...{ inReview: false, otherPerson: false, releasedAt: null, heldAt: clock.now() },
        at: clock.now(),
      }),
    );
    await arrives(CRITICAL);
    for (const hours of [1, 3, 8]) await wait(hours);
    const released = await db.tenancy.inShop(shop, (tenant) => tenant.results.forRequests([id]));
    const shown = released.filter(({ releasedAt }) => releasedAt !== null).map((one) => one.uuid);
    expect(shown).toEqual([uuid]);
  });
});

describe("a result that an earlier version held", () => {
  /** Held without a reviewer, and since nobody knows when. */
  async function startHeld() {
    const world = await start();
    await world.arrives(CRITICAL);
    world.told();
    await db.tenancy.inShop(world.shop, async (tenant) => {
      await tenant.shops.updateSettings({ reviewer: null });
      await tenant.results.recordHold(world.uuid, { heldAt: null, holdAlerts: 0 });
    });
    return world;
  }

  test("stays held until a reviewer is named, who is then told at once", async () => {
    const { shop, ports, uuid, wait, told, isReleased, runJobs } = await startHeld();
    expect(await escalateHold(ports, { shop, uuid })).toBe("no_reviewer");
    await wait(24);
    expect(told()).toEqual([]);
    expect(await isReleased()).toBe(false);
    const { policies } = await readSettings({ ...ports, emailByService: false }, shop);
    const saved = await savePolicies(
      { ...ports, services: { forConnection: async () => null } },
      {
        ...{ shop, cancelWaiting: null, actor: "staff:7" },
        policies: { ...policies, reviewer: REVIEWER },
        clinicalTexts: { version: "1", isAccepted: false },
      },
    );
    expect(saved.kind).toBe("saved");
    await runJobs();
    expect(told()).toEqual([REVIEW_TODAY]);
  });
});

test("goes on with a hold when the shop comes back", async () => {
  const { arrives, shop, ports, clock, wait, told, isReleased, runJobs } = await start();
  await arrives(CRITICAL);
  told();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  await wait(30);
  expect(told()).toEqual([]);
  await installShop(ports, { shop, scope: "" });
  await runJobs();
  // Each alert that is overdue is sent in turn; the end comes with the same look.
  expect(told()).toEqual(expect.arrayContaining([OPEN_TODAY, RING]));
  expect(await isReleased()).toBe(true);
});

test("takes a step once, however often its job runs", async () => {
  const { arrives, shop, ports, uuid, told, runJobs } = await start();
  await arrives(CRITICAL);
  told();
  const twice = await Promise.all([
    escalateHold(ports, { shop, uuid }),
    escalateHold(ports, { shop, uuid }),
  ]);
  expect(twice).toEqual(["waiting", "waiting"]);
  await runJobs();
  expect(told()).toEqual([]);
});
