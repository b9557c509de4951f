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
async function startProcess() {
  const looks: (() => string | null)[] = [];
  const tenantKey = await db.tenantKey();
  const openAs = (login: "pathway_web" | "pathway_intake") =>
    openProcessPool({
      ...{ url: loginAs(db.url, login), tenantKey, poolSize: 4, onError: () => {} },
    });
  const [own, pool] = [openAs("pathway_web"), openAs("pathway_intake")];
  let isFailing = false;
  const { url } = await startIntake(db, {
    pool,
    onStored: () => {
      isFailing = false;
    },
    onNotStored: () => {
      isFailing = true;
    },
  });
  const readiness = watchReadiness({
    ...{ pool: own, tryTenant: async () => {}, logger: createLogger("silent"), everyMs: 50 },
    intake: { pool, isFailing: () => isFailing },
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
