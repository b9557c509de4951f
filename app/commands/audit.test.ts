import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { installedShop } from "../../test/database/seed.ts";
import { logName } from "../modules/kernel/access-chain.ts";
import type { ShopDomain } from "../modules/kernel/ids.ts";
import { shopDomain } from "../modules/kernel/ids.ts";
import { createLogger } from "../platform/logger.ts";
import { sealAccessLogs } from "../queue/access-sealing.ts";
import { createTenancy } from "../tenancy.ts";
import { runAudit } from "./run-audit.ts";

const db = await openTestDatabase();
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((one) => rm(one, { recursive: true }))));

let shop: ShopDomain;
let folder: string;

/** A log of ten rows, chained in two seals, with one row that waits. */
beforeEach(async () => {
  shop = await installedShop(db);
  folder = await mkdtemp(join(tmpdir(), "pathway-audit-"));
  folders.push(folder);
  await log(5);
  await seal();
  await log(5);
  await seal();
  await log(1);
});

const log = async (rows: number) => {
  for (let row = 0; row < rows; row++)
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.accessLog.add({
        ...{ at: new Date(), who: "customer", what: "result_viewed", requestId: randomUUID() },
      }),
    );
};

async function seal() {
  const tenancy = createTenancy({ database: db, sealers: db.sealers, onJobs: () => {} });
  await sealAccessLogs(
    {
      pool: db.pool,
      inLog: (name, work) => {
        const known = shopDomain(name);
        return known ? tenancy.inShop(known, work) : tenancy.inInstallation(work);
      },
      folder,
      clock: { now: () => new Date() },
      logger: createLogger("silent"),
    },
    new Map(),
  );
}

/** Does what the command does, for this shop alone. */
async function audit(...args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const given = ["--database-url", db.url, "--anchors", folder, ...args];
  const code = await runAudit(given, (line) => lines.push(line));
  return { code, text: lines.join("\n") };
}
const verify = () => audit("verify", "--shop", shop);

const ids = async () => {
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT id FROM access_log WHERE shop = $1 ORDER BY id",
    [shop],
  );
  return rows.map((row) => row.id);
};
/** Does something to the log as the database's owner may. */
const tamper = (sql: string, ...values: unknown[]) => db.pool.query(sql, [shop, ...values]);
/** As if the log had been chained so long ago. */
const age = (minutes: number) =>
  tamper(
    `UPDATE access_log_seals SET sealed_at = sealed_at - $2 * interval '1 minute' WHERE shop = $1`,
    minutes,
  );

test("finds nothing in a log that nobody touched, and says what waits", async () => {
  const { code, text } = await verify();
  expect(text).toMatch(/10 rows chained in 2 seals, 1 not chained yet/);
  expect(text).toMatch(/OK: 10 rows chained, 1 not chained yet, 0 findings/);
  expect(code).toBe(0);
  await seal();
  expect((await verify()).text).toMatch(/OK: 11 rows chained, 0 not chained yet/);
});

test("records that it was run, in the installation's own log", async () => {
  await verify();
  const { rows } = await db.pool.query(
    `SELECT who, what, detail->>'command' AS command FROM access_log WHERE shop = 'installation'
     ORDER BY id DESC LIMIT 1`,
  );
  expect(rows).toEqual([{ who: "operator", what: "operator_command", command: "audit verify" }]);
});

describe("names the first row that does not fit, and fails:", () => {
  test.each([
    ["what", "SET what = 'details_viewed'"],
    ["who", "SET who = 'link'"],
    ["a name", "SET actor_name = 'Somebody'"],
    ["a moment by a microsecond", "SET at = at + interval '1 microsecond'"],
    ["a detail", `SET detail = '{"a": 1}'`],
    ["whom it is about", "SET request_id = gen_random_uuid()"],
  ])("an edited row (%s)", async (_, change) => {
    const third = (await ids())[2];
    await tamper(`UPDATE access_log ${change} WHERE shop = $1 AND id = $2`, third);
    const { code, text } = await verify();
    expect(text).toContain(`BROKEN: row ${third}, seal 1: the row is not as it was chained`);
    expect(text).toContain("1 finding in 1 log");
    expect(code).toBe(1);
  });

  test("a deleted row", async () => {
    const fourth = (await ids())[3];
    await tamper("DELETE FROM access_log WHERE shop = $1 AND id = $2", fourth);
    const { code, text } = await verify();
    expect(text).toContain(`BROKEN: row ${fourth}, seal 1: the row was deleted`);
    expect(code).toBe(1);
  });

  test("a row under an id of the past", async () => {
    await tamper(
      `INSERT INTO access_log (shop, id, at, who, what) VALUES ($1, 0, now(), 'staff', 'result_viewed')`,
    );
    const { code, text } = await verify();
    expect(text).toContain("BROKEN: row 0: the row was put in later");
    expect(code).toBe(1);
  });

  test("a row that says an earlier time, chained or not", async () => {
    const { rows } = await tamper(
      `INSERT INTO access_log (shop, at, who, what)
       VALUES ($1, now() - interval '2 hours', 'staff', 'result_viewed') RETURNING id`,
    );
    const words = `row ${rows[0].id}`;
    for (const isChained of [false, true]) {
      if (isChained) await seal();
      const { code, text } = await verify();
      expect(text).toContain(`BROKEN: ${words}`);
      expect(text).toContain("a time at which the log had been chained already");
      expect(code).toBe(1);
    }
  });

  test("two rows that changed places", async () => {
    const [first, second] = await ids();
    await tamper("UPDATE access_log SET id = -1 WHERE shop = $1 AND id = $2", first);
    await tamper(`UPDATE access_log SET id = ${first} WHERE shop = $1 AND id = $2`, second);
    await tamper(`UPDATE access_log SET id = ${second} WHERE shop = $1 AND id = -1`);
    const { code, text } = await verify();
    expect(text).toContain(`BROKEN: row ${first}, seal 1`);
    expect(code).toBe(1);
  });

  test("an end that was cut off with its seal, which the anchor tells", async () => {
    const all = await ids();
    await tamper("DELETE FROM access_log WHERE shop = $1 AND id > $2", all[4]);
    await tamper("DELETE FROM access_log_seals WHERE shop = $1 AND number = 2");
    const { code, text } = await verify();
    expect(text).toContain("BROKEN: seal 2: the end of the log was cut off");
    expect(code).toBe(1);
  });

  test("a log that was cut off and written anew", async () => {
    const all = await ids();
    await tamper("DELETE FROM access_log WHERE shop = $1 AND id > $2", all[4]);
    await tamper("DELETE FROM access_log_seals WHERE shop = $1 AND number = 2");
    await log(5);
    await seal();
    const { code, text } = await verify();
    expect(text).toContain("BROKEN: seal 2: the seal is not as it was written");
    expect(code).toBe(1);
  });

  test("a seal whose time was changed", async () => {
    await age(60);
    const { code, text } = await verify();
    expect(text).toContain("BROKEN: seal 1: the seal is not as it was written");
    expect(code).toBe(1);
  });

  test("a seal that is missing between two", async () => {
    await tamper("DELETE FROM access_log_seals WHERE shop = $1 AND number = 1");
    const { code, text } = await verify();
    expect(text).toContain("a seal before this one is missing");
    expect(code).toBe(1);
  });
});

