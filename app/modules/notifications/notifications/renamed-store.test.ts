import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mailRun, tokenOf } from "../../../../test/database/mail-run.ts";
import { installedShop, storeOrder } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";
import { queueMail } from "../../kernel/queue-mail.ts";
import type { CustomerAccounts } from "../../shops/shop.ts";
import { copyLink } from "../copy-link.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();
const STATUS_PAGE = "https://shop.example/orders/1001";

/** A unit of a buyer with an account, whose store tells its id; and its email and what staff copy. */
async function start(storeId: string, accounts: CustomerAccounts = "new") {
  const { shop, requestId, clock } = await startCreated(db);
  const due = { requestId, kind: "form_ready" } as const;
  await db.pool.query(
    "UPDATE referral_requests SET customer_id = 'gid://shopify/Customer/7' WHERE shop = $1",
    [shop],
  );
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.identify(storeId);
    await tenant.shops.recordFacts({ accounts });
    await tenant.orders.record(storeOrder(), new Map(), clock.now());
    await queueMail(tenant, due, { now: clock.now() });
  });
  const run = mailRun(db, shop, clock);
  return {
    /** The store's new name has the app, and has told the same id. */
    async rename() {
      const renamed = await installedShop(db);
      await db.tenancy.inShop(renamed, (tenant) => tenant.shops.identify(storeId));
    },
    async mail() {
      expect(await sendNotification(run.ports, { shop, ...due })).toBe("sent");
      return run.mails.at(-1);
    },
    copied: () =>
      copyLink(run.ports, { shop, orderId: gid("Order", 1001), requestId, actor: "staff:7" }),
  };
}

test("leads a buyer with an account to the order's page in it", async () => {
  const { mail, copied } = await start("gid://shopify/Shop/501");
  expect((await mail())?.text).toContain(STATUS_PAGE);
  expect(await copied()).toEqual({ kind: "link", url: STATUS_PAGE });
});

test("leads the same buyer to a link of the test's own once the store has another name, whose account lacks the test", async () => {
  const { rename, mail, copied } = await start("gid://shopify/Shop/502");
  await rename();
  const sent = await mail();
  expect(sent?.text).not.toContain(STATUS_PAGE);
  expect(tokenOf(sent)).not.toBe("");
  expect(await copied()).toMatchObject({ url: expect.stringContaining("https://app.example/t/") });
});

test("names no account page to the buyer of a store with legacy accounts once it has another name", async () => {
  const before = await start("gid://shopify/Shop/503", "legacy");
  expect((await before.mail())?.text).toContain("/apps/pathway");
  const { rename, mail } = await start("gid://shopify/Shop/504", "legacy");
  await rename();
  expect((await mail())?.text).not.toContain("/apps/pathway");
});
