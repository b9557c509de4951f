/** Long because a refused mail is followed for each of its readers: patient, buyer, reviewer and the shop's contact. */

import { randomUUID } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHoldsRequest } from "../../../../test/database/locks.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { startMailServer } from "../../../../test/database/mail-server.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  PATIENT,
  REVIEWER,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { createSmtpMailer } from "../../../clients/mail/smtp-mailer.ts";
import { describeFailure } from "../../../clients/referral-service/failures/describe-failure.ts";
import type { Tenant } from "../../../ports.ts";
import { invitePatient } from "../../access/invite-patient.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import type { NotificationKind } from "../../kernel/notification.ts";
import { applyOrder } from "../../orders/reconcile-order.ts";
import { describeItem } from "../../reports/attention-words.ts";
import { readSettings } from "../../reports/read-settings.ts";
import { describeEntry } from "../../reports/timeline-words.ts";
import { readMails } from "../read-mails.ts";
import { readPhones } from "../read-phones.ts";
import { resendDetails } from "../resend-details.ts";
import { retryMails } from "../retry-mails.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();
const { url, stop, taken, refuse, refuseEach, fallSilent, takeAll } = await startMailServer();
afterAll(stop);

const HOUR_MS = 3_600_000;
const BUYER = "mia@example.com";
const CONTACT = "owner@shop.example";

beforeEach(() => {
  takeAll();
  taken.splice(0);
});

/** An order of several units, mailed through the sandbox's own SMTP server. */
async function start(quantity = 1) {
  const shop = await installedShop(db);
  const run = mailRun(db, shop);
  const { clock } = run;
  const ports = { ...run.ports, mailer: createSmtpMailer({ url, from: "a@b.example" }) };
  const order = storeOrder({ lines: [orderLine({ quantity })] });
  const buyer = { ...order.buyer, email: BUYER, phone: "0491 570 156" };
  const requests = Array.from({ length: quantity }, (_, index) =>
    newRequest(shop, order, { unit: index + 1 }),
  );
  const [first] = requests;
  if (!first) throw new Error("no unit");
  const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
  await inShop(async (tenant) => {
    await tenant.shops.setContactEmail(CONTACT);
    await tenant.orders.record({ ...order, buyer }, new Map(), START);
    await tenant.requests.add(requests, START);
  });
  const send = async (kind: NotificationKind, occurrence = "") => {
    const due = { requestId: first.id, kind, occurrence };
    await inShop((tenant) => tenant.notifications.note(due, clock.now()));
    return sendNotification(ports, { shop, ...due });
  };
  return {
    shop,
    clock,
    ports,
    order: { ...order, buyer },
    ids: requests.map(({ id }) => id),
    id: first.id,
    inShop,
    send,
    /** Tries a mail as often as it takes until the server has put it off for so long since the last try. */
    async putOffFor(ms: number, kind: NotificationKind) {
      const end = clock.now().getTime() + ms;
      while (clock.now().getTime() < end) {
        clock.advance(Math.min(HOUR_MS, end - clock.now().getTime()));
        await expect(send(kind)).rejects.toMatchObject({ retryable: true });
      }
    },
    /** What needs a person, with how many units it is about. */
    async attention() {
      const items = await inShop((tenant) => tenant.overview.attentionOf([order.id]));
      return items.map(({ reason, requestIds }) => `${reason.code} ${requestIds.length}`);
    },
    async timeline() {
      const entries = await inShop((tenant) => tenant.timeline.forOrder(order.id));
      return entries.map(({ kind, detail }) => `${kind} ${detail.mail ?? ""}`.trim());
    },
    /** Staff read this of a mail that was not delivered: in the timeline, and in the list of emails. */
    told: (kind: NotificationKind) =>
      inShop(async (tenant) => {
        const requests = await tenant.requests.forOrder(order.id);
        const timeline = await tenant.timeline.forOrder(order.id);
        const context = { requests, timeline, reader: null, now: clock.now() };
        const mail = (await readMails(tenant, context)).find(({ kinds }) => kinds.includes(kind));
        return timeline
          .filter((one) => one.kind === "mail_refused" && one.detail.mail === kind)
          .map((one) => ({
            sentence: describeEntry(one, () => expect.unreachable()).sentence,
            outcome: mail?.outcome,
          }));
      }),
    /** Sends the mails that are queued, and returns which. */
    async queued() {
      const due = await takeJobs(db, shop, "send-mail");
      for (const mail of due) await sendNotification(ports, mail);
      return due.map(({ kind }) => kind);
    },
    /** Every result of the first unit was shown to its patient. */
    async hasResult() {
      const uuid = randomUUID();
      await inShop(async (tenant) => {
        await putRequest(tenant, first.id, { state: "created" });
        const snapshot = referralSnapshot({ uuid, status: "COMPLETE" });
        await tenant.referrals.save("staging", first.id, snapshot, START);
      });
      await db.pool.query(
        `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial, in_review, snapshot_sealed, service_updated_at, released_at, fetched_at)
         VALUES ($1, $2, 'staging', $3, $4, 'FINAL', false, false, '', $5, $5, $5)`,
        [shop, randomUUID(), first.id, uuid, START],
      );
    },
  };
}

