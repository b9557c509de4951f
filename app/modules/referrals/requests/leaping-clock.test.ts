import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startRequest } from "../../../../test/database/request.ts";
import { createDatabaseClock } from "../../../platform/database/database-clock.ts";
import { pauseAfterRestore } from "../../../platform/database/pause-after-restore.ts";
import { createLogger } from "../../../platform/logger.ts";
import { createReferral } from "../create-referral.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";

const db = await openTestDatabase();
await pauseAfterRestore(db.pool, { asked: false });

/**
 * Moves the database's clock: the name of the server's own function, unqualified as statements have it, leads to a time that is
 * off. Connections that exist are ended, so that each one of a later statement has it.
 */
async function moveDatabaseClock(by: string): Promise<void> {
  const { rows } = await db.pool.query<{ name: string }>("SELECT current_database() AS name");
  await db.pool.query(
    `CREATE SCHEMA moved;
     CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
       AS $$ SELECT pg_catalog.clock_timestamp() + interval '${by}' $$;
     ALTER DATABASE ${rows[0]?.name} SET search_path = moved, pg_catalog, public`,
  );
  await db.whileDown(async () => {});
}

test("an unclear attempt keeps its whole quarantine when the clock leaps over its end", async () => {
  const ledger = await startRequest(db);
  const { service, requestId, state, target } = ledger;
  const clock = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
  await clock.start();
  onTestFinished(() => clock.stop());
  const ports = { ...ledger.ports, clock };
  service.next("reset_after");
  await createReferral(ports, target);
  // Made, and not in the list yet.
  service.hidden = new Set(service.referrals.map(({ uuid }) => String(uuid)));
  expect(await resolveAmbiguous(ports, target)).toMatchObject({ kind: "scan_again" });

  const before = clock.now().getTime();
  await moveDatabaseClock("1 hour");
  // The first connection to the database has its time measured again.
  await db.pool.query("SELECT 1");
  await expect.poll(() => clock.now().getTime() - before).toBeGreaterThan(3_600_000);
  const again = await resolveAmbiguous(ports, target);
  expect(again).toMatchObject({ kind: "scan_again" });
  expect("at" in again && again.at.getTime() - clock.now().getTime()).toBeGreaterThan(
    QUARANTINE_MS - 60_000,
  );
  // A process that starts now has not seen it.
  const later = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
  await later.start();
  onTestFinished(() => later.stop());
  const unaware = { ...ledger.ports, clock: later };
  expect(await resolveAmbiguous(unaware, target)).toMatchObject({ kind: "scan_again" });
  expect(await state(requestId)).toBe("ambiguous");
  service.hidden = new Set();
  expect(await resolveAmbiguous(ports, target)).toMatchObject({ kind: "linked" });
  expect(service.referrals).toHaveLength(1);
});
