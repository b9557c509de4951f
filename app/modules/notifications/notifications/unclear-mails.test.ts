import { afterAll, beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mailRun, tokenOf } from "../../../../test/database/mail-run.ts";
import { startMailServer } from "../../../../test/database/mail-server.ts";
import { installedShop, newRequest, storeOrder } from "../../../../test/database/seed.ts";
import { createSmtpMailer, MailError } from "../../../clients/mail/smtp-mailer.ts";
import { errorCode } from "../../../platform/error-code.ts";
import { whyClosed } from "../../access/open-link.ts";
import { RecipientRefusedError } from "../../kernel/notification.ts";
import { queueUnsentMails } from "../../kernel/queue-mail.ts";
import { sendAlert } from "../send-alert.ts";
import { sendNotification } from "../send-notification.ts";
import { nextTry } from "./unclear-mails.ts";

const db = await openTestDatabase();
const { url, stop, taken, raw, fallSilent, takeAll } = await startMailServer();
afterAll(stop);
beforeEach(() => {
  takeAll();
  taken.splice(0);
  raw.splice(0);
});

const DAY_MS = 24 * 3_600_000;
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 300 };

async function start() {
  const shop = await installedShop(db);
  const run = mailRun(db, shop);
  const mailer = createSmtpMailer({ url, from: "Pathway <mail@pathway.example>", patience });
  const ports = {
    ...run.ports,
    mailer: {
      async send(...mail: Parameters<typeof mailer.send>) {
        await run.ports.mailer.send(...mail);
        return mailer.send(...mail);
      },
    },
  };
  const order = storeOrder();
  const guest = { ...order, customerId: null, buyer: { ...order.buyer, email: "mia@example.com" } };
  const request = newRequest(shop, guest);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.setContactEmail("owner@shop.example");
    await tenant.orders.record(guest, new Map(), START);
    await tenant.requests.add([request], START);
  });
  return {
    ...{ shop, ports, order, id: request.id, clock: run.clock, mails: run.mails },
    /** Goes on to the next job that is queued and runs it; returns how long that took, or null when there is none. */
    async next(): Promise<{ waitedMs: number; code: string } | null> {
      const { rows } = await db.pool.query(
        `DELETE FROM outbox WHERE shop = $1 AND name IN ('send-mail', 'send-alert')
         RETURNING name, payload, start_after AS at`,
        [shop],
      );
      const [job] = rows;
      if (!job) return null;
      expect(rows).toHaveLength(1);
      const waitedMs = job.at.getTime() - run.clock.now().getTime();
      if (job.payload.unclearSince) run.clock.advance(waitedMs);
      const send =
        job.name === "send-mail"
          ? sendNotification(ports, { shop, ...job.payload })
          : sendAlert(ports, { shop, ...job.payload });
      return { waitedMs, code: await send.catch((error) => error.code) };
    },
    async noted(kind: "form_ready" | "ring_today" | "details_needed") {
      await db.tenancy.inShop(shop, async (tenant) => {
        const due = { requestId: request.id, kind, occurrence: "" };
        await tenant.notifications.note(due, run.clock.now());
        await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
      });
    },
    timeline: () =>
      db.tenancy.inShop(shop, async (tenant) => {
        const entries = await tenant.timeline.forOrder(order.id);
        return entries.map(({ kind, detail }) => `${kind} ${detail.mail ?? ""}`.trim());
      }),
  };
}

const messageIds = () => raw.map(({ source }) => /^Message-ID: (.*)$/im.exec(source)?.[1]);

test("a mail that the server has and never answers for is tried a few times in a day, under one Message-ID", async () => {
  const { noted, next, timeline, clock, shop } = await start();
  const began = clock.now().getTime();
  fallSilent();
  await noted("details_needed");
  let tries = 0;
  while (await next()) tries++;
  expect(tries).toBe(6);
  // Whether it arrived or not, its reader is reminded.
  const { rows } = await db.pool.query(
    "SELECT name FROM outbox WHERE shop = $1 AND name = 'send-reminder'",
    [shop],
  );
  expect(rows).toHaveLength(1);
  expect(raw).toHaveLength(6);
  expect(new Set(messageIds()).size).toBe(1);
  expect(clock.now().getTime() - began).toBeLessThan(DAY_MS);
  expect(await timeline()).toEqual(["mail_unclear details_needed"]);
});

test("a mail is tried a few times in a day though the clock was set back by days meanwhile", async () => {
  const { noted, next, clock, shop } = await start();
  fallSilent();
  await noted("details_needed");
  await next();
  clock.advance(-3 * DAY_MS);
  // As the queue does with a job that waits for minutes (queue/mend-times.ts).
  await db.pool.query(
    "UPDATE outbox SET start_after = start_after - interval '3 days' WHERE shop = $1",
    [shop],
  );
  let tries = 1;
  while (tries < 20 && (await next())) tries++;
  expect(tries).toBe(7);
});

test("news that came while older news of the test was unclear is given up by tries of its own", async () => {
  const { noted, next, shop, clock, timeline, id } = await start();
  fallSilent();
  await noted("form_ready");
  for (let n = 0; n < 5; n++) await next();
  const late = { requestId: id, kind: "form_corrected", occurrence: "" } as const;
  await db.tenancy.inShop(shop, ({ notifications }) => notifications.note(late, clock.now()));
  expect(await next()).toMatchObject({ code: "mail_unclear" });
  expect(raw).toHaveLength(6);
  expect(await timeline()).toEqual(["mail_unclear form_ready"]);
  const row = await db.tenancy.inShop(shop, (tenant) => tenant.notifications.find(late));
  expect(row).toMatchObject({ sentAt: null });
});