test("tells the shop of every unit whose buyer’s address refuses mail, until a mail arrives", async () => {
  const { send, attention, ids, timeline, ports, shop, queued } = await start(2);
  refuse(BUYER);
  expect(await send("details_needed")).toBe("refused");
  expect(await attention()).toEqual(["mail_refused 2"]);
  expect(await timeline()).toContain("mail_refused details_needed");
  takeAll();
  const press = () => retryMails(ports, { shop, requestId: ids[1] ?? "", actor: "staff:7" });
  expect(await press()).toEqual({ kind: "queued" });
  expect(await queued()).toEqual(["details_needed"]);
  expect(taken).toEqual([`${BUYER} We need a few details for your order`]);
  expect(await attention()).toEqual([]);
  expect(await press()).toEqual({ kind: "nothing_refused" });
});

test("writes to a refused address no more, and says so", async () => {
  const { send, timeline } = await start();
  refuse(BUYER);
  await send("details_needed");
  takeAll();
  expect(await send("link_renewed")).toBe("withheld");
  expect(taken).toEqual([]);
  expect(await timeline()).toContain("mail_withheld link_renewed");
});

test("sends what waits once the store names another address", async () => {
  const { send, attention, order, shop, inShop, queued, clock } = await start();
  refuse(BUYER);
  await send("details_needed");
  const settings = await inShop((tenant) => tenant.shops.find());
  if (!settings) throw new Error(`${shop} is not there`);
  const reread = (email: string) => {
    clock.advance(1000);
    const next = { ...order, buyer: { ...order.buyer, email } };
    const at = { readAt: clock.now(), now: clock.now() };
    return inShop((tenant) => applyOrder(tenant, settings, next, at));
  };
  await reread(BUYER);
  expect(await attention()).toEqual(["mail_refused 1"]);
  await reread("mia.new@example.com");
  expect(await attention()).toEqual([]);
  expect(await queued()).toEqual(["details_needed"]);
  expect(taken).toEqual(["mia.new@example.com We need a few details for your order"]);
});

