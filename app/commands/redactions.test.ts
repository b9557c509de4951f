import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { INSTALLATION } from "../modules/kernel/access-chain.ts";
import { gid, type ShopDomain } from "../modules/kernel/ids.ts";
import { readHeldRedactions } from "../modules/privacy/postgres/held-redactions.ts";
import { runRedactions } from "./run-redactions.ts";

const db = await openTestDatabase();
const CUSTOMER = gid("Customer", 4711);
let shop: ShopDomain;

async function run(...args: string[]) {
  const said: string[] = [];
  const code = await runRedactions(["--database-url", db.url, ...args], (line) => said.push(line));
  return { code, said };
}

/** A request that came some days ago, as the job leaves it that found newer data. */
async function redaction(daysAgo: number, { isHeld }: { isHeld: boolean }): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO inbox (shop, source, topic, event_id, state)
     VALUES ($1, 'shopify', 'customers/redact', $2, 'done') RETURNING id`,
    [shop, randomUUID()],
  );
  const inboxId = String(rows[0]?.id);
  const at = new Date(Date.now() - daysAgo * 86_400_000);
  await db.tenancy.inShop(shop, async ({ privacy }) => {
    const about = { inboxId, customerId: CUSTOMER, orderIds: [] };
    await privacy.open({ kind: "customer_redacted", ...about, askedAt: at, openedAt: at });
    if (isHeld) await privacy.hold(inboxId, { newer: 3 });
  });
  return inboxId;
}

const rowOf = async (inboxId: string) => {
  const { rows } = await db.pool.query<{
    receipt: unknown;
    done: boolean;
    customer: string | null;
  }>(
    `SELECT receipt, done_at IS NOT NULL AS done, customer_id AS customer FROM privacy_requests
     WHERE shop = $1 AND inbox_id = $2`,
    [shop, inboxId],
  );
  return rows[0];
};

beforeEach(async () => {
  await db.pool.query("DELETE FROM privacy_requests");
  shop = await installedShop(db);
});

test("lists what is held, with the day by which it has to end, and nobody's name", async () => {
  expect(await run()).toEqual({ code: 0, said: ["Nothing is held."] });
  await redaction(3, { isHeld: false });
  const later = await redaction(1, { isHeld: true });
  const first = await redaction(20, { isHeld: true });
  const day = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, "2026-11-28".length);
  const { code, said } = await run();
  expect(code).toBe(1);
  expect(said).toEqual([
    `${shop} request ${first}: asked on ${day(-20)}, ends by ${day(10)}, 3 newer things are kept`,
    `${shop} request ${later}: asked on ${day(-1)}, ends by ${day(29)}, 3 newer things are kept`,
    expect.stringContaining("npm run redactions destroy"),
  ]);
  expect(said.join()).not.toContain("4711");
});

test("tells how many are held, and since when the oldest is", async () => {
  expect(await readHeldRedactions(db.pool)).toEqual({ count: 0, oldestSeconds: 0 });
  await redaction(40, { isHeld: false });
  await redaction(1, { isHeld: true });
  await redaction(2, { isHeld: true });
  const { count, oldestSeconds } = await readHeldRedactions(db.pool);
  expect(count).toBe(2);
  expect(Math.round(oldestSeconds / 3600)).toBe(48);
});

test("has all destroyed at once, and a later look of the job that found newer data takes nothing of that back", async () => {
  const inboxId = await redaction(1, { isHeld: true });
  await db.pool.query("DELETE FROM outbox");
  expect((await run("destroy", "--shop", shop, "--request", inboxId)).code).toBe(0);
  await db.tenancy.inShop(shop, ({ privacy }) => privacy.hold(inboxId, { newer: 3 }));
  expect(await rowOf(inboxId)).toEqual({ receipt: { wanted: 1 }, done: false, customer: CUSTOMER });
  const { rows } = await db.pool.query("SELECT name, payload, singleton_key AS key FROM outbox");
  const key = `${shop} ${inboxId}`;
  expect(rows).toEqual([{ name: "do-privacy-request", payload: { shop, inboxId }, key }]);
  expect((await run()).said).toEqual(["Nothing is held."]);
});

test("keeps what is newer for good, and whom it was about no longer", async () => {
  const inboxId = await redaction(1, { isHeld: true });
  expect((await run("keep", "--shop", shop, "--request", inboxId)).code).toBe(0);
  await db.tenancy.inShop(shop, ({ privacy }) => privacy.hold(inboxId, { newer: 3 }));
  expect(await rowOf(inboxId)).toEqual({
    receipt: { kept: "cancelled" },
    done: true,
    customer: null,
  });
});

test("writes down which request an operator has ended, and how", async () => {
  const inboxId = await redaction(1, { isHeld: true });
  await run("keep", "--shop", shop, "--request", inboxId);
  const { rows } = await db.pool.query(
    "SELECT who, what, detail FROM access_log WHERE shop = $1 ORDER BY id DESC LIMIT 1",
    [INSTALLATION],
  );
  const detail = { command: "redactions keep", shop, request: inboxId };
  expect(rows).toEqual([
    { who: "operator", what: "operator_command", detail: expect.objectContaining(detail) },
  ]);
});

test.each([
  [
    "that is not held",
    async () => ["--shop", shop, "--request", await redaction(1, { isHeld: false })],
  ],
  [
    "of another shop",
    async () => [
      "--shop",
      "other.myshopify.com",
      "--request",
      await redaction(1, { isHeld: true }),
    ],
  ],
])("refuses a request %s, and changes nothing", async (_, args) => {
  const named = await args();
  const [, , , inboxId = ""] = named;
  const before = await rowOf(inboxId);
  for (const command of ["destroy", "keep"])
    await expect(run(command, ...named)).rejects.toThrow("No such request is held");
  expect(await rowOf(inboxId)).toEqual(before);
});

test.each([
  [["burn"]],
  [["destroy"]],
  [["keep", "--shop", "one.myshopify.com"]],
  [["destroy", "--shop", "one.example", "--request", "1"]],
  [["keep", "--shop", "one.myshopify.com", "--request", "x"]],
  [["--all"]],
])("says how it is called for %j", async (args) => {
  await expect(run(...args)).rejects.toThrow("npm run redactions");
});