test("each job that ends unclear says so, and the next begins when the server can't answer any more", async () => {
  const { noted, next } = await start();
  fallSilent();
  await noted("details_needed");
  expect(await next()).toMatchObject({ code: "mail_unclear" });
  const second = await next();
  expect(second).toMatchObject({ code: "mail_unclear" });
  expect(second?.waitedMs).toBeGreaterThanOrEqual(10 * 60_000);
});

test("the links of both copies open once the server answers, for the reader may have either", async () => {
  const { noted, next, mails, ports, shop, timeline } = await start();
  fallSilent();
  await noted("details_needed");
  await next();
  takeAll();
  expect(await next()).toMatchObject({ code: "sent" });
  expect(await next()).toBeNull();
  const [first, second] = mails.map((mail) => tokenOf(mail));
  expect(second).not.toBe(first);
  for (const token of [first, second])
    expect(await whyClosed(ports, { shop, token: token ?? "" })).toBeNull();
  expect(await timeline()).toEqual(["mail_sent details_needed"]);
});

test("a mail that was unclear when the shop left is sent when it is back, and a try that is queued meanwhile waits", async () => {
  const { noted, next, shop, clock } = await start();
  const queue = () => db.tenancy.inShop(shop, (tenant) => queueUnsentMails(tenant));
  fallSilent();
  await noted("details_needed");
  await next();
  const [later] = (await db.pool.query("DELETE FROM outbox WHERE shop = $1 RETURNING *", [shop]))
    .rows;
  await queue();
  expect(await next()).toMatchObject({ code: "postponed" });
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  await db.tenancy.inShop(shop, ({ shops }) => shops.uninstall(clock.now()));
  await db.pool.query(
    `INSERT INTO outbox (shop, name, singleton_key, payload, start_after)
     VALUES ($1, $2, $3, $4, $5)`,
    [shop, later.name, later.singleton_key, later.payload, later.start_after],
  );
  expect(await next()).toMatchObject({ code: "not_due" });
  await db.tenancy.inShop(shop, ({ shops }) => shops.install("", clock.now()));
  takeAll();
  await queue();
  expect(await next()).toMatchObject({ code: "sent" });
  expect(raw).toHaveLength(2);
});

test("a mail that was unclear goes out by the next job once the one that was to try it is lost", async () => {
  const { noted, next, shop, clock } = await start();
  const queue = () => db.tenancy.inShop(shop, (tenant) => queueUnsentMails(tenant));
  fallSilent();
  await noted("details_needed");
  await next();
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  takeAll();
  await queue();
  expect(await next()).toMatchObject({ code: "postponed" });
  clock.advance(70 * 60_000);
  expect(await next()).toMatchObject({ code: "sent" });
  expect(await next()).toBeNull();
});

test("an alert that the server never answers for ends as well", async () => {
  const { shop, next, clock } = await start();
  await db.tenancy.inShop(shop, async (tenant) => {
    const facts = { kind: "webhooks" as const, events: 0, messages: [] };
    const reader = { id: "00000000-0000-0000-0000-000000000000", address: "owner@shop.example" };
    const alertId = await tenant.alerts.note({ occurrence: "1", facts, reader, at: clock.now() });
    await tenant.alerts.saveRecipient({
      id: reader.id,
      email: null,
      kinds: ["webhooks"],
      stopped: [],
    });
    await tenant.jobs.enqueue({ name: "send-alert", shop, alertId: alertId ?? "" });
  });
  fallSilent();
  let tries = 0;
  while (await next()) tries++;
  expect(tries).toBe(6);
  expect(new Set(messageIds()).size).toBe(1);
});

test("an alert whose address is refused for now is tried for a day from the first refusal", async () => {
  const { shop, ports, clock } = await start();
  const alertId = await db.tenancy.inShop(shop, ({ alerts }) =>
    alerts.note({
      ...{ occurrence: "1", at: clock.now() },
      facts: { kind: "attention", orders: ["#1001"], count: 1 },
      reader: { id: "00000000-0000-0000-0000-000000000000", address: "owner@shop.example" },
    }),
  );
  const target = { shop, alertId: alertId ?? "" };
  const meets = (error: Error) =>
    sendAlert({ ...ports, mailer: { send: () => Promise.reject(error) } }, target).catch(errorCode);
  const refused = () => meets(new RecipientRefusedError(false));
  expect(await meets(new MailError())).toBe("mail_not_taken");
  // The server was away for days.
  clock.advance(3 * DAY_MS);
  for (let hour = 0; hour < 24; hour++) {
    expect(await refused()).toBe("mail_recipient_refused");
    clock.advance(DAY_MS / 24);
  }
  expect(await refused()).toBe("refused");
  expect(await refused()).toBe("not_due");
});

test.each([
  [24 * 60, [0, 10, 30, 90, 270, 810]],
  [60, [0, 10, 30]],
])("a mail that may be tried for %i minutes is tried after %j", (minutes, expected) => {
  const at = (ms: number) => new Date(START.getTime() + ms);
  const tries = [0];
  for (;;) {
    const now = at((tries.at(-1) ?? 0) * 60_000);
    const next = nextTry({ since: START, now, patienceMs: minutes * 60_000 });
    if (!next) break;
    tries.push((next.getTime() - START.getTime()) / 60_000);
  }
  expect(tries).toEqual(expected);
});