test("ends the refusal of an invitation with another one, and leaves the buyer’s units alone", async () => {
  const { attention, ids, inShop, ports, shop, queued, order } = await start(2);
  refuse("sam@example.com");
  const viewer = {
    kind: "customer",
    customerId: order.customerId ?? expect.unreachable(),
  } as const;
  const invite = (email: string) =>
    invitePatient(ports, { shop, viewer, requestId: ids[0] ?? "", email });
  expect(await invite("sam@example.com")).toMatchObject({ kind: "handed_over" });
  const step = async () => {
    const listed = await listCustomerRequests(ports, { shop, viewer });
    return listed.find(({ id }) => id === ids[0])?.nextStep;
  };
  expect(await step()).toContain("We have sent the patient a link");
  await queued();
  expect(await attention()).toEqual(["mail_refused 1"]);
  // The address may be mistyped, and its buyer alone can tell.
  expect(await step()).toContain("to sam@example.com couldn’t be delivered. Check the address");
  await invite("sam@example.org");
  expect(await attention()).toEqual([]);
  expect(await step()).toContain("We have sent the patient a link");
  await queued();
  expect(taken).toHaveLength(1);
  expect(await inShop((tenant) => tenant.requests.find(ids[1] ?? ""))).toMatchObject({
    owner: "buyer",
    mailRefusedAt: null,
  });
});

test("has staff who ask again try a refused address again", async () => {
  const { send, ports, shop, order, queued } = await start();
  refuse(BUYER);
  await send("details_needed");
  takeAll();
  await resendDetails(ports, { shop, orderId: order.id, actor: "staff:7" });
  await queued();
  expect(taken).toHaveLength(1);
});

test.each([
  ["results_today", 1],
  ["results_available", 24],
] as const)("takes %s for refused after %i h of temporary refusals", async (kind, hours) => {
  const { send, attention, clock, hasResult, told, putOffFor } = await start();
  await hasResult();
  refuse(BUYER, 450);
  await expect(send(kind)).rejects.toMatchObject({ retryable: true });
  await putOffFor(hours * HOUR_MS - 1, kind);
  expect(await attention()).toEqual([]);
  clock.advance(1);
  expect(await send(kind)).toBe("refused");
  expect(await attention()).toHaveLength(1);
  const [entry] = await told(kind);
  expect(entry?.sentence).toContain(
    `couldn’t be delivered in ${hours === 1 ? "an hour" : "a day"}`,
  );
  expect(entry?.sentence).not.toContain("refuses");
  expect(entry?.outcome).toEqual({ kind: "undelivered", at: clock.now(), triedForHours: hours });
});

test("counts the day of refusals for now from the first, also of a mail that was due for days", async () => {
  const { send, attention, clock, ports, shop, id, inShop, putOffFor } = await start();
  const due = { requestId: id, kind: "details_needed", occurrence: "" } as const;
  await inShop((tenant) => tenant.notifications.note(due, clock.now()));
  const away = { ...ports, mailer: createSmtpMailer({ url: undefined, from: "a@b.example" }) };
  await expect(sendNotification(away, { shop, ...due })).rejects.toMatchObject({ retryable: true });
  clock.advance(72 * HOUR_MS);
  refuse(BUYER, 450);
  await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
  await putOffFor(24 * HOUR_MS - 1, "details_needed");
  expect(await attention()).toEqual([]);
  clock.advance(1);
  expect(await send("details_needed")).toBe("refused");
  expect(await attention()).toEqual(["mail_refused 1"]);
});

test("counts no time in which nobody could refuse a mail to a day of refusals for now", async () => {
  const { send, attention, clock, ports, shop, id } = await start();
  refuse(BUYER, 450);
  await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
  const away = { ...ports, mailer: createSmtpMailer({ url: undefined, from: "a@b.example" }) };
  const due = { requestId: id, kind: "details_needed" } as const;
  for (let day = 0; day < 3; day++) {
    clock.advance(24 * HOUR_MS);
    await expect(sendNotification(away, { shop, ...due })).rejects.toMatchObject({
      code: "mail_not_taken",
    });
  }
  await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
  expect(await attention()).toEqual([]);
});

test.each([
  [550, "the mail server refuses the address", "ask for the right address"],
  [450, "each time for a day. Nobody has refused the address", "press Send again"],
])(
  "says in Needs attention how a mail that ended with %i can't be delivered",
  async (status, happened, remedy) => {
    const { send, inShop, order, putOffFor, clock } = await start(2);
    refuse(BUYER, status);
    if (status === 450) {
      await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
      await putOffFor(24 * HOUR_MS - 1, "details_needed");
      clock.advance(1);
    }
    expect(await send("details_needed")).toBe("refused");
    const [item] = await inShop((tenant) => tenant.overview.attentionOf([order.id]));
    const words = describeItem(item ?? expect.unreachable(), describeFailure);
    expect(words.sentence).toContain(happened);
    expect(words.nextStep).toContain(remedy);
  },
);

