import { afterAll, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startMailServer } from "../../../test/database/mail-server.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { createSmtpMailer } from "../../clients/mail/smtp-mailer.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Mail } from "../kernel/notification.ts";
import { ALERT_AFTER_MS, alertOutage } from "./alert-outage.ts";

const db = await openTestDatabase();
const server = await startMailServer();
afterAll(() => server.stop());

/** A connected shop whose merchant can be written to, with the emails that it was sent. */
async function open() {
  const shop = await installedShop(db);
  await connect(db, shop);
  const contact = `owner-of-${shop.split(".")[0]}@example.com`;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.setContactEmail(contact));
  const clock = movableClock();
  const smtp = createSmtpMailer({ url: server.url, from: "Pathway <mail@pathway.example>" });
  const mails: Mail[] = [];
  const ports = {
    tenancy: db.tenancy,
    clock,
    adminPageUrl: (_shop: ShopDomain, path: string) => `https://admin.example${path}`,
    mailer: {
      async send(of: ShopDomain, mail: Mail) {
        mails.push(mail);
        await smtp.send(of, mail);
      },
    },
  };
  const calls = (failureCode: string | null) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordCalls("staging", {
        answeredAt: failureCode ? null : clock.now(),
        failingSince: failureCode ? clock.now() : null,
        failureCode,
      }),
    );
  return {
    ...{ shop, clock, contact, mails, calls },
    alert: () => alertOutage(ports, { shop, environment: "staging" }),
    taken: () => server.taken.filter((one) => one.startsWith(`${contact} `)),
  };
}

test("tells an outage once after some minutes, and its end once, across processes", async () => {
  const { alert, calls, clock, contact, mails, taken } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS - 1);
  expect(await alert()).toBe("nothing_to_tell");
  clock.advance(1);
  expect(await alert()).toBe("outage_told");
  // Another process, or the same one after a restart.
  expect(await alert()).toBe("nothing_to_tell");
  // Answered for a moment, and away again: still the outage that was told.
  await calls(null);
  await calls("referral_service_timeout");
  clock.advance(2 * ALERT_AFTER_MS);
  expect(await alert()).toBe("nothing_to_tell");
  await calls(null);
  expect(await alert()).toBe("end_told");
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken()).toEqual([
    `${contact} The referral service doesn’t answer`,
    `${contact} The referral service answers again`,
  ]);
  expect(mails[0]?.text).toContain("https://admin.example/app/settings/connection");
});

test("tells nothing of an outage that ends within minutes", async () => {
  const { alert, calls, clock, taken } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS - 1);
  await calls(null);
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken()).toEqual([]);
});

test("asks for new credentials when the service refuses them", async () => {
  const { alert, calls, clock, contact, taken } = await open();
  await calls("referral_service_unauthorized");
  clock.advance(ALERT_AFTER_MS);
  expect(await alert()).toBe("outage_told");
  expect(taken()).toEqual([`${contact} The referral service doesn’t accept your credentials`]);
});

test("tries again while the mail server is away for now, and gives up on a refused address", async () => {
  const { alert, calls, clock, contact, taken } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS);
  server.refuse(contact, 450);
  await expect(alert()).rejects.toThrow();
  server.refuse(contact, 550);
  expect(await alert()).toBe("outage_told");
  server.takeAll();
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken()).toEqual([]);
});

test("writes to nobody at a shop that has left", async () => {
  const { shop, alert, calls, clock, taken } = await open();
  await calls("referral_service_server");
  clock.advance(ALERT_AFTER_MS);
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  expect(await alert()).toBe("nothing_to_tell");
  expect(taken()).toEqual([]);
});
