import { afterAll, expect, test } from "vitest";
import { alertRun } from "../../../test/database/alert-run.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import {
  connect,
  installedShop,
  mapVariant,
  REVIEWER,
  storeOrder,
} from "../../../test/database/seed.ts";
import { gid } from "../kernel/ids.ts";
import { ALERT_AFTER_MS, alertOutage } from "../lifecycle/alert-outage.ts";
import { type AlertKind, CONTACT_ID } from "../shops/alert.ts";
import { saveAlerts } from "../shops/save-alerts.ts";
import { readHome } from "./read-home.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());

async function open() {
  const shop = await installedShop(db);
  await connect(db, shop);
  const run = alertRun(db, shop, server.url);
  const { clock, ports } = run;
  const choose = (id: string | null, email: string | null, kinds: AlertKind[]) =>
    saveAlerts(ports, { shop, id, wished: { email, kinds }, actor: "staff:7" });
  const call = (failureCode: string | null) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordCalls("staging", {
        answeredAt: failureCode ? null : clock.now(),
        failingSince: failureCode ? clock.now() : null,
        failureCode,
      }),
    );
  return {
    ...{ shop, choose, call, ...run },
    unheard: async () => (await readHome(ports, shop)).unheard,
    setContact: (email: string) =>
      db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(email)),
  };
}

test("home says that nobody is emailed about an outage, until somebody is or it is over", async () => {
  const { call, choose, clock, setContact, unheard } = await open();
  await setContact("owner@example.com");
  await choose(CONTACT_ID, null, []);
  expect(await unheard()).toEqual([]);
  await call("referral_service_server");
  expect(await unheard(), "it may be over in a moment").toEqual([]);
  clock.advance(ALERT_AFTER_MS);
  expect(await unheard()).toEqual(["outage"]);
  await choose(null, "night@example.com", ["outage"]);
  expect(await unheard()).toEqual([]);
  await choose(CONTACT_ID, null, []);
  await call(null);
  expect(await unheard()).toEqual([]);
});

test("home says that every address refuses the email about an outage", async () => {
  const { call, clock, ports, runJobs, setContact, shop, unheard } = await open();
  const contact = `refusing-${shop.split(".")[0]}@example.com`;
  await setContact(contact);
  await call("referral_service_server");
  clock.advance(ALERT_AFTER_MS);
  await alertOutage(ports, { shop, environment: "staging" });
  expect(await unheard()).toEqual([]);
  server.refuse(contact, 550);
  expect(await runJobs()).toEqual(["refused"]);
  expect(await unheard()).toEqual(["outage_refused"]);
});

test("home says that a critical result waits and nobody is emailed about it", async () => {
  const { choose, setContact, shop, unheard } = await open();
  await mapVariant(db, shop, gid("ProductVariant", 1));
  const inStore = await orderInStore(db, shop, gid("Order", 1001));
  await inStore.read(storeOrder({ id: gid("Order", 1001) }));
  const [request] = await inStore.requests();
  await choose(CONTACT_ID, null, []);
  expect(await unheard()).toEqual([]);
  await db.pool.query(
    "UPDATE referral_requests SET stage = 'attention', reason_code = 'urgent_result_held' WHERE id = $1",
    [request?.id],
  );
  expect(await unheard()).toEqual(["critical_held"]);
  await choose(null, "night@example.com", ["critical_held"]);
  expect(await unheard()).toEqual([]);
  const other = await open();
  await other.choose(CONTACT_ID, null, []);
  expect(await other.unheard(), "another shop").toEqual([]);
  // The reviewer is emailed in any case.
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.updateSettings({ reviewer: REVIEWER });
    for (const { id } of await tenant.alerts.recipients())
      if (id !== CONTACT_ID) await tenant.alerts.removeRecipient(id);
  });
  expect(await unheard()).toEqual([]);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ reviewer: null }));
  expect(await unheard()).toEqual(["critical_held"]);
  await setContact("owner@example.com");
  expect(await unheard()).toEqual([]);
});

test("home says that every address refuses the emails about a critical result", async () => {
  const { clock, choose, setContact, shop, unheard } = await open();
  await mapVariant(db, shop, gid("ProductVariant", 1));
  const inStore = await orderInStore(db, shop, gid("Order", 1001));
  await inStore.read(storeOrder({ id: gid("Order", 1001) }));
  const [request] = await inStore.requests();
  await db.pool.query(
    "UPDATE referral_requests SET stage = 'attention', reason_code = 'urgent_result_held' WHERE id = $1",
    [request?.id],
  );
  await setContact("owner@example.com");
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ reviewer: REVIEWER }));
  const told = (address: string, isRefused: boolean) => {
    clock.advance(1000);
    const mail = { kind: "review_today", occurrence: `${address} ${isRefused}` } as const;
    return db.tenancy.inShop(shop, ({ alerts }) =>
      alerts.recordOther({ ...mail, address, at: clock.now(), isRefused }),
    );
  };
  await told(REVIEWER.email, true);
  expect(await unheard(), "the shop's contact gets them").toEqual([]);
  await told("owner@example.com", true);
  expect(await unheard()).toEqual(["critical_held_refused"]);
  await choose(null, "night@example.com", ["critical_held"]);
  expect(await unheard()).toEqual([]);
  await told("night@example.com", true);
  expect(await unheard()).toEqual(["critical_held_refused"]);
  await told(REVIEWER.email, false);
  expect(await unheard()).toEqual([]);
});
