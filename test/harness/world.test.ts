import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAlive } from "../../sandbox/world/process-life.ts";
import { eventually } from "./index.ts";
import { startWorld, type TestWorld } from "./start-world.ts";

describe("a world", () => {
  let world: TestWorld;
  beforeAll(async () => {
    // From nothing, as the demo starts: the app makes its tables itself, and keeps as little memory as everywhere.
    const env = { PATHWAY_POSTGRES_TEMPLATE: "", PATHWAY_APP_NODE_FLAGS: "" };
    world = await startWorld({ workers: 1, env });
  });
  afterAll(() => world?.stop(), 60_000);

  test("has every kind of mapping", () => {
    const { products } = world.line;
    const kinds = products.map(({ mapsTo, state }) => [state, ...Object.keys(mapsTo)].join(" "));
    expect(new Set(kinds)).toEqual(
      new Set([
        "mapped bundleId",
        "mapped tests",
        "mapped bundleId tests",
        "mapped medicareTests",
        "unmapped",
        "ignored",
      ]),
    );
  });

  test("starts a killed app again on the same address, and a killed worker too", async () => {
    const before = await world.processes();
    expect(before).toEqual(world.line.processes);
    for (const pid of [before.app, ...before.workers]) process.kill(pid, "SIGKILL");
    const after = await eventually(async () => {
      const processes = await world.processes();
      expect(processes.app).not.toBe(before.app);
      expect(processes.workers).not.toEqual(before.workers);
      return processes;
    });
    await eventually(async () => {
      const answer = await fetch(`${world.line.app_url}/healthz`);
      expect(answer.status).toBe(200);
    });
    expect(after).toEqual({ ...before, app: after.app, workers: after.workers });
  });

  test("can be looked into", async () => {
    expect(await world.sql.count("SELECT count(*) FROM pg_stat_activity")).toBeGreaterThan(0);
    const { referralsByReferenceNumber } = await world.console.stats();
    expect(referralsByReferenceNumber).toEqual({});
  });

  test("ends with all its processes", async () => {
    const { app, workers, service, store, database } = await world.processes();
    await world.stop();
    const pids = [app, ...workers, service, store, ...(database === null ? [] : [database])];
    expect(pids.filter(isAlive)).toEqual([]);
  });
});
