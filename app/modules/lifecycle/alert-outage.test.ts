/** Long because one outage is gone through: who is told, who has left meanwhile, and who hears of it afterwards. */

import { afterAll, expect, onTestFinished, test } from "vitest";
import { alertRun } from "../../../test/database/alert-run.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startFlowStore } from "../../../test/database/flow-store.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { takeJobs } from "../../../test/database/take-jobs.ts";
import { armCrashPoints } from "../../platform/crash-points.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { CONTACT_ID } from "../shops/alert.ts";
import { removeAlertRecipient, saveAlerts } from "../shops/save-alerts.ts";
import { readStopLink, stopAlerts } from "../shops/stop-alerts.ts";
import type { StoreAccess } from "../shops/store-access.ts";
import { ALERT_AFTER_MS, alertOutage } from "./alert-outage.ts";
import { startOutageFlow } from "./start-outage-flow.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());
afterAll(() => armCrashPoints(null));

const storeAccess: StoreAccess = { check: async () => "open", hasCustomer: async () => false };

const AWAY = "The referral service takes no orders at the moment";
const BACK = "The referral service answers again";

/** A connected shop whose merchant can be written to, with the emails that it was sent. */
async function open() {
  const shop = await installedShop(db);
  await connect(db, shop);
  const name = shop.split(".")[0];
  const contact = `owner-of-${name}@example.com`;
  const other = `night-shift-of-${name}@example.com`;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(contact));
  const run = alertRun(db, shop, server.url);
  const { clock, ports } = run;
  const calls = (failureCode: string | null) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordCalls("staging", {
        answeredAt: failureCode ? null : clock.now(),
        failingSince: failureCode ? clock.now() : null,
        failureCode,
      }),
    );
  const choose = (id: string | null, email: string | null, isOn: boolean) =>
    saveAlerts(ports, {
      ...{ shop, id, actor: "staff:7" },
      wished: { email, kinds: isOn ? ["outage"] : [] },
    });
  return {
    ...{ shop, contact, other, calls, choose, ...run },
    alert: () => alertOutage(ports, { shop, environment: "staging" }),
    taken: (to: string) =>
      server.taken.flatMap((one) => (one.startsWith(`${to} `) ? [one.slice(to.length + 1)] : [])),
    /** An outage that has lasted long enough. */
    async goAway() {
      await calls("referral_service_server");
      clock.advance(ALERT_AFTER_MS);
    },
  };
}

test("tells an outage once after some minutes, and its end once, across processes", async () => {
  const { alert, calls, clock, contact, mails, runJobs, taken } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS - 1);
  expect(await alert()).toBe("nothing_to_tell");
  clock.advance(1);
  const both = await Promise.all([alert(), alert()]);
  expect(both.toSorted()).toEqual(["nothing_to_tell", "outage_told"]);
  expect(await runJobs()).toEqual(["sent"]);
  // Another process, or the same one after a restart.
  expect(await alert()).toBe("nothing_to_tell");
  // Answered for a moment, and away again: still the outage that was told.
  await calls(null);
  await calls("referral_service_timeout");
  clock.advance(2 * ALERT_AFTER_MS);
  expect(await alert()).toBe("nothing_to_tell");
  await calls(null);
  expect((await Promise.all([alert(), alert()])).toSorted()).toEqual([
    "end_told",
    "nothing_to_tell",
  ]);
  expect(await runJobs()).toEqual(["sent"]);
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken(contact)).toEqual([AWAY, BACK]);
  // Also true of a service that had refused the credentials.
  expect(mails[1]?.text).not.toContain("had not answered");
  expect(mails[0]?.text).toContain("https://admin.example/app/settings/connection");
});

test("tells everybody who wants it, each address once, and nobody else", async () => {
  const { alert, choose, contact, goAway, other, rows, runJobs, taken } = await open();
  await choose(null, other, true);
  await choose(null, `un${other}`, false);
  // The contact address is on the list anyway, however it is written.
  expect(await choose(null, contact.toUpperCase(), true)).toEqual({ kind: "known_address" });
  await goAway();
  expect(await alert()).toBe("outage_told");
  expect(await runJobs()).toEqual(["sent", "sent"]);
  expect(taken(contact)).toEqual([AWAY]);
  expect(taken(other)).toEqual([AWAY]);
  expect(taken(`un${other}`)).toEqual([]);
  expect(await rows()).toEqual([
    { kind: "outage", is_sent: true },
    { kind: "outage", is_sent: true },
  ]);
});

