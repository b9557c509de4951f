import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { openProcessPool } from "../../platform/database/database.ts";
import { loginAs } from "../../platform/database/logins.ts";
import { pauseAfterRestore, requireNoted } from "../../platform/database/pause-after-restore.ts";
import { createSealers } from "../../platform/encryption/sealers.ts";
import { createTenancy } from "../../tenancy.ts";
import { SHOP, startIntake, webhookHeaders } from "./testing/start-intake.ts";

const db = await openTestDatabase();
const OTHER_SHOP = "two.myshopify.com";
const BODY = JSON.stringify({ id: 1001 });

/** The keys and the tenancy of one process, and its intake with connections of its own. */
function startProcess() {
  const sealers = createSealers(db.pool, db.masterKeys, db.epochs);
  const tenancy = createTenancy({ database: db, sealers, onJobs: () => {} });
  return { sealers, tenancy };
}

async function startIntakeOf(
  { sealers, tenancy }: ReturnType<typeof startProcess>,
  notice = tenancy.noticeSwitch,
) {
  const pool = openProcessPool({
    ...{ url: loginAs(db.url, "pathway_intake"), tenantKey: await db.tenantKey() },
    ...{ poolSize: 2, onError: () => {}, onConnect: requireNoted(notice) },
  });
  onTestFinished(() => pool.end());
  return startIntake(db, { sealers, pool });
}

beforeEach(async () => {
  await db.pool.query("TRUNCATE inbox, data_keys, database_identity");
  await pauseAfterRestore(db.pool, { asked: false });
});

/** The server is lost with its connections, and the one in its place has heard of no key and no message yet. */
async function switchOver() {
  await db.pool.query("TRUNCATE data_keys, inbox");
  await db.pool.query("UPDATE database_identity SET identity = 'the original'");
  await db.pool.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND usename = 'pathway_intake'`,
  );
}
const anotherProcessNotices = () => pauseAfterRestore(db.pool, { asked: false });

async function deliver(url: string, shop: ShopDomain = SHOP): Promise<number> {
  const headers = webhookHeaders(BODY, { "x-shopify-shop-domain": shop });
  return (await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY })).status;
}

/** The bodies of a shop's messages, as a process reads them that remembers nothing. */
async function read(shop: ShopDomain = SHOP): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>("SELECT id FROM inbox WHERE shop = $1", [
    shop,
  ]);
  const { tenancy } = startProcess();
  const messages = rows.map(({ id }) => tenancy.inShop(shop, (tenant) => tenant.inbox.find(id)));
  return (await Promise.all(messages)).map((message) => String(message?.body));
}

describe("a message that arrives after the database was switched", () => {
  test("can be read when nobody had noticed the switch", async () => {
    const process = startProcess();
    const { url } = await startIntakeOf(process);
    expect(await deliver(url)).toBe(200);
    await switchOver();
    expect(await deliver(url)).toBe(200);
    expect(await read()).toEqual([BODY]);
    const { rowCount } = await db.pool.query(
      "SELECT FROM database_identity WHERE identity = live_identity() AND switched_at IS NOT NULL",
    );
    expect(rowCount).toBe(1);
  });

  test("can be read when another process had noticed the switch", async () => {
    const process = startProcess();
    const { url } = await startIntakeOf(process);
    await process.sealers.forShop(SHOP);
    await switchOver();
    await anotherProcessNotices();
    expect(await deliver(url)).toBe(200);
    expect(await read()).toEqual([BODY]);
  });

  test("can be read when it shares its statement with those of other shops", async () => {
    const process = startProcess();
    const { url } = await startIntakeOf(process);
    for (const shop of [SHOP, OTHER_SHOP] as const) await process.sealers.forShop(shop);
    await switchOver();
    const shops = Array.from({ length: 20 }, (_, at) => (at % 2 ? SHOP : OTHER_SHOP));
    const answers = await Promise.all(shops.map((shop) => deliver(url, shop)));
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await read(SHOP)).toEqual(Array(10).fill(BODY));
    expect(await read(OTHER_SHOP)).toEqual(Array(10).fill(BODY));
  });

  test("is not acknowledged while the switch cannot be noted", async () => {
    const process = startProcess();
    const { url } = await startIntakeOf(process, async () => {});
    await process.sealers.forShop(SHOP);
    await switchOver();
    expect(await deliver(url)).toBe(503);
    expect(await read()).toEqual([]);
  });

  test("is not acknowledged while keys are only had from the server that is lost", async () => {
    const process = startProcess();
    const former = await process.sealers.forShop(SHOP);
    const sealers = { ...process.sealers, forShop: async () => former, remembered: () => former };
    const { url } = await startIntakeOf({ ...process, sealers });
    await switchOver();
    expect(await deliver(url)).toBe(503);
    expect(await read()).toEqual([]);
  });
});

test("takes one statement for a message whose keys are known", async () => {
  const { sealers } = startProcess();
  const statements: unknown[] = [];
  const pool = new Proxy(db.pool, {
    get: (target, name) =>
      name === "query"
        ? (statement: never) => {
            statements.push(statement);
            return target.query(statement);
          }
        : Reflect.get(target, name),
  });
  const { url } = await startIntake(db, { sealers, pool });
  expect(await deliver(url)).toBe(200);
  expect(await deliver(url)).toBe(200);
  expect(statements).toHaveLength(2);
});
