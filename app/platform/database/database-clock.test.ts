import { afterEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { createLogger } from "../logger.ts";
import { alignDate, createDatabaseClock } from "./database-clock.ts";
import { pauseAfterRestore } from "./pause-after-restore.ts";

const HALF_AN_HOUR_MS = 30 * 60_000;
const db = await openTestDatabase();
const MachineDate = globalThis.Date;
afterEach(() => {
  globalThis.Date = MachineDate;
});

/** Moves this machine's wall clock, and not its monotonic one. */
function moveMachineClock(byMs: number): void {
  alignDate({ now: () => new MachineDate(MachineDate.now() + byMs) });
}

const databaseNow = async () => {
  const { rows } = await db.pool.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  return rows[0]?.at.getTime() ?? 0;
};

test.each([-HALF_AN_HOUR_MS, HALF_AN_HOUR_MS])(
  "tells the database's time on a machine whose clock is off by %d ms",
  async (skew) => {
    moveMachineClock(skew);
    const clock = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
    await clock.start();
    clock.stop();
    expect(Math.abs(clock.now().getTime() - (await databaseNow()))).toBeLessThan(1_000);
    expect(Math.abs((clock.skewMs() ?? 0) - skew)).toBeLessThan(1_000);
  },
);

test("keeps the time when the machine's clock is moved between two measurements", async () => {
  const clock = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
  await clock.start();
  clock.stop();
  expect(clock.skewMs()).toBeNull();
  moveMachineClock(HALF_AN_HOUR_MS);
  expect(Math.abs(clock.now().getTime() - (await databaseNow()))).toBeLessThan(1_000);
});

test("decides nothing before the first measurement", () => {
  const clock = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
  expect(() => clock.now()).toThrow("not been measured");
});

test("an aligned Date tells the clock's time to libraries, and keeps everything else of Date", () => {
  const at = new MachineDate("2026-01-02T03:04:05Z");
  const restore = alignDate({ now: () => at });
  expect(new Date().toISOString()).toBe("2026-01-02T03:04:05.000Z");
  expect(Date.now()).toBe(at.getTime());
  expect(new Date(0).toISOString()).toBe("1970-01-01T00:00:00.000Z");
  expect(Date.parse("1970-01-01T00:00:01Z")).toBe(1000);
  expect(new Date()).toBeInstanceOf(Date);
  expect(at).toBeInstanceOf(Date);
  restore();
  expect(Date).toBe(MachineDate);
});

test("says of no leap where none was noted, and of one that was, to a process that starts", async () => {
  await pauseAfterRestore(db.pool, { asked: false });
  const started = async () => {
    const clock = createDatabaseClock({ pool: db.pool, logger: createLogger("silent") });
    await clock.start();
    onTestFinished(() => clock.stop());
    return clock;
  };
  expect((await started()).leaptAt?.()).toBeNull();
  await db.pool.query("UPDATE database_identity SET leapt_at = '2026-11-01T00:00:00Z'");
  expect((await started()).leaptAt?.()).toEqual(new Date("2026-11-01T00:00:00Z"));
  // Noted before the clock was set back.
  await db.pool.query("UPDATE database_identity SET leapt_at = now() + interval '1 hour'");
  const clock = await started();
  expect(Number(clock.leaptAt?.()) - clock.now().getTime()).toBeLessThanOrEqual(1_000);
  await db.pool.query("UPDATE database_identity SET leapt_at = NULL");
});