test("sends again what a process had sent and not written down, to that person alone", async () => {
  const { alert, choose, contact, goAway, other, rows, runJobs, taken } = await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  let deaths = 1;
  armCrashPoints((point) => {
    if (point === "mail.after-send-before-record" && deaths-- > 0) throw new Error("died here");
  });
  const outcomes = await runJobs();
  armCrashPoints(null);
  expect(outcomes).toEqual(expect.arrayContaining(["died here", "sent"]));
  expect(await rows()).toEqual(
    expect.arrayContaining([
      { kind: "outage", is_sent: false },
      { kind: "outage", is_sent: true },
    ]),
  );
  // The engine gives the job of a dead process to another.
  expect(await runJobs()).toEqual(["sent"]);
  expect(await runJobs()).toEqual([]);
  expect([taken(contact).length, taken(other).length].toSorted()).toEqual([1, 2]);
});

test("tells of an outage whoever is added while nobody wants to hear of it", async () => {
  const { alert, choose, contact, goAway, other, runJobs, taken } = await open();
  await choose(CONTACT_ID, null, false);
  await goAway();
  expect(await alert()).toBe("nothing_to_tell");
  await choose(null, other, true);
  expect(await alert()).toBe("outage_told");
  await runJobs();
  expect(taken(other)).toEqual([AWAY]);
  expect(taken(contact)).toEqual([]);
});

test("forgets an email whose outage is over, or whose reader wants it no more", async () => {
  const { alert, calls, choose, contact, goAway, other, ports, rows, runJobs, shop, taken } =
    await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  const listed = await db.tenancy.inShop(shop, (tenant) => tenant.alerts.recipients());
  const id = listed.find(({ email }) => email === other)?.id ?? "";
  await removeAlertRecipient(ports, { shop, id, actor: "staff:7" });
  // The outgoing server was away for as long as the outage.
  await calls(null);
  expect(await alert()).toBe("end_told");
  expect((await runJobs()).toSorted()).toEqual(["not_due", "not_due", "sent"]);
  expect(taken(contact)).toEqual([BACK]);
  expect(taken(other)).toEqual([]);
  expect(await rows()).toEqual([{ kind: "outage", is_sent: true }]);
});

/** The id under which an address stands in the list. */
const idOf = (shop: ShopDomain, address: string) =>
  db.tenancy.inShop(shop, async ({ alerts }) => {
    const list = await alerts.recipients();
    return list.find(({ email }) => email === address)?.id ?? "";
  });

test("an email that waits goes to its reader's new address, once", async () => {
  const { alert, choose, contact, goAway, other, runJobs, shop, taken } = await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  await choose(await idOf(shop, other), `new-${other}`, true);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(`new-${contact}`));
  await runJobs();
  await alert();
  await runJobs();
  for (const address of [other, contact]) {
    expect(taken(address)).toEqual([]);
    expect(taken(`new-${address}`)).toEqual([AWAY]);
  }
});

test("an address that two readers had by turns gets an email once", async () => {
  const { alert, choose, contact, goAway, other, rows, runJobs, shop, taken } = await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  // The contact address becomes what the other reader's is.
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(other));
  await runJobs();
  expect([taken(contact), taken(other)]).toEqual([[], [AWAY]]);
  expect(await rows()).toEqual([{ kind: "outage", is_sent: true }]);
});

test("an email that would reach nobody goes to whoever is on the list instead", async () => {
  const { alert, choose, goAway, other, ports, runJobs, shop, taken } = await open();
  await choose(CONTACT_ID, null, false);
  await choose(null, other, true);
  await choose(null, `second-${other}`, true);
  await goAway();
  await alert();
  for (const address of [other, `second-${other}`]) {
    const id = await idOf(shop, address);
    await removeAlertRecipient(ports, { shop, id, actor: "staff:7" });
  }
  await choose(null, `new-${other}`, true);
  expect(new Set(await runJobs())).toEqual(new Set(["not_due"]));
  expect(await runJobs()).toEqual(["sent"]);
  expect(taken(`new-${other}`)).toEqual([AWAY]);
});

