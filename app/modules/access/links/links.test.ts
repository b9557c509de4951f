import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { STRANGER, startInvitation } from "../../../../test/database/invitation.ts";
import { DAY_MS, tokenOf } from "../../../../test/database/mail-run.ts";
import { installedShop } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { viewerLink } from "../../../../test/database/viewer-link.ts";
import { gid, shopDomain } from "../../kernel/ids.ts";
import { sendNotification } from "../../notifications/send-notification.ts";
import { customerHelp } from "../../shops/customer-help.ts";
import { redeemDocumentTicket } from "../open-document.ts";
import { endSession, openLink, recogniseSession, recogniseToken, whyClosed } from "../open-link.ts";
import { renewLink } from "../renew-link.ts";
import { stopReminders } from "../stop-reminders.ts";

const db = await openTestDatabase();
const start = (options?: { guest?: boolean }) => startInvitation(db, options);

async function guestLink() {
  const world = await start({ guest: true });
  const { shop, ports, id, runJobs } = world;
  await db.tenancy.inShop(shop, async (tenant) => {
    const due = { requestId: id, kind: "details_needed" } as const;
    await tenant.notifications.note(due, ports.clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  await runJobs();
  return { ...world, secret: world.token(world.mails[0]) };
}

test("opens once, however many try at the same time; looking does not use it up", async () => {
  const { ports, shop, secret, open } = await guestLink();
  for (let n = 0; n < 3; n++) expect(await whyClosed(ports, { shop, token: secret })).toBeNull();
  const sessions = await Promise.all(Array.from({ length: 8 }, () => open(secret)));
  expect(sessions.filter(Boolean)).toHaveLength(1);
  expect(await whyClosed(ports, { shop, token: secret })).toBe("used");
  expect(await recogniseToken(ports, { shop, token: secret })).toBeNull();
});

test("shows a guest every unit of the order, and of no other", async () => {
  const { secret, open, viewerOf, see, give, send, id, other } = await guestLink();
  const viewer = (await viewerOf((await open(secret))?.secret ?? "")) ?? STRANGER;
  expect((await see(viewer)).map((one) => one.id).toSorted()).toEqual([id, other].toSorted());
  expect(
    await see({ kind: "guest", orderId: gid("Order", 1), link: viewerLink("details") }),
  ).toEqual([]);
  expect(await give(viewer, other)).toMatchObject({ kind: "saved" });
  expect(await send("pat@example.com", viewer)).toMatchObject({ kind: "handed_over" });
  expect(await give(viewer)).toEqual({ kind: "not_found" });
});

test("is a program's bearer for one session when the program opens it", async () => {
  const { ports, shop, secret, open, clock } = await guestLink();
  const ask = () => recogniseToken(ports, { shop, token: secret });
  const asked = await Promise.all([ask(), ask(), ask()]);
  expect(asked.map((viewer) => viewer?.kind)).toEqual(["guest", "guest", "guest"]);
  expect(await open(secret)).toBeNull();
  clock.advance(2 * 3_600_000);
  expect(await ask()).toBeNull();
});

test("ends after 14 days, a session after two hours", async () => {
  const { secret, open, viewerOf, clock } = await guestLink();
  clock.advance(14 * DAY_MS - 1);
  const session = await open(secret);
  clock.advance(2 * 3_600_000 - 1);
  expect(await viewerOf(session?.secret ?? "")).not.toBeNull();
  clock.advance(1);
  expect(await viewerOf(session?.secret ?? "")).toBeNull();
  const late = await guestLink();
  late.clock.advance(14 * DAY_MS);
  expect(await late.open(late.secret)).toBeNull();
});

test("keeps no session that ended long ago once another begins", async () => {
  const { shop, secret, open, clock, viewerOf, ports, runJobs, mails, token } = await guestLink();
  const ended = await open(secret);
  clock.advance(DAY_MS);
  await renewLink(ports, { shop, by: { token: secret } });
  await runJobs();
  const session = await open(token(mails.at(-1)));
  const { rowCount } = await db.pool.query("SELECT FROM patient_sessions WHERE shop = $1", [shop]);
  expect(rowCount).toBe(1);
  expect(await viewerOf(ended?.secret ?? "")).toBeNull();
  expect(await viewerOf(session?.secret ?? "")).not.toBeNull();
});

test("lets nobody in to another shop, and nobody while the app is uninstalled", async () => {
  const { ports, shop, secret, open, viewerOf } = await guestLink();
  const elsewhere = await installedShop(db);
  expect(await openLink(ports, { shop: elsewhere, token: secret })).toBeNull();
  const session = await open(secret);
  expect(await viewerOf(session?.secret ?? "")).not.toBeNull();
  await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
  expect(await viewerOf(session?.secret ?? "")).toBeNull();
});

test("of a shop that never was leaves nothing of it here", async () => {
  const { ports, secret } = await guestLink();
  const shop = shopDomain("nobody-has-this.myshopify.com");
  if (!shop) throw new Error("no shop's name");
  const token = secret;
  expect(await whyClosed(ports, { shop, token })).toBe("unknown");
  expect(await openLink(ports, { shop, token })).toBeNull();
  expect(await recogniseSession(ports, { shop, secret })).toBeNull();
  expect(await recogniseToken(ports, { shop, token })).toBeNull();
  expect(await redeemDocumentTicket(ports, { shop, token })).toBeNull();
  await endSession(ports, { shop, secret });
  await renewLink(ports, { shop, by: { token } });
  await stopReminders(ports, { shop, token });
  expect(await customerHelp(ports, shop)).toBeNull();
  const { rows } = await db.pool.query("SELECT FROM shop_keys WHERE shop = $1", [shop]);
  expect(rows).toHaveLength(0);
});

test("is renewed by mail to its own address, a few times a day", async () => {
  const { ports, shop, secret, open, runJobs, mails, token, clock } = await guestLink();
  await open(secret);
  const renew = (by: { token: string }) => renewLink(ports, { shop, by });
  await renew({ token: secret });
  await renew({ token: secret });
  await renew({ token: "x".repeat(43) });
  await runJobs();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["sam@example.com", "We need a few details for your order (#1001)"],
    ["sam@example.com", "Your new link (#1001)"],
  ]);
  let latest = token(mails.at(-1));
  expect(await open(latest)).not.toBeNull();
  for (let n = 0; n < 6; n++) {
    clock.advance(1);
    await renew({ token: latest });
    await runJobs();
    latest = token(mails.at(-1));
  }
  expect(mails).toHaveLength(6);
});

test("is renewed by the same old mail again once the new link is used up, on one day too", async () => {
  const { ports, shop, secret, open, runJobs, mails, token, clock } = await guestLink();
  await open(secret);
  const renew = async () => {
    await renewLink(ports, { shop, by: { token: secret } });
    await runJobs();
    return token(mails.at(-1));
  };
  expect(await open(await renew())).not.toBeNull();
  clock.advance(11 * 60_000);
  expect(await open(await renew())).not.toBeNull();
  for (let n = 0; n < 6; n++) {
    clock.advance(11 * 60_000);
    await renew();
  }
  expect(mails).toHaveLength(6);
});

test("is renewed as often after a mail that needed many attempts", async () => {
  const { ports, shop, secret, open, runJobs, mails, clock } = await guestLink();
  await open(secret);
  await renewLink(ports, { shop, by: { token: secret } });
  const [due = expect.unreachable()] = await takeJobs(db, shop, "send-mail");
  const mailer = { send: () => Promise.reject(new Error("the mail server is away")) };
  for (let n = 0; n < 6; n++)
    await expect(sendNotification({ ...ports, mailer }, due)).rejects.toThrow("away");
  await sendNotification(ports, due);
  clock.advance(1);
  const latest = tokenOf(mails.at(-1));
  await open(latest);
  await renewLink(ports, { shop, by: { token: latest } });
  await runJobs();
  expect(mails.map(({ subject }) => subject)).toEqual([
    "We need a few details for your order (#1001)",
    "Your new link (#1001)",
    "Your new link (#1001)",
  ]);
});

test("to stop reminders opens nothing else, and stays good", async () => {
  const { ports, shop, mails, token, clock, runJobs, open, id } = await guestLink();
  clock.advance(2 * DAY_MS);
  await runJobs();
  const reminder = mails.at(-1);
  expect(reminder?.subject).toMatch(/^Reminder/);
  const stop = token(reminder, "stop");
  expect(reminder?.unsubscribeUrl).toContain(stop);
  expect(await open(stop)).toBeNull();
  expect(await whyClosed(ports, { shop, token: stop })).toBe("revoked");
  await stopReminders(ports, { shop, token: stop });
  await stopReminders(ports, { shop, token: stop });
  clock.advance(30 * DAY_MS);
  await runJobs();
  expect(mails.at(-1)).toBe(reminder);
  // Nobody is reminded, and still somebody has to know.
  const { rows } = await db.pool.query("SELECT review_code FROM referral_requests WHERE id = $1", [
    id,
  ]);
  expect(rows).toEqual([{ review_code: "details_overdue" }]);
});
