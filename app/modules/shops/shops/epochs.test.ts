import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { startLedger } from "../../../../test/database/ledger.ts";
import { untilWaiting, whoHolds } from "../../../../test/database/locks.ts";
import { connect, readyRequest, storeOrder } from "../../../../test/database/seed.ts";
import { installShop } from "../../lifecycle/install-shop.ts";
import { sendNotification } from "../../notifications/send-notification.ts";
import { createReferral } from "../../referrals/create-referral.ts";

const db = await openTestDatabase();

async function start() {
  const ledger = await startLedger(db);
  const { shop, clock } = ledger;
  await connect(db, shop);
  const inShop = db.tenancy.inShop;
  return {
    ...ledger,
    uninstall: (at = clock.now()) => inShop(shop, (tenant) => tenant.shops.uninstall(at)),
    install: () => installShop(ledger.ports, { shop, scope: "" }),
    epoch: () => inShop(shop, async (tenant) => (await tenant.shops.find())?.epoch),
    installed: () => inShop(shop, async (tenant) => (await tenant.shops.find())?.installed),
    session: () =>
      db.pool.query(
        "INSERT INTO sessions (id, shop, updated_at, access_token_sealed) VALUES ($1, $2, now(), '\\x01')",
        [`offline_${shop}`, shop],
      ),
    tokens: async () =>
      (
        await db.pool.query(
          `SELECT FROM sessions WHERE shop = $1
           UNION ALL SELECT FROM connections WHERE shop = $1 AND tokens_sealed IS NOT NULL`,
          [shop],
        )
      ).rowCount,
  };
}

test("uninstalling destroys all tokens; twice is once", async () => {
  const { uninstall, session, tokens, clock, shop, installed } = await start();
  await session();
  await db.pool.query("UPDATE connections SET tokens_sealed = '\\x01' WHERE shop = $1", [shop]);
  expect(await tokens()).toBe(2);
  clock.advance(1000);
  expect(await uninstall()).toBe(true);
  expect(await tokens()).toBe(0);
  clock.advance(1000);
  expect(await uninstall()).toBe(false);
  expect(await installed()).toBe(false);
});

test("a message about an earlier install cannot end a later one", async () => {
  const { uninstall, install, clock, epoch, installed, session, tokens } = await start();
  clock.advance(1000);
  const left = clock.now();
  await uninstall(left);
  clock.advance(1000);
  await install();
  await session();
  expect(await epoch()).toBe(2);
  expect(await uninstall(left)).toBe(false);
  expect(await installed()).toBe(true);
  expect(await tokens()).toBe(1);
  await install();
  expect(await epoch()).toBe(2);
});

test("a merchant who comes back while an earlier leaving is being noted has the app again", async () => {
  const { shop, install, clock, epoch, installed } = await start();
  clock.advance(1000);
  const left = clock.now();
  clock.advance(1000);
  const noting = await whoHolds(db, "SELECT FROM shops WHERE shop = $1 FOR UPDATE", shop);
  const returning = install();
  await untilWaiting(db, 1, returning);
  await noting.change("UPDATE shops SET uninstalled_at = $2 WHERE shop = $1", shop, left);
  await noting.end();
  expect(await returning).toBe("kept");
  expect(await installed()).toBe(true);
  expect(await epoch()).toBe(2);
});

test("goes on with work that waited while the shop was away, and repeats nothing", async () => {
  const { shop, uninstall, install, clock, ports, takeJobs, service } = await start();
  const sent = await readyRequest(db, shop, { orderNumber: 1 });
  await createReferral(ports, { shop, requestId: sent });
  const waiting = await readyRequest(db, shop, { orderNumber: 2 });
  clock.advance(1000);
  await uninstall();
  await takeJobs();
  expect(await createReferral(ports, { shop, requestId: waiting })).toEqual({ kind: "not_due" });
  clock.advance(1000);
  await install();
  expect(await takeJobs()).toContain("create-referral");
  expect((await createReferral(ports, { shop, requestId: waiting })).kind).toBe("created");
  expect((await createReferral(ports, { shop, requestId: sent })).kind).toBe("not_due");
  expect(service.calls).toHaveLength(2);
});

test("an answer that comes when the shop has left is written down, and not asked for again", async () => {
  const { shop, uninstall, install, clock, ports, state, service } = await start();
  const requestId = await readyRequest(db, shop);
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const leaving = {
    ...real,
    async createReferral(...call: Parameters<typeof real.createReferral>) {
      const outcome = await real.createReferral(...call);
      clock.advance(1000);
      await uninstall();
      return outcome;
    },
  };
  const services = { forConnection: async () => leaving };
  expect((await createReferral({ ...ports, services }, { shop, requestId })).kind).toBe("created");
  expect(await state(requestId)).toBe("created");
  clock.advance(1000);
  await install();
  expect((await createReferral(ports, { shop, requestId })).kind).toBe("not_due");
  expect(service.calls).toHaveLength(1);
});

test("no mail is sent for a shop that has left; it is sent when it comes back", async () => {
  const { shop, uninstall, install, clock, ports, takeJobs } = await start();
  const requestId = await readyRequest(db, shop);
  const kind = "form_ready" as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(storeOrder(), new Map(), new Date());
    await tenant.notifications.note({ requestId, kind }, clock.now());
  });
  const mails: string[] = [];
  const mailer = {
    async send(_: string, mail: { to: string }) {
      mails.push(mail.to);
      return [];
    },
  };
  const send = () =>
    sendNotification(
      {
        ...ports,
        mailer,
        appUrl: "https://app.example",
        accountPageUrl: () => "https://shop.example/apps/pathway",
        adminPageUrl: () => "https://admin.example",
      },
      { shop, requestId, kind },
    );
  clock.advance(1000);
  await uninstall();
  expect(await send()).toBe("not_due");
  clock.advance(1000);
  await takeJobs();
  await install();
  expect(await takeJobs()).toContain("send-mail");
  expect(await send()).toBe("sent");
  expect(mails).toEqual(["sam@example.com"]);
});