test("an email that nobody is left for waits, and goes to the next who wants it", async () => {
  const { alert, calls, choose, goAway, other, ports, rows, runJobs, shop, taken } = await open();
  await choose(CONTACT_ID, null, false);
  await choose(null, other, true);
  await goAway();
  await alert();
  const id = await idOf(shop, other);
  await removeAlertRecipient(ports, { shop, id, actor: "staff:7" });
  expect(await runJobs()).toEqual(["no_reader"]);
  expect(await rows()).toEqual([{ kind: "outage", is_sent: false }]);
  await choose(null, `later-${other}`, true);
  expect(await runJobs()).toEqual(["not_due"]);
  expect(await runJobs()).toEqual(["sent"]);
  expect(taken(`later-${other}`)).toEqual([AWAY]);
  await calls(null);
  await alert();
  await runJobs();
  expect(taken(`later-${other}`)).toEqual([AWAY, BACK]);
  expect(taken(other)).toEqual([]);
});

test("the link of somebody who was taken off the list still tells what it stopped", async () => {
  const { alert, choose, goAway, mails, other, ports, runJobs, shop } = await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  await runJobs();
  const url = mails.find(({ to }) => to === other)?.unsubscribeUrl ?? "";
  const link = { shop, token: url.slice(url.lastIndexOf(".") + 1) };
  expect(await readStopLink(ports, link)).toEqual({ kind: "outage", isDue: true });
  const id = await idOf(shop, other);
  await removeAlertRecipient(ports, { shop, id, actor: "staff:7" });
  expect(await readStopLink(ports, link)).toEqual({ kind: "outage", isDue: false });
  expect(await stopAlerts(ports, link)).toBe("outage");
  // It stops nobody else's.
  const { kinds } = await db.tenancy.inShop(shop, async ({ alerts }) => ({
    kinds: (await alerts.recipients()).flatMap((one) => one.stopped),
  }));
  expect(kinds).toEqual([]);
});

test("one click in an email stops this kind for its reader, and the next outage is told to others", async () => {
  const { alert, calls, choose, contact, goAway, mails, other, ports, runJobs, shop, taken } =
    await open();
  await choose(null, other, true);
  await goAway();
  await alert();
  await runJobs();
  const [mail] = mails.filter(({ to }) => to === contact);
  const url = mail?.unsubscribeUrl ?? "";
  expect(mail?.text).toContain(`Stop emails about outages: ${url}`);
  const token = url.slice(url.lastIndexOf(".") + 1);
  expect(url).toBe(`https://app.example/stop/${shop.split(".")[0]}.${token}`);
  expect(await stopAlerts(ports, { shop, token: "x".repeat(43) })).toBe(null);
  expect(await stopAlerts(ports, { shop, token })).toBe("outage");
  expect(await stopAlerts(ports, { shop, token })).toBe("outage");
  const [contactRow] = await db.tenancy.inShop(shop, async (tenant) =>
    (await tenant.alerts.recipients()).filter(({ id }) => id === CONTACT_ID),
  );
  expect(contactRow).toMatchObject({ kinds: ["attention"], stopped: ["outage"] });
  const changes = await db.tenancy.inShop(shop, (tenant) => tenant.accessLog.ofShop(10));
  expect(changes.filter(({ detail }) => detail?.deed === "stopped")).toMatchObject([
    { who: "link", what: "alerts_changed", detail: { recipient: CONTACT_ID, kinds: "outage" } },
  ]);
  // The end, and another outage.
  await calls(null);
  await alert();
  await runJobs();
  await goAway();
  await alert();
  await runJobs();
  expect(taken(contact)).toEqual([AWAY]);
  expect(taken(other)).toEqual([AWAY, BACK, AWAY]);
});

test("tells since when by the store's own clock", async () => {
  const { shop, alert, calls, clock, mails, runJobs } = await open();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.recordFacts({ timeZone: "Australia/Perth" }),
  );
  // The evening of a day in Perth is the next morning in Sydney.
  clock.advance(Date.parse("2026-11-20T14:15:00Z") - clock.now().getTime());
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("outage_told");
  await runJobs();
  expect(mails[0]?.text).toMatch(/since 20 Nov 2026,? 10:15.pm AWST/);
});