test("counts the refusals for now of each address by themselves", async () => {
  const { send, attention, clock, order, shop, inShop, putOffFor } = await start();
  refuse(BUYER, 450);
  await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
  await putOffFor(23 * HOUR_MS, "details_needed");
  const settings = (await inShop((tenant) => tenant.shops.find())) ?? expect.unreachable(shop);
  const next = { ...order, buyer: { ...order.buyer, email: "mia.new@example.com" } };
  const at = { readAt: clock.now(), now: clock.now() };
  await inShop((tenant) => applyOrder(tenant, settings, next, at));
  clock.advance(HOUR_MS);
  refuse("mia.new@example.com", 450);
  await expect(send("details_needed")).rejects.toMatchObject({ retryable: true });
  expect(await attention()).toEqual([]);
});

test("tries a mail for a day again once it waited for its refused address, and staff send it again", async () => {
  const { send, attention, clock, ports, shop, id, queued } = await start();
  refuse(BUYER, 450);
  await expect(send("link_renewed")).rejects.toMatchObject({ retryable: true });
  refuse(BUYER);
  await send("details_needed");
  expect(await send("link_renewed")).toBe("withheld");
  clock.advance(48 * HOUR_MS);
  await retryMails(ports, { shop, requestId: id, actor: "staff:7" });
  refuse(BUYER, 450);
  await expect(queued()).rejects.toMatchObject({ retryable: true });
  await expect(send("link_renewed")).rejects.toMatchObject({ retryable: true });
  expect(await attention()).toEqual([]);
});

test("tells the shop at once of a critical mail an hour late that is refused for now, and tries it on", async () => {
  const { send, attention, clock, ports, shop, id, inShop, queued, hasResult, timeline } =
    await start();
  await hasResult();
  const due = { requestId: id, kind: "results_today", occurrence: "" } as const;
  await inShop((tenant) => tenant.notifications.note(due, clock.now()));
  clock.advance(HOUR_MS);
  refuse(BUYER, 450);
  for (const _ of [1, 2])
    await expect(sendNotification(ports, { shop, ...due })).rejects.toMatchObject({
      retryable: true,
    });
  expect(await attention()).toEqual(["urgent_result_shown 1"]);
  expect(await queued()).toEqual(["patient_unreachable"]);
  expect(await timeline()).not.toContain("mail_refused results_today");
  takeAll();
  expect(await send("results_today")).toBe("sent");
});

test("says of an address that was refused for good that it refuses emails", async () => {
  const { send, clock, told } = await start();
  refuse(BUYER);
  await send("details_needed");
  const [entry] = await told("details_needed");
  expect(entry?.sentence).toContain("the address refuses it");
  expect(entry?.outcome).toEqual({ kind: "refused", at: clock.now() });
});

test("tells the shop at once to ring about a critical result that cannot be mailed", async () => {
  const { send, attention, hasResult, queued } = await start();
  refuse(BUYER);
  await send("details_needed");
  await hasResult();
  expect(await send("results_today")).toBe("refused");
  expect(await attention()).toEqual(["urgent_result_shown 1"]);
  expect(await queued()).toEqual(["patient_unreachable"]);
  expect(taken).toEqual([
    "owner@shop.example Please ring a patient today: an email can’t be delivered",
  ]);
});

