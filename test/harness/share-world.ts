import { afterAll, afterEach } from "vitest";
import { type StartWorldOptions, startWorld, type TestWorld } from "./start-world.ts";

/**
 * Short waits, in the proportions of the real ones: an unclear create call is settled in seconds instead of a quarter
 * of an hour.
 */
export const QUICK_WORLD: StartWorldOptions = {
  quarantineMs: 500,
  env: {
    PATHWAY_CREATE_TIMEOUT_MS: "3000",
    PATHWAY_TAILER_INTERVAL_MS: "2000",
    PATHWAY_ESCALATION_HOUR_MS: "1000",
  },
};

/** More worlds than this are not kept beside each other: each takes half a gigabyte. */
const MAX_KEPT_WORLDS = 2;

/** The worlds of this test process by their options, the one that was used last at the end. */
const kept = new Map<string, TestWorld>();

/**
 * A world for the test file that calls this where it begins. The file is alone in the world while its tests run. The
 * next file of this process that asks for the same options gets the same world, with the orders and people of this one
 * in it: tests look for their own and count nothing of the whole shop. Faults end with the file, and the world ends
 * with a failed test. The file puts back what else it changes for the whole shop.
 */
export async function shareWorld(options: StartWorldOptions = {}): Promise<TestWorld> {
  const key = JSON.stringify(options);
  const world = kept.get(key) ?? (await startWorld(options));
  kept.delete(key);
  kept.set(key, world);
  for (const [old, unused] of [...kept].slice(0, -MAX_KEPT_WORLDS)) {
    kept.delete(old);
    await unused.stop();
  }
  let isSpoiled = false;
  afterEach(({ task }) => {
    if (task.result?.state === "fail") isSpoiled = true;
  });
  afterAll(async () => {
    if (isSpoiled) {
      kept.delete(key);
      await world.stop();
    } else await Promise.all([world.console.setFaults({}), world.store.setFaults({})]);
  }, 60_000);
  return world;
}
