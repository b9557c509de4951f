import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { keptLog } from "../../test/samples/kept-log.ts";
import { createLogger } from "../platform/logger.ts";
import { watchVitals } from "./vitals.ts";

// One connection: whoever asks after a probe is answered after it.
const db = await openTestDatabase({ poolSize: 1 });
const hanging: string[] = [];
let vitals: ReturnType<typeof watchVitals>;

beforeEach(() => {
  // Only what vitals reads: the database's own client goes on with real time.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  hanging.length = 0;
  vitals = watchVitals({
    pool: db.pool,
    logger: createLogger("silent"),
    onHang: (loop) => hanging.push(loop),
  });
});
afterEach(() => {
  vitals.stop();
  vi.useRealTimers();
});

/** Lets seconds pass, two at a time, and each probe be answered. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 2) {
    vi.advanceTimersByTime(2_000);
    await db.pool.query("SELECT 1");
    await new Promise(setImmediate);
  }
}

test("is ready once it says so, and not while it stops", async () => {
  expect(vitals.reasons("worker")).toEqual(["starting"]);
  vitals.ready();
  await pass(2);
  expect(vitals.reasons("worker")).toEqual([]);
  vitals.stop();
  expect(vitals.reasons("worker")).toEqual(["stopping"]);
});

test("names a loop that fails twice, until it comes round again", () => {
  vitals.ready();
  const loop = vitals.loop("relay");
  loop.failed(new Error("once"));
  expect(vitals.reasons("worker")).toEqual([]);
  loop.failed(new Error("twice"));
  expect(vitals.reasons("worker")).toEqual(["loop_failing:relay"]);
  loop.turned();
  expect(vitals.reasons("worker")).toEqual([]);
});

test("takes requests while nothing but the work behind them stands still", () => {
  vitals.ready();
  const relay = vitals.loop("relay");
  const keys = vitals.loop("keys");
  vitals.watch(() => "relay_late");
  for (let times = 0; times < 2; times++) relay.failed(new Error("somebody holds a lock"));
  expect(vitals.reasons("worker")).toEqual(["loop_failing:relay", "relay_late"]);
  expect(vitals.reasons("web")).toEqual([]);
  // Without its keys a process opens nothing for anybody.
  for (let times = 0; times < 2; times++) keys.failed(new Error("the folder is gone"));
  expect(vitals.reasons("web")).toEqual(["loop_failing:keys"]);
  keys.turned();
  vitals.watch(() => "intake_failing");
  expect(vitals.reasons("web")).toEqual(["intake_failing"]);
});

test("tells since when a loop fails, how often and with which code, until it comes round again", async () => {
  const loop = vitals.loop("relay", 500);
  loop.turned();
  await pass(4);
  loop.failed(Object.assign(new Error("a value somebody typed"), { code: "53300" }));
  await pass(2);
  loop.failed(Object.assign(new Error("a value somebody typed"), { code: "57014" }));
  expect(vitals.loops()).toEqual([
    {
      name: "relay",
      succeededMsAgo: 6_000,
      failingMs: 2_000,
      failures: 2,
      code: "57014",
      hangingMs: null,
    },
  ]);
  loop.turned();
  expect(vitals.loops()).toMatchObject([
    { succeededMsAgo: 0, failingMs: null, failures: 0, code: null },
  ]);
});

test("tells that a loop hangs once its rest and the longest statement are over", async () => {
  vitals.loop("relay");
  vitals.loop("maintenance", 3_600_000);
  await pass(14);
  expect(vitals.loops().map(({ hangingMs }) => hangingMs)).toEqual([null, null]);
  await pass(2);
  expect(vitals.loops().map(({ hangingMs }) => hangingMs)).toEqual([16_000, null]);
});

test("ends a process whose loop hangs while the database answers", async () => {
  vitals.ready();
  vitals.loop("relay");
  const busy = vitals.loop("create-referral");
  await pass(60);
  busy.turned();
  await pass(40);
  expect(new Set(hanging)).toEqual(new Set(["relay"]));
});

test("gives a loop its rest between two turns", async () => {
  vitals.loop("maintenance", 3_600_000);
  await pass(120);
  expect(hanging).toEqual([]);
});

test("is not ready, and ends nothing, while the database does not answer", async () => {
  vitals.ready();
  vitals.loop("relay");
  await db.whileDown(async () => {
    for (let passed = 0; passed < 200; passed += 2) {
      vi.advanceTimersByTime(2_000);
      await new Promise(setImmediate);
    }
    expect(vitals.reasons("worker")).toEqual(["database_unreachable"]);
  });
  expect(hanging).toEqual([]);
  vi.advanceTimersByTime(2_000);
  await pass(4);
  expect(vitals.reasons("worker")).toEqual([]);
});

test("says that nothing can be written, and that it can again, on connections that were opened since", async () => {
  vitals.ready();
  await db.whileReadOnly(async () => {
    await expect
      .poll(() =>
        db.pool.query("SELECT 1").then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await pass(4);
    expect(vitals.reasons("worker")).toEqual(["database_takes_no_writes"]);
  });
  await pass(4);
  expect(vitals.reasons("worker")).toEqual([]);
});

test("says the same failure of a loop once a minute, each other at once, and that it works again", async () => {
  const { logger, lines } = keptLog("info");
  const watched = watchVitals({ pool: db.pool, logger, onHang: () => {} });
  try {
    const loop = watched.loop("due-jobs", 500);
    const fail = (code: string) => loop.failed(Object.assign(new Error("away"), { code }));
    // An hour without the database, twice a second, and in between another reason.
    for (let turn = 0; turn < 7_200; turn++) {
      fail(turn === 100 ? "53100" : "ECONNREFUSED");
      vi.advanceTimersByTime(500);
    }
    const saying = (text: string) => lines.filter(({ msg }) => msg === text);
    const failed = saying("a background loop failed");
    expect(failed).toHaveLength(61);
    expect(failed[1]).toMatchObject({ failures: 101 });
    loop.turned();
    const works = { loop: "due-jobs", failures: 7_200, failingMs: 3_600_000 };
    expect(lines.at(-1)).toMatchObject({ ...works, msg: "a loop works again" });
    fail("ECONNREFUSED");
    loop.turned();
    expect(saying("a loop works again")).toHaveLength(1);
  } finally {
    watched.stop();
  }
});
