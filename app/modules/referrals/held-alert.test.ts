import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLinked } from "../../../test/database/linked-results.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { RELEASE, REVIEWER } from "../../../test/database/seed.ts";
import { referralSnapshot, resultSnapshot } from "../../../test/database/snapshots.ts";
import { ALERT_KINDS } from "../shops/alert.ts";
import { saveAlerts } from "../shops/save-alerts.ts";
import { releaseResults } from "./release-result.ts";
import { recordResult } from "./results/record-result.ts";

const db = await openTestDatabase();
const HOUR = 3_600_000;
const OTHER = "on.call@example.com";

/** A unit whose critical result is held for the reviewer; of the others, `wants` asked to hear of it. */
async function start(wants: string[], { hasContact = true } = {}) {
  const world = await startLinked(db);
  const { shop, clock, ports, runJobs, mails, id } = world;
  const referral = referralSnapshot();
  const critical = { normal: 8, abnormal: 1, critical: 1, total: 9 };
  const snapshot = resultSnapshot({ referralUuid: referral.uuid, biomarkerSummary: critical });
  await db.tenancy.inShop(shop, async (tenant) => {
    const settings = { reviewer: REVIEWER, releasePolicy: "hold_critical" } as const;
    await tenant.shops.updateSettings(settings);
    if (hasContact) await tenant.shops.setContactEmail("owner@example.com");
    await putRequest(tenant, id, { state: "created" });
    await tenant.referrals.save("staging", id, referral, START);
  });
  for (const email of wants) {
    const wished = { email, kinds: [...ALERT_KINDS] };
    await saveAlerts(ports, { shop, id: null, wished, actor: "staff:7" });
  }
  await db.tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.findForUpdate(id);
    const now = clock.now();
    if (request) await recordResult(tenant, request, snapshot, { askedAt: now, now });
  });
  return {
    ...{ mails, runJobs, shop, ports, id },
    to: (email: string) => mails.filter(({ to }) => to === email),
    async wait(hours: number) {
      clock.advance(hours * HOUR);
      await runJobs();
    },
  };
}

test("a held critical result is told to whoever asked for it, each time its reviewer is, without saying what it is", async () => {
  const { mails, runJobs, to, wait } = await start([OTHER]);
  await runJobs();
  await wait(1);
  await wait(3);
  const told = to(OTHER);
  expect(told.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 3 }, () => "A result needs review today (#1001)"),
  );
  const reviewers = mails.filter(({ to: all }) => all.includes(REVIEWER.email));
  expect(reviewers).toHaveLength(3);
  for (const { subject, text, html } of told)
    expect(`${subject} ${text} ${html}`).not.toMatch(/critical|abnormal|Full blood|Ada|Citizen/i);
});

test("the reviewer is told once each time, also when they are on the list", async () => {
  const { mails, runJobs } = await start([REVIEWER.email.toUpperCase()]);
  await runJobs();
  const theirs = mails.filter(({ to }) => to.toLowerCase().includes(REVIEWER.email));
  expect(theirs.map(({ subject }) => subject)).toEqual([
    expect.stringContaining("Please review a result today"),
  ]);
});

test("waits for the next who wants it while a shop has nobody who reviews, and nobody to write to", async () => {
  const { mails, ports, runJobs, shop, to, wait } = await start([], { hasContact: false });
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ reviewer: null }));
  await runJobs();
  expect(mails.filter(({ subject }) => /review/i.test(subject))).toEqual([]);
  const wished = { email: OTHER, kinds: ["critical_held" as const] };
  await saveAlerts(ports, { shop, id: null, wished, actor: "staff:7" });
  await runJobs();
  await wait(0);
  expect(to(OTHER)).toHaveLength(1);
});

test("says nothing of a result that was released before the email went out", async () => {
  const { id, ports, runJobs, shop, to } = await start([OTHER]);
  await releaseResults(ports, { shop, requestId: id, actor: "staff:7", record: RELEASE });
  await runJobs();
  expect(to(OTHER)).toEqual([]);
});