test("tells the shop before a critical mail is tried while the server is away", async () => {
  const { send, attention, hasResult, ports, shop, id, queued, inShop, clock } = await start();
  refuse(BUYER);
  await send("details_needed");
  await hasResult();
  const down = { ...ports, mailer: createSmtpMailer({ url: undefined, from: "a@b.example" }) };
  const due = { requestId: id, kind: "results_today" } as const;
  await inShop((tenant) => tenant.notifications.note(due, clock.now()));
  await expect(sendNotification(down, { shop, ...due })).rejects.toMatchObject({
    code: "mail_not_taken",
    retryable: true,
  });
  expect(await attention()).toEqual(["urgent_result_shown 1"]);
  expect(await queued()).toEqual(["patient_unreachable"]);
});

test("tells the shop to ring once an hour of tries leaves open whether a critical mail arrived", async () => {
  const { attention, hasResult, ports, shop, id, inShop, clock, timeline } = await start();
  await hasResult();
  fallSilent();
  const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 300 };
  const mailer = createSmtpMailer({ url, from: "a@b.example", patience });
  const due = { requestId: id, kind: "results_today" } as const;
  await inShop((tenant) => tenant.notifications.note(due, clock.now()));
  const unclearSince = clock.now().getTime();
  clock.advance(HOUR_MS / 2);
  const sent = sendNotification({ ...ports, mailer }, { shop, ...due, unclearSince });
  await expect(sent).rejects.toMatchObject({ code: "mail_unclear" });
  expect(await attention()).toEqual(["urgent_result_shown 1"]);
  expect(await timeline()).toContain("mail_unclear results_today");
  expect(await sendNotification(ports, { shop, ...due })).toBe("not_due");
});

test("keeps a mail due when no server takes it, and blames no address", async () => {
  const { attention, inShop, ports, shop, id, clock } = await start();
  const mailer = createSmtpMailer({ url: "smtp://127.0.0.1:1", from: "a@b.example" });
  const due = { requestId: id, kind: "details_needed" } as const;
  await inShop((tenant) => tenant.notifications.note(due, clock.now()));
  const sent = sendNotification({ ...ports, mailer }, { shop, ...due });
  await expect(sent).rejects.toMatchObject({ code: "mail_not_taken", retryable: true });
  expect(await attention()).toEqual([]);
});

test("marks nobody’s unit for a patient who has no part in it", async () => {
  const { send, attention, inShop, id, timeline } = await start();
  await inShop((tenant) =>
    tenant.requests.savePatient(id, { patient: PATIENT, medicare: null }, START),
  );
  refuse(PATIENT.email);
  expect(await send("details_given")).toBe("refused");
  expect(await attention()).toEqual([]);
  expect(await timeline()).toEqual(["mail_refused details_given"]);
});

test("shows a patient’s number to reviewers and managers alone, and logs each look", async () => {
  const { ids, id, inShop, ports, shop, queued, order, clock } = await start(2);
  const viewer = {
    kind: "customer",
    customerId: order.customerId ?? expect.unreachable(),
  } as const;
  await invitePatient(ports, { shop, viewer, requestId: id, email: "sam@example.com" });
  refuse("sam@example.com");
  await queued();
  const phoneFor = (reader: `staff:${string}` | null) =>
    inShop(async (tenant) => {
      const requests = await tenant.requests.forOrder(order.id);
      return Object.fromEntries(await readPhones(tenant, requests, { reader, now: clock.now() }));
    });
  // Nobody but the buyer can invite the patient at another address.
  expect(await phoneFor("staff:1")).toEqual({
    [id]: { kind: "buyer", phone: "0491 570 156", why: "refused" },
  });
  await inShop(async (tenant) => {
    await tenant.requests.savePatient(id, { patient: PATIENT, medicare: null }, START);
    for (const [number, role] of [
      ["1", "reviewer"],
      ["2", "support"],
      ["3", "manager"],
    ] as const) {
      const staff = `staff:${number}`;
      await tenant.staff.identify({ staff, name: role, isAccountOwner: false }, START);
      await tenant.staff.setRole(staff, role);
    }
  });
  expect(await phoneFor("staff:2")).toEqual({ [id]: { kind: "not_shown", why: "refused" } });
  expect(await phoneFor(null)).toEqual({ [id]: { kind: "not_shown", why: "refused" } });
  const log = () => inShop((tenant) => tenant.accessLog.forRequests(ids, 10));
  expect(await log()).toEqual([]);
  expect(await phoneFor("staff:1")).toEqual({
    [id]: { kind: "patient", phone: PATIENT.phone, why: "refused" },
  });
  expect(await log()).toMatchObject([{ what: "phone_viewed", actor: "staff:1", requestId: id }]);
  // A colleague's look of a moment ago is not theirs.
  await phoneFor("staff:3");
  await phoneFor("staff:1");
  const actors = (await log()).map(({ actor }) => actor);
  expect(actors.toSorted()).toEqual(["staff:1", "staff:3"]);
});

