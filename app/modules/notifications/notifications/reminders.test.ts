/** Long because each thing that ends, moves or holds back a reminder has its own case. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { BUYER, startInvitation } from "../../../../test/database/invitation.ts";
import { DAY_MS, tokenOf } from "../../../../test/database/mail-run.ts";
import { PATIENT } from "../../../../test/database/seed.ts";
import { revokeInvitation } from "../../access/invite-patient.ts";
import { savePatientDetails } from "../../access/save-patient-details.ts";
import { stopReminders } from "../../access/stop-reminders.ts";
import { gid } from "../../kernel/ids.ts";
import { resendDetails } from "../resend-details.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();
const start = (options?: { guest?: boolean }) => startInvitation(db, options);

async function asked() {
  const world = await start();
  await world.send();
  await world.runJobs();
  world.mails.length = 0;
  const afterDays = async (days: number) => {
    world.clock.advance(days * DAY_MS);
    await world.runJobs();
    return world.mails.map(({ to }) => to);
  };
  return { ...world, afterDays };
}

test("come on the days of the policy, then the merchant is told", async () => {
  const { afterDays, id } = await asked();
  expect(await afterDays(1.9)).toHaveLength(0);
  expect(await afterDays(0.1)).toEqual(["pat@example.com"]);
  expect(await afterDays(3)).toHaveLength(2);
  expect(await afterDays(5)).toHaveLength(3);
  expect(await afterDays(10.9)).toHaveLength(3);
  const reviewReason = async () =>
    (await db.pool.query("SELECT review_code FROM referral_requests WHERE id = $1", [id])).rows[0]
      .review_code;
  expect(await reviewReason()).toBeNull();
  expect(await afterDays(0.1)).toHaveLength(3);
  expect(await reviewReason()).toBe("details_overdue");
});

test("come once for all days that passed meanwhile, when nobody worked or the clock leapt ahead", async () => {
  const { afterDays, id } = await asked();
  expect(await afterDays(6)).toEqual(["pat@example.com"]);
  expect(await afterDays(3.9)).toHaveLength(1);
  expect(await afterDays(0.1)).toHaveLength(2);
  const late = await asked();
  expect(await late.afterDays(30)).toEqual(["pat@example.com"]);
  const { rows } = await db.pool.query(
    "SELECT review_code AS code FROM referral_requests WHERE id = ANY($1) AND review_code IS NOT NULL",
    [[id, late.id]],
  );
  expect(rows).toEqual([{ code: "details_overdue" }]);
});

test("rest while the app is off, and go on once it is back", async () => {
  const { afterDays, id, shop, clock } = await asked();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  expect(await afterDays(2)).toEqual([]);
  expect(await afterDays(4)).toEqual([]);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", clock.now()));
  expect(await afterDays(1)).toEqual(["pat@example.com"]);
  expect(await afterDays(3)).toHaveLength(2);
  await afterDays(11);
  const { rows } = await db.pool.query(
    "SELECT review_code AS code FROM referral_requests WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ code: "details_overdue" }]);
});

test("come once for those that waited together for the mail server", async () => {
  const { shop, id: requestId, ports, clock, mails } = await asked();
  const due = ["0", "1"].map((step) => ({
    ...{ shop, requestId, kind: "details_reminder" as const },
    occurrence: `${clock.now().getTime()} ${step}`,
  }));
  for (const one of due) {
    clock.advance(2 * DAY_MS);
    await db.tenancy.inShop(shop, (tenant) => tenant.notifications.note(one, clock.now()));
  }
  for (const one of due) await sendNotification(ports, one);
  expect(mails.map(({ to }) => to)).toEqual(["pat@example.com"]);
});

test("end when the details were given, the unit was cancelled or went back", async () => {
  const given = await asked();
  await given.runJobs();
  await db.pool.query("UPDATE referral_requests SET state = 'created' WHERE id = $1", [given.id]);
  expect(await given.afterDays(30)).toEqual([]);
  const cancelled = await asked();
  await db.pool.query("UPDATE referral_requests SET state = 'cancelled' WHERE id = $1", [
    cancelled.id,
  ]);
  expect(await cancelled.afterDays(30)).toEqual([]);
  const { shop, ports, id, afterDays, mails } = await asked();
  await revokeInvitation(ports, { shop, viewer: BUYER, requestId: id });
  expect(await afterDays(30)).toEqual([]);
  expect(mails).toEqual([]);
});

/** A buyer who was asked for the details of two units, gave those of one, and handed over the other. */
async function askedBuyer() {
  const world = await start();
  const { shop, id, other, mails, runJobs, clock, give, ports } = world;
  const due = { requestId: id, kind: "details_needed" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(due, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  await runJobs();
  await give(BUYER, other);
  mails.length = 0;
  return {
    ...world,
    back: () => revokeInvitation(ports, { shop, viewer: BUYER, requestId: id }),
    /** Whom was written to by then, since the last time. */
    async afterDays(days: number) {
      clock.advance(days * DAY_MS);
      await runJobs();
      return mails.splice(0).map(({ to }) => to);
    },
    async reviewReason() {
      const { rows } = await db.pool.query<{ reviewReason: string | null; stage: string }>(
        'SELECT review_code AS "reviewReason", stage FROM referral_requests WHERE id = $1',
        [id],
      );
      return rows[0];
    },
  };
}

test("go on for the buyer when the unit that was handed over comes back", async () => {
  const { send, afterDays, back, reviewReason } = await askedBuyer();
  await send();
  await afterDays(0);
  // The buyer has nothing to do: the patient alone is reminded.
  expect(await afterDays(2)).toEqual(["pat@example.com"]);
  await back();
  expect(await afterDays(3)).toEqual(["sam@example.com"]);
  expect(await afterDays(5)).toEqual(["sam@example.com"]);
  expect(await reviewReason()).toMatchObject({ reviewReason: null });
  await afterDays(11);
  expect(await reviewReason()).toMatchObject({
    reviewReason: "details_overdue",
  });
});

test("go on for the buyer who gave details, handed the unit over nevertheless and took it back", async () => {
  const { send, afterDays, back, reviewReason, give } = await askedBuyer();
  await give(BUYER);
  // The patient is told once that the buyer gave the details.
  expect(await afterDays(2)).toEqual(["ada@example.com"]);
  await send();
  await afterDays(0);
  await back();
  expect(await afterDays(3)).toEqual(["sam@example.com"]);
  await afterDays(16);
  expect(await reviewReason()).toMatchObject({
    reviewReason: "details_overdue",
    stage: "attention",
  });
});

test("are over when a unit comes back late: the merchant is told two days on, and once", async () => {
  const { send, afterDays, back, reviewReason, shop, id } = await askedBuyer();
  await send();
  await afterDays(20);
  await send("other@example.com");
  await afterDays(10);
  await back();
  expect(await afterDays(1.9)).toEqual([]);
  expect(await reviewReason()).toMatchObject({ reviewReason: null, stage: "awaiting_details" });
  expect(await afterDays(0.1)).toEqual([]);
  expect(await reviewReason()).toMatchObject({
    reviewReason: "details_overdue",
    stage: "attention",
  });
  await afterDays(60);
  const { rows } = await db.pool.query(
    "SELECT kind FROM timeline WHERE shop = $1 AND request_id = $2 AND kind = 'details_overdue'",
    [shop, id],
  );
  expect(rows).toHaveLength(1);
});

test("that the buyer stopped stay stopped for the buyer, and come to the patient", async () => {
  const { send, afterDays, back, reviewReason, mails, token, ports, shop, clock, runJobs } =
    await askedBuyer();
  clock.advance(2 * DAY_MS);
  await runJobs();
  await stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
  mails.length = 0;
  await send();
  await afterDays(0);
  expect(await afterDays(2)).toEqual(["pat@example.com"]);
  await back();
  expect(await afterDays(30)).toEqual([]);
  expect(await reviewReason()).toMatchObject({
    reviewReason: "details_overdue",
  });
});

test("that waited for the mail server are not sent to a reader who has stopped them meanwhile", async () => {
  const { shop, id: requestId, ports, clock, mails, afterDays } = await asked();
  await afterDays(2);
  const late = { shop, requestId, kind: "details_reminder", occurrence: "late" } as const;
  await db.tenancy.inShop(shop, ({ notifications }) => notifications.note(late, clock.now()));
  await stopReminders(ports, { shop, token: tokenOf(mails.at(-1), "stop") });
  expect(await sendNotification(ports, late)).toBe("not_due");
  expect(mails).toHaveLength(1);
});

test("that the patient stopped come to the buyer to whom the unit went back", async () => {
  const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
  await send();
  clock.advance(2 * DAY_MS);
  await runJobs();
  await stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
  mails.length = 0;
  expect(await afterDays(3)).toEqual([]);
  await back();
  expect(await afterDays(5)).toEqual(["sam@example.com"]);
});

test("that both of them stopped stay stopped for the buyer to whom the unit went back", async () => {
  const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
  const stop = () => stopReminders(ports, { shop, token: token(mails.at(-1), "stop") });
  clock.advance(2 * DAY_MS);
  await runJobs();
  await stop();
  await send();
  clock.advance(2 * DAY_MS);
  await runJobs();
  await stop();
  mails.length = 0;
  await back();
  expect(await afterDays(30)).toEqual([]);
});

test("end for the one who was mailed the link, whoever has the unit by then", async () => {
  const { send, afterDays, back, mails, token, ports, shop, clock, runJobs } = await askedBuyer();
  const reminded = async () => {
    clock.advance(2 * DAY_MS);
    await runJobs();
    return token(mails.at(-1), "stop");
  };
  const buyers = await reminded();
  await send();
  const patients = await reminded();
  mails.length = 0;
  await stopReminders(ports, { shop, token: buyers });
  expect(await afterDays(3)).toEqual(["pat@example.com"]);
  // The next patient is somebody else, and has stopped nothing.
  await send("other@example.com");
  await stopReminders(ports, { shop, token: patients });
  await afterDays(0);
  expect(await afterDays(2)).toEqual(["other@example.com"]);
  await back();
  expect(await afterDays(30)).toEqual([]);
});

test("say nothing of a unit that came back late and was dealt with in time", async () => {
  for (const deal of ["give", "send"] as const) {
    const { send, give, afterDays, back, reviewReason } = await askedBuyer();
    await send();
    await afterDays(20);
    await send("other@example.com");
    await afterDays(10);
    await back();
    await (deal === "give" ? give(BUYER) : send("third@example.com"));
    await afterDays(3);
    expect(await reviewReason()).toMatchObject({ reviewReason: null });
  }
});

const CHILD = { ...PATIENT, dob: "2020-02-29", consent: true };

test("stop when the date of birth is refused for age, and go on once staff have asked again", async () => {
  const { afterDays, shop, ports, id, clock } = await askedBuyer();
  const save = (dob: string) =>
    savePatientDetails(ports, {
      ...{ shop, viewer: BUYER, requestId: id },
      details: { ...CHILD, dob },
    });
  // The patient of the other unit is told that the buyer gave their details.
  await afterDays(0);
  expect(await save(CHILD.dob)).toMatchObject({ kind: "invalid" });
  expect(await afterDays(2)).toEqual([]);
  expect(await afterDays(3)).toEqual([]);
  clock.advance(1);
  const orderId = gid("Order", 1001);
  expect(await resendDetails(ports, { shop, orderId, actor: "staff:7" })).toEqual({
    kind: "queued",
  });
  expect(await afterDays(0)).toEqual(["sam@example.com"]);
  expect(await afterDays(5)).toEqual(["sam@example.com"]);
});

test("a reminder that is about to go is not sent once the date of birth was refused for age", async () => {
  const { shop, ports, id, clock, runJobs, mails } = await askedBuyer();
  clock.advance(1);
  const due = { requestId: id, kind: "details_reminder", occurrence: "about to go" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(due, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  await savePatientDetails(ports, { shop, viewer: BUYER, requestId: id, details: CHILD });
  await runJobs();
  expect(mails.map(({ to }) => to)).not.toContain("sam@example.com");
});

test("go on for the other unit of whoever was refused one for age", async () => {
  const world = await start();
  const { shop, id, mails, runJobs, clock, ports } = world;
  const due = { requestId: id, kind: "details_needed" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(due, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  await runJobs();
  mails.length = 0;
  await savePatientDetails(ports, { shop, viewer: BUYER, requestId: id, details: CHILD });
  clock.advance(2 * DAY_MS);
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual(["sam@example.com"]);
});