test("tells of a log that is gone as a whole, unless its shop was erased", async () => {
  const name = logName(shop);
  const gone = "BROKEN: seal 2: nothing is left of the log";
  expect((await audit("verify")).text).not.toContain(name);
  for (const table of ["access_log", "access_log_seals", "shops"])
    await tamper(`DELETE FROM ${table} WHERE shop = $1`);
  const { code, text } = await audit("verify");
  expect(text).toContain(`${name}: 0 rows`);
  expect(text).toContain(gone);
  expect(code).toBe(1);
  await db.pool.query(
    `INSERT INTO erasures (id, shop_hash, asked_at, done_at, counts)
     VALUES (gen_random_uuid(), decode($1, 'hex'), now(), now(), '{}')`,
    [name],
  );
  expect((await audit("verify")).text).not.toContain(gone);
});

test("counts a finding no more once an operator has accepted it with a reason", async () => {
  const second = (await ids())[1];
  await tamper("UPDATE access_log SET who = 'link' WHERE shop = $1 AND id = $2", second);
  const [, finding = ""] = /\[finding (\w+)\]/.exec((await verify()).text) ?? [];
  await expect(audit("accept", "--finding", finding)).rejects.toThrow("Say");
  const told = await audit("accept", "--finding", finding, "--reason", "A drill");
  expect(told).toMatchObject({ code: 0 });
  const { code, text } = await verify();
  expect(text).toContain("accepted (A drill)");
  expect(code).toBe(0);
  await tamper("UPDATE access_log SET who = 'share' WHERE shop = $1 AND id = $2", second);
  expect((await verify()).code).toBe(1);
});

test("chains a row that was committed after later ones, and writes no seal when nothing is new", async () => {
  const late = await db.pool.connect();
  await late.query("BEGIN");
  await late.query(
    `INSERT INTO access_log (shop, at, who, what) VALUES ($1, now(), 'staff', 'result_viewed')`,
    [shop],
  );
  await log(2);
  await seal();
  await late.query("COMMIT");
  late.release();
  expect((await verify()).text).toMatch(/1 not chained yet/);
  await seal();
  const { code, text } = await verify();
  expect(text).toMatch(/14 rows chained in 4 seals$/m);
  expect(code).toBe(0);
  await seal();
  expect((await verify()).text).toMatch(/in 4 seals$/m);
});

test("lets two processes chain one log without a row twice", async () => {
  await log(20);
  await Promise.all([seal(), seal(), seal()]);
  const { code, text } = await verify();
  expect(text).toMatch(/31 rows chained in 3 seals$/m);
  expect(code).toBe(0);
});

test("ends with a code that scripts can read, and a sentence for a wrong call", async () => {
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; text: string }>((resolve) => {
      const given = ["app/commands/audit.ts", "--database-url", db.url, ...args];
      execFile(process.execPath, given, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, text: `${stdout}${stderr}` }),
      );
    });
  expect(await run("check")).toEqual({ code: 2, text: expect.stringMatching(/^Say .*\n$/) });
  const first = (await ids())[0];
  await tamper("DELETE FROM access_log WHERE shop = $1 AND id = $2", first);
  expect(await run("verify", "--shop", shop)).toMatchObject({ code: 1 });
});

test("a log that is not here is not whole: a shop's name with a typing error is refused", async () => {
  const said: string[] = [];
  const args = ["verify", "--database-url", db.url, "--anchors", folder];
  await expect(
    runAudit([...args, "--shop", "typo.myshopify.com"], (line) => said.push(line)),
  ).rejects.toThrow(/^There is no log of typo\.myshopify\.com here/);
  expect(said).toEqual([]);
});
