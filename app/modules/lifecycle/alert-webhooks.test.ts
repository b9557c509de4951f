import { afterAll, expect, test } from "vitest";
import { alertRun } from "../../../test/database/alert-run.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { CONTACT_ID } from "../shops/alert.ts";
import { saveAlerts } from "../shops/save-alerts.ts";
import { alertWebhooks } from "./alert-webhooks.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());

const HOUR = 3_600_000;

/** A connected shop whose contact address wants to hear of webhooks that fail. */
async function open() {
  const shop = await installedShop(db);
  await connect(db, shop);
  const contact = `owner-of-${shop.split(".")[0]}@example.com`;
  const run = alertRun(db, shop, server.url);
  const { ports, clock } = run;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(contact));
  const wished = { email: null, kinds: ["webhooks" as const] };
  await saveAlerts(ports, { shop, id: CONTACT_ID, wished, actor: "staff:7" });
  return {
    ...run,
    shop,
    alert: () => alertWebhooks(ports, { shop }),
    refuseEvents: (count: number, environment: "staging" | "production" = "staging") =>
      db.tenancy.inShop(shop, (tenant) =>
        tenant.accessLog.add({
          ...{ at: clock.now(), who: "unknown", what: "signature_refused" },
          detail: { place: "service_event", count, environment },
        }),
      ),
    believe: () =>
      db.pool.query("UPDATE connections SET last_event_at = $2 WHERE shop = $1", [
        shop,
        clock.now(),
      ]),
    refuseMessage: () =>
      db.pool.query(
        `INSERT INTO inbox (shop, source, topic, event_id, state, refusal, received_at)
         VALUES ($1, 'shopify', 'orders/paid', 'one', 'refused', 'not_confirmed', $2)`,
        [shop, clock.now()],
      ),
    taken: () => server.taken.filter((one) => one.startsWith(`${contact} `)).length,
  };
}

test("tells once a day that events are refused, until one is believed again", async () => {
  const { alert, believe, clock, mails, refuseEvents, runJobs, taken } = await open();
  expect(await alert()).toBe("nothing_to_tell");
  await refuseEvents(9);
  clock.advance(HOUR);
  expect((await Promise.all([alert(), alert()])).toSorted()).toEqual(["nothing_to_tell", "told"]);
  expect(await runJobs()).toEqual(["sent"]);
  expect(mails[0]).toMatchObject({ subject: "Webhooks are failing" });
  expect(mails[0]?.text).toContain("9 events arrived with the wrong signature");
  expect(mails[0]?.text).toContain("Copy the signing secret");
  await refuseEvents(1);
  clock.advance(23 * HOUR);
  expect(await alert()).toBe("nothing_to_tell");
  clock.advance(HOUR);
  expect(await alert()).toBe("told");
  expect(await runJobs()).toEqual(["sent"]);
  await refuseEvents(1);
  clock.advance(HOUR);
  // The secret was put right.
  await believe();
  clock.advance(23 * HOUR);
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken()).toBe(2);
});

test("says nothing of a refused event that was followed by one that was believed", async () => {
  const { alert, believe, clock, refuseEvents } = await open();
  await refuseEvents(1);
  clock.advance(1000);
  await believe();
  expect(await alert()).toBe("nothing_to_tell");
});

test("tells of refused messages in Shopify's name", async () => {
  const { alert, mails, refuseMessage, runJobs } = await open();
  await refuseMessage();
  expect(await alert()).toBe("told");
  await runJobs();
  expect(mails[0]?.text).toContain("1 message in Shopify’s name was refused");
});

test("tells that events of one connection are refused, though those of the other are believed", async () => {
  const { shop, alert, clock, refuseEvents } = await open();
  await connect(db, shop, "production");
  await refuseEvents(3, "production");
  clock.advance(HOUR);
  await db.pool.query(
    "UPDATE connections SET last_event_at = $2 WHERE shop = $1 AND environment = 'staging'",
    [shop, clock.now()],
  );
  expect(await alert()).toBe("told");
});
