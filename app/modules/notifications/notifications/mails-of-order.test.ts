import { afterAll, beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { startMailServer } from "../../../../test/database/mail-server.ts";
import {
  PATIENT as DETAILS,
  installedShop,
  newRequest,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { createSmtpMailer } from "../../../clients/mail/smtp-mailer.ts";
import type { Tenant } from "../../../ports.ts";
import { invitePatient } from "../../access/invite-patient.ts";
import { gid } from "../../kernel/ids.ts";
import type { NotificationKind } from "../../kernel/notification.ts";
import { readOrder } from "../../reports/read-order.ts";
import { resendDetails } from "../resend-details.ts";
import { sendMailAgain } from "../send-mail-again.ts";
import { sendNotification } from "../send-notification.ts";
import { sendReminder } from "../send-reminder.ts";

const db = await openTestDatabase();
const { url, stop, taken, refuse, takeAll } = await startMailServer();
afterAll(stop);

const BUYER = "mia@example.com";
const PATIENT = "pat@example.com";

beforeEach(() => {
  takeAll();
  taken.splice(0);
});

/** An order of two units, mailed through the sandbox's own SMTP server. */
async function start() {
  const shop = await installedShop(db);
  const run = mailRun(db, shop);
  const { clock } = run;
  const ports = { ...run.ports, mailer: createSmtpMailer({ url, from: "a@b.example" }) };
  const order = storeOrder({ lines: [orderLine({ quantity: 2 })] });
  const buyer = { ...order.buyer, email: BUYER };
  const requests = [1, 2].map((unit) => newRequest(shop, order, { unit }));
  const [id = "", other = ""] = requests.map((request) => request.id);
  const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
  await inShop(async (tenant) => {
    await tenant.orders.record({ ...order, buyer }, new Map(), START);
    await tenant.requests.add(requests, START);
    await tenant.staff.identify({ staff: "staff:5", name: "Sue", isAccountOwner: false }, START);
  });
  const note = (kind: NotificationKind, requestId = id) =>
    inShop(async (tenant) => {
      await tenant.notifications.note({ requestId, kind, occurrence: "" }, clock.now());
    });
  const read = async (actor: "staff:1" | "staff:5" = "staff:5") => {
    const found = await readOrder(ports, { shop, orderId: order.id, actor });
    if (!found) throw new Error("no order");
    return found;
  };
  const common = { shop, orderId: order.id, actor: "staff:5" } as const;
  return {
    ports,
    clock,
    id,
    other,
    inShop,
    note,
    read,
    async send(kind: NotificationKind, requestId = id) {
      await note(kind, requestId);
      await sendNotification(ports, { shop, requestId, kind, occurrence: "" });
    },
    /** Sends what is queued and due. */
    async queued() {
      const { rows } = await db.pool.query(
        `DELETE FROM outbox WHERE shop = $1 AND (name = 'send-mail' OR name = 'send-reminder' AND start_after <= $2)
         RETURNING name, payload`,
        [shop, new Date(clock.now())],
      );
      for (const { name, payload } of rows)
        await (name === "send-mail" ? sendNotification : sendReminder)(ports, { shop, ...payload });
      return rows.length;
    },
    again: (kind: NotificationKind, sentAt: Date) =>
      sendMailAgain(ports, { ...common, requestId: id, kind, sentAt }),
    askAgain: () => resendDetails(ports, common),
    invite: () =>
      invitePatient(ports, {
        shop,
        viewer: { kind: "customer", customerId: gid("Customer", 7) },
        requestId: id,
        email: PATIENT,
      }),
    hasAddress: (email: string) =>
      inShop((tenant) =>
        tenant.orders.record({ ...order, buyer: { ...buyer, email } }, new Map(), clock.now()),
      ),
    settle: () =>
      db.pool.query("UPDATE referral_requests SET state = 'created' WHERE shop = $1", [shop]),
    looks: async () =>
      (await inShop((tenant) => tenant.accessLog.forRequests([id, other], 50))).map(
        ({ what, actor }) => `${actor} ${what}`,
      ),
  };
}

/** The recipients of the sandbox's mail server, in sequence. */
const recipients = () => taken.map((mail) => mail.split(" ")[0]);

test("tells of each email to whom it went, when, and whether the mail server took it", async () => {
  const { send, note, read, settle, clock } = await start();
  await send("details_needed");
  await settle();
  clock.advance(1);
  await note("state_changed");
  clock.advance(1);
  refuse(BUYER, 550);
  await send("form_ready");
  const { mails } = await read();
  expect(mails).toMatchObject([
    { kinds: ["form_ready"], reader: "customer", address: BUYER, outcome: { kind: "refused" } },
    { kinds: ["state_changed"], outcome: { kind: "dropped" } },
    { kinds: ["details_needed"], address: BUYER, outcome: { kind: "accepted", at: START } },
  ]);
  expect(recipients()).toEqual([BUYER]);
});

test("says that a patient without a part in the unit got an email, and names no address of theirs", async () => {
  const { send, read, inShop, id } = await start();
  await inShop((tenant) =>
    tenant.requests.savePatient(id, { patient: DETAILS, medicare: null }, START),
  );
  await send("details_given");
  expect((await read()).mails).toMatchObject([{ reader: "patient", address: null, again: null }]);
  expect(recipients()).toEqual([DETAILS.email]);
});

test("names no address as the one that took an email when it is another by now", async () => {
  const { send, read, settle, hasAddress } = await start();
  await settle();
  await send("form_ready");
  await hasAddress("new@example.com");
  expect((await read()).mails).toMatchObject([
    {
      reader: "earlier",
      address: null,
      again: { by: "repeating", address: "new@example.com" },
    },
  ]);
});

test("sends an email again to the present address, once for two presses, and writes down who wanted it", async () => {
  const { send, read, settle, again, queued, hasAddress, clock, looks } = await start();
  await settle();
  await send("form_ready");
  await hasAddress("new@example.com");
  clock.advance(1);
  const pressed = await Promise.all([again("form_ready", START), again("form_ready", START)]);
  expect(pressed.map(({ kind }) => kind).sort()).toEqual(["queued", "sent_meanwhile"]);
  expect((await read()).mails[0]).toMatchObject({ outcome: { kind: "waiting" }, again: null });
  clock.advance(1);
  await queued();
  expect(recipients()).toEqual([BUYER, "new@example.com"]);
  const { mails, timeline } = await read();
  expect(mails).toMatchObject([
    { address: "new@example.com", outcome: { kind: "accepted" } },
    { reader: "unknown", address: null, outcome: { kind: "accepted", at: START }, again: null },
  ]);
  expect(timeline.find(({ kind }) => kind === "mail_asked_again")).toMatchObject({
    actor: "staff:5",
    detail: { mail: "form_ready" },
  });
  expect(await looks()).toEqual(["staff:5 mail_sent_again"]);
});

test("sends together again what went out together, and nothing more than five times a day", async () => {
  const { note, read, settle, again, queued, clock, id, other, inShop } = await start();
  await settle();
  for (const requestId of [id, other]) {
    await note("form_ready", requestId);
    clock.advance(1);
  }
  await inShop((tenant) =>
    tenant.jobs.enqueue({
      name: "send-mail",
      shop: tenant.shop,
      requestId: id,
      kind: "form_ready",
    }),
  );
  await queued();
  for (let time = 0; time < 5; time++) {
    const [mail] = (await read()).mails;
    expect(mail?.requestIds.toSorted()).toEqual([id, other].toSorted());
    clock.advance(1);
    expect(await again("form_ready", mail?.outcome.at ?? START)).toEqual({ kind: "queued" });
    await queued();
  }
  expect(taken).toHaveLength(6);
  const [mail] = (await read()).mails;
  expect(await again("form_ready", mail?.outcome.at ?? START)).toEqual({ kind: "too_often" });
  clock.advance(DAY_MS);
  expect(await again("form_ready", mail?.outcome.at ?? START)).toEqual({ kind: "queued" });
});

test("sends nothing again that is not true any more", async () => {
  const { send, read, again, settle, inShop, id, queued } = await start();
  await settle();
  await send("form_ready");
  await inShop((tenant) => tenant.requests.recordMailRefused(id, null));
  await db.pool.query("UPDATE referral_requests SET state = 'cancelled' WHERE id = $1", [id]);
  expect((await read()).mails).toMatchObject([{ again: null, outcome: { kind: "accepted" } }]);
  expect(await again("form_ready", START)).toEqual({ kind: "not_true_any_more" });
  expect(await queued()).toBe(0);
  expect((await read()).mails).toMatchObject([{ outcome: { kind: "accepted", at: START } }]);
});

test("shows a patient's address masked to support, and whole to a manager, whose look is logged once", async () => {
  const { invite, queued, read, looks } = await start();
  await invite();
  await queued();
  const address = async (actor: "staff:1" | "staff:5") => (await read(actor)).mails[0]?.address;
  expect(await address("staff:5")).toBe("p•••@example.com");
  expect(await looks()).toEqual([]);
  expect(await address("staff:1")).toBe(PATIENT);
  expect(await address("staff:1")).toBe(PATIENT);
  expect(await looks()).toEqual(["staff:1 address_viewed"]);
});

test("asks for details again once when it is pressed twice, and tells when the next reminder goes", async () => {
  const { send, read, askAgain, queued, clock } = await start();
  expect((await read()).reminders).toMatchObject([{ whyNone: "not_asked_yet", next: null }]);
  await send("details_needed");
  const on = (day: number) => new Date(START.getTime() + day * DAY_MS);
  expect((await read()).reminders).toMatchObject([
    { reader: "buyer", last: null, next: on(2), end: on(21), whyNone: null },
  ]);
  clock.advance(2 * DAY_MS);
  await queued();
  await queued();
  expect((await read()).reminders).toMatchObject([{ last: on(2), next: on(5) }]);
  const asked = await Promise.all([askAgain(), askAgain()]);
  expect(asked.map(({ kind }) => kind).sort()).toEqual(["asked_just_now", "queued"]);
  await queued();
  expect(taken).toHaveLength(3);
  clock.advance(9 * DAY_MS);
  expect((await read()).reminders).toMatchObject([{ whyNone: "last_one_sent", next: null }]);
  clock.advance(10 * DAY_MS);
  expect((await read()).reminders).toMatchObject([{ whyNone: "over", end: on(21) }]);
});