test.each(["urgent_result_shown", "urgent_result_held"] as const)(
  "shows whom to ring about %s to reviewers and managers, though emails arrive",
  async (resultReason) => {
    const { ids, id, inShop, order, clock } = await start(2);
    const phonesFor = (reader: `staff:${string}` | null) =>
      inShop(async (tenant) => {
        const requests = await tenant.requests.forOrder(order.id);
        return Object.fromEntries(await readPhones(tenant, requests, { reader, now: clock.now() }));
      });
    await inShop(async (tenant) => {
      await tenant.requests.savePatient(id, { patient: PATIENT, medicare: null }, START);
      for (const [staff, role] of [
        ["staff:1", "reviewer"],
        ["staff:2", "support"],
      ] as const) {
        await tenant.staff.identify({ staff, name: role, isAccountOwner: false }, START);
        await tenant.staff.setRole(staff, role);
      }
    });
    expect(await phonesFor("staff:1")).toEqual({});
    await inShop((tenant) => putRequest(tenant, id, { state: "created", resultReason }));
    // The buyer has a number that everybody sees in Shopify, and may be somebody else.
    const buyers = { kind: "buyer", phone: "0491 570 156", why: "result" };
    expect(await phonesFor(null)).toEqual({ [id]: buyers });
    expect(await phonesFor("staff:2")).toEqual({ [id]: buyers });
    const log = () => inShop((tenant) => tenant.accessLog.forRequests(ids, 10));
    expect(await log()).toEqual([]);
    for (const _ of ["opened", "read again"])
      expect(await phonesFor("staff:1")).toEqual({
        [id]: { kind: "patient", phone: PATIENT.phone, why: "result" },
      });
    expect(await log()).toMatchObject([{ what: "phone_viewed", actor: "staff:1", requestId: id }]);
  },
);

test("shows the buyer’s own number as the store’s order has it", async () => {
  const { send, id, inShop, order, clock } = await start();
  refuse(BUYER);
  await send("details_needed");
  const found = await inShop(async (tenant) => {
    const requests = await tenant.requests.forOrder(order.id);
    return readPhones(tenant, requests, { reader: null, now: clock.now() });
  });
  expect(found.get(id)).toEqual({ kind: "buyer", phone: "0491 570 156", why: "refused" });
});

/** A mail to the shop's reviewer and its contact address about a result that is held. */
async function startReview(reviewer = REVIEWER.email) {
  const world = await start();
  const { ports, shop, inShop, order, hasResult } = world;
  await hasResult();
  await db.pool.query("UPDATE results SET released_at = NULL WHERE shop = $1", [shop]);
  await inShop((tenant) =>
    tenant.shops.updateSettings({ reviewer: { ...REVIEWER, email: reviewer } }),
  );
  return {
    ...world,
    /** Which addresses refused mail, as the settings say. */
    async refusing() {
      const { alerts, isReviewerRefused } = await readSettings(
        { ...ports, emailByService: false },
        shop,
      );
      const listed = alerts.filter(({ isRefused }) => isRefused).map(({ address }) => address);
      return [...(isReviewerRefused ? ["reviewer"] : []), ...listed];
    },
    async refusals() {
      const entries = await inShop((tenant) => tenant.timeline.forOrder(order.id));
      return entries.flatMap(({ kind, detail }) => (kind === "mail_refused" ? [detail] : []));
    },
  };
}

