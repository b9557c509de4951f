import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { openProcessPool } from "../platform/database/database.ts";
import { loginAs } from "../platform/database/logins.ts";
import { createLogger } from "../platform/logger.ts";
import { startIntake, webhookHeaders } from "../web/intake/testing/start-intake.ts";
import { watchReadiness } from "./readiness.ts";

const db = await openTestDatabase();
const BODY = JSON.stringify({ id: 1001 });

/** An intake with connections of its own, and what says whether its process is ready. */
async function startProcess(messages = db) {
  const looks: (() => string | null)[] = [];
  const openAs = async (login: "pathway_web" | "pathway_intake", database = db) =>
    openProcessPool({
      ...{ url: loginAs(database.url, login), tenantKey: await database.tenantKey() },
      ...{ poolSize: 4, onError: () => {} },
    });
  const own = await openAs("pathway_web");
  const pool = await openAs("pathway_intake", messages);
  let isFailing = false;
  let isElsewhere = false;
  const { url } = await startIntake(messages, {
    pool,
    isElsewhere: () => isElsewhere,
    onStored: () => {
      isFailing = false;
    },
    onNotStored: () => {
      isFailing = true;
    },
  });
  const readiness = watchReadiness({
    ...{ pool: own, tryTenant: async () => {}, logger: createLogger("silent"), everyMs: 50 },
    intake: {
      ...{ pool, isFailing: () => isFailing },
      onLooked: (found) => {
        isElsewhere = found;
      },
    },
    vitals: {
      watch: (look) => void looks.push(look),
      loop: () => ({ turned() {}, failed() {} }),
    },
  });
  onTestFinished(async () => {
    readiness.stop();
    await Promise.all([pool.end(), own.end()]);
  });
  return {
    reasons: () => looks.flatMap((look) => look() ?? []),
    async deliver() {
      const headers = webhookHeaders(BODY);
      return (await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY })).status;
    },
    event: async () =>
      (await fetch(`${url}/events/${"a".repeat(43)}`, { method: "POST", body: BODY })).status,
  };
}

/** Lets no row into the inbox, with this code of PostgreSQL's. */
const refuse = (code: string) =>
  db.pool.query(
    `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$;
     CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
const refuseNoMore = () => db.pool.query("DROP TRIGGER IF EXISTS refuse ON inbox");
afterEach(refuseNoMore);

test.each([
  ["whose disk is full", "53100", "database_unreachable"],
  ["that refuses messages", "23514", "intake_failing"],
])(
  "a database %s makes a process unready once a message was not stored, and ready when one could be",
  async (_, code, reason) => {
    const { reasons, deliver } = await startProcess();
    expect(await deliver()).toBe(200);
    await refuse(code);
    expect(await deliver()).toBe(503);
    await expect.poll(reasons).toEqual([reason]);
    // Without another message: nobody sends any to a process that is not ready.
    await refuseNoMore();
    await expect.poll(reasons).toEqual([]);
    const { rows } = await db.pool.query(
      "SELECT count(*)::int AS n FROM inbox WHERE topic = 'readiness'",
    );
    expect(rows).toEqual([{ n: 0 }]);
    expect(await deliver()).toBe(200);
  },
);

test("a process whose messages would be stored in another database than its work is in takes none", async () => {
  const other = await openTestDatabase();
  const { reasons, deliver, event } = await startProcess(other);
  await expect.poll(reasons).toEqual(["databases_differ"]);
  expect(await deliver()).toBe(503);
  // No 404, though the other database knows no such address: the service would come no more.
  expect(await event()).toBe(503);
  const { rows } = await other.pool.query("SELECT count(*)::int AS n FROM inbox");
  expect(rows).toEqual([{ n: 0 }]);
});

/** A process of its own, which may open a hundred files, opens all of them, and lets them go again. */
const WITHOUT_FILES = `
  import { closeSync, openSync } from "node:fs";
  import { watchReadiness } from ${JSON.stringify(new URL("./readiness.ts", import.meta.url).href)};
  const looks = [];
  const fail = async () => { throw new Error("no database"); };
  const silent = { error() {}, warn() {}, info() {} };
  const readiness = watchReadiness({
    pool: { query: fail }, tryTenant: fail, logger: silent, everyMs: 20,
    vitals: { watch: (look) => looks.push(look), loop: () => ({ turned() {}, failed() {} }) },
  });
  const hasFiles = () => !looks.some((look) => look() === "files_exhausted");
  const until = async (expected) => {
    while (hasFiles() !== expected) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  await until(true);
  const files = [];
  try { for (;;) files.push(openSync("/dev/null")); } catch (error) { console.log(error.code); }
  await until(false);
  files.forEach((file) => closeSync(file));
  await until(true);
  readiness.stop();
  console.log("ready again");`;

test("a process that may open no more files is not ready until it may", async () => {
  const node = ["--conditions=source", "--input-type=module", "--eval", WITHOUT_FILES];
  const { stdout } = await promisify(execFile)(
    "sh",
    ["-c", 'ulimit -n 100; exec "$0" "$@"', process.execPath, ...node],
    { timeout: 20_000 },
  );
  expect(stdout).toBe("EMFILE\nready again\n");
}, 30_000);