test("tells nothing of an outage that ends within minutes", async () => {
  const { alert, calls, clock, rows } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS - 1);
  await calls(null);
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("nothing_to_tell");
  expect(await rows()).toEqual([]);
});

test("asks for new credentials when the service refuses them", async () => {
  const { alert, calls, clock, contact, runJobs, taken } = await open();
  await calls("referral_service_unauthorized");
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("outage_told");
  await runJobs();
  expect(taken(contact)).toEqual(["The referral service doesn’t accept your credentials"]);
});

test("asks nothing of the merchant when Pathway's own machine can't reach the service", async () => {
  const { alert, calls, clock, contact, mails, runJobs, taken } = await open();
  await calls("referral_service_unreachable");
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("outage_told");
  await runJobs();
  expect(taken(contact)).toEqual(["Pathway can’t reach the referral service"]);
  expect(mails[0]?.text).toContain("Pathway’s operator has been told");
  expect(mails[0]?.text).not.toContain("support");
});

test("tries again while the mail server is away for now, and notes that an address refuses for good", async () => {
  const { alert, calls, clock, contact, goAway, runJobs, shop, taken } = await open();
  const refused = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.alerts.refusedBy([contact, "pat@example.com"]));
  await goAway();
  expect(await alert()).toBe("outage_told");
  server.refuse(contact, 450);
  expect(await runJobs()).toEqual(["mail_recipient_refused"]);
  expect(await refused()).toEqual([]);
  server.refuse(contact, 550);
  expect(await runJobs()).toEqual(["refused"]);
  expect(await refused()).toEqual([contact]);
  server.takeAll();
  expect(await runJobs()).toEqual([]);
  expect(taken(contact)).toEqual([]);
  // The next alert is tried anew.
  clock.advance(1000);
  await calls(null);
  await alert();
  expect(await runJobs()).toEqual(["sent"]);
  expect(await refused()).toEqual([]);
});

test("writes to nobody at a shop that has left", async () => {
  const { shop, alert, clock, goAway, rows, runJobs } = await open();
  await goAway();
  await alert();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  expect(await runJobs()).toEqual(["not_due"]);
  expect(await rows()).toEqual([]);
  await goAway();
  expect(await alert()).toBe("nothing_to_tell");
});

test("starts the merchant's workflows of an outage and of its end, also when nobody wants emails", async () => {
  const { alert, calls, choose, goAway, ports, rows, runJobs, shop } = await open();
  await choose(CONTACT_ID, null, false);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ startFlows: true }));
  const { orderStatusPublisher, flows, close } = await startFlowStore();
  onTestFinished(close);
  const start = async () => {
    const jobs = await takeJobs(db, shop, "start-outage-flow");
    for (const job of jobs)
      expect(await startOutageFlow({ ...ports, orderStatusPublisher, storeAccess }, job)).toBe(
        "told",
      );
    return jobs.length;
  };
  await goAway();
  expect(await alert()).toBe("outage_told");
  expect(await alert()).toBe("nothing_to_tell");
  expect(await start()).toBe(1);
  await calls(null);
  expect(await alert()).toBe("end_told");
  expect(await start()).toBe(1);
  const payload = { Environment: "staging", Since: "2026-11-20T00:00:00.000Z" };
  expect(await flows()).toMatchObject([
    { handle: "pathway-outage", payload: { State: "ended", ...payload } },
    { handle: "pathway-outage", payload: { State: "began", ...payload } },
  ]);
  // The email waits for somebody, and is not true any more when somebody wants it.
  expect(await rows()).toEqual([{ kind: "outage", is_sent: false }]);
  await choose(CONTACT_ID, null, true);
  expect(await runJobs()).toEqual(["not_due"]);
  expect(await rows()).toEqual([]);
});

test("an outage that only a workflow was told of is emailed to the first who wants it, once", async () => {
  const { alert, choose, contact, goAway, other, runJobs, shop, taken } = await open();
  await choose(CONTACT_ID, null, false);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ startFlows: true }));
  await goAway();
  expect(await alert()).toBe("outage_told");
  expect(await runJobs()).toEqual([]);
  await choose(null, other, true);
  for (let turn = 0; turn < 3; turn++) await runJobs();
  await choose(CONTACT_ID, null, true);
  for (let turn = 0; turn < 2; turn++) await runJobs();
  expect([taken(other), taken(contact)]).toEqual([[AWAY], []]);
});