test.each([
  ["contact", CONTACT, REVIEWER.email, [CONTACT]],
  ["reviewer", REVIEWER.email, CONTACT, ["reviewer"]],
])(
  "mails the others once when the %s’s address refuses a mail to the shop, and says whose it is",
  async (reader, refused, other, shown) => {
    const { send, queued, refusing, refusals } = await startReview();
    refuse(refused);
    expect(await send("review_today")).toBe("sent");
    expect(await queued()).toEqual(["review_today"]);
    expect(await queued()).toEqual([]);
    expect(taken).toEqual([`${other} Please review a result today`]);
    expect(await refusals()).toEqual([{ mail: "review_today", reader }]);
    expect(await refusing()).toEqual(shown);
    takeAll();
    expect(await send("review_today", "later")).toBe("sent");
    expect(await refusing()).toEqual([]);
  },
);

test("mails a reader of the shop who was refused for now alone, and nobody else again", async () => {
  const { send, queued, refusing, refusals, ports, shop, id } = await startReview();
  refuse(CONTACT, 450);
  expect(await send("review_today")).toBe("sent");
  await expect(queued()).rejects.toMatchObject({ code: "mail_recipient_refused" });
  takeAll();
  const due = { requestId: id, kind: "review_today", occurrence: "to contact" } as const;
  expect(await sendNotification(ports, { shop, ...due })).toBe("sent");
  expect(await sendNotification(ports, { shop, ...due })).toBe("not_due");
  const said = "Please review a result today";
  expect(taken).toEqual([`${REVIEWER.email} ${said}`, `${CONTACT} ${said}`]);
  expect(await refusals()).toEqual([]);
  expect(await refusing()).toEqual([]);
});

test("waits for the reader of the shop who is refused for now, when the others are refused for good", async () => {
  const { send, refusing } = await startReview();
  refuseEach([
    { to: REVIEWER.email, status: 450 },
    { to: CONTACT, status: 550 },
  ]);
  await expect(send("review_today")).rejects.toMatchObject({ retryable: true });
  refuseEach([
    { to: REVIEWER.email, status: 550 },
    { to: CONTACT, status: 550 },
  ]);
  expect(await send("review_today")).toBe("refused");
  expect(await refusing()).toEqual(["reviewer", CONTACT]);
});

test("tells of a reviewer’s address that is none, and mails the contact address", async () => {
  const { send, queued, refusals, refusing } = await startReview("robin at example");
  expect(await send("review_today")).toBe("sent");
  expect(await queued()).toEqual(["review_today"]);
  expect(taken).toEqual([`${CONTACT} Please review a result today`]);
  expect(await refusals()).toEqual([{ mail: "review_today", reader: "reviewer" }]);
  expect(await refusing()).toEqual(["reviewer"]);
});

test("writes once to a reviewer who is also the contact address, however it is written", async () => {
  const { send } = await startReview("Owner@Shop.example");
  expect(await send("review_today")).toBe("sent");
  expect(taken).toEqual([`Owner@shop.example Please review a result today`]);
});

test("two presses to try again at once are one line in the order's story", async () => {
  const { id, shop, ports, inShop, timeline, clock } = await start(1);
  await inShop((tenant) => tenant.requests.recordMailRefused(id, clock.now()));
  const held = await whoHoldsRequest(db, id);
  const press = () => retryMails(ports, { shop, requestId: id, actor: "staff:7" });
  const both = Promise.all([press(), press()]);
  await untilWaiting(db, 2, both);
  await held.end();
  expect((await both).map(({ kind }) => kind).toSorted()).toEqual(["nothing_refused", "queued"]);
  expect((await timeline()).filter((entry) => entry === "mail_retried")).toHaveLength(1);
});
