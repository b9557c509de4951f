import { afterAll, afterEach, expect, onTestFinished } from "vitest";
import { eventually } from "../../sandbox/world/eventually.ts";
import { type StartWorldOptions, startWorld, type TestWorld } from "./start-world.ts";

/**
 * Short waits, in the proportions of the real ones: an unclear create call is settled in seconds instead of a quarter
 * of an hour. The quarantine outlasts what a service on a busy machine creates late.
 */
export const QUICK_WORLD: StartWorldOptions = {
  quarantineMs: 2_000,
  env: {
    PATHWAY_CREATE_TIMEOUT_MS: "3000",
    PATHWAY_SYNC_INTERVAL_MS: "2000",
    PATHWAY_ESCALATION_HOUR_MS: "1000",
  },
};

/** The world of this test process, and the options that it was started with. */
let kept: { key: string; world: TestWorld } | undefined;

/**
 * A world for the test file that calls this where it begins. The file is alone in the world while its tests run. The
 * next file of this process that asks for the same options gets the same world, with the orders and people of this one
 * in it: tests look for their own and count nothing of the whole shop. Faults end with the file, and the world ends
 * with a failed test. The file puts back what else it changes for the whole shop, also when a test fails ({@link putBack}).
 */
export async function shareWorld(options: StartWorldOptions = {}): Promise<TestWorld> {
  const key = JSON.stringify(options);
  if (kept?.key !== key) await dismiss();
  kept ??= { key, world: await startWorld(options) };
  const { world } = kept;
  let isSpoiled = false;
  afterEach(({ task }) => {
    if (task.result?.state === "fail") isSpoiled = true;
  });
  afterAll(async () => {
    if (isSpoiled) return dismiss();
    await Promise.all([world.console.setFaults({}), world.store.setFaults({})]);
    await untilUnlimited(world);
  }, 60_000);
  return world;
}

/** Does `work` when the test that calls this ends, also when it fails: what it changed for the whole shop is as it was. */
export const putBack = (work: () => Promise<unknown>): void =>
  onTestFinished(async () => {
    await work();
  });

/** A file that asked without end has used up what a visitor without a token may ask. */
const untilUnlimited = ({ line }: TestWorld) =>
  eventually(
    async () => {
      const answer = await fetch(`${line.app_url}/t/x`);
      await answer.body?.cancel();
      expect(answer.status).not.toBe(429);
    },
    { intervalMs: 500, timeoutMs: 90_000 },
  );

async function dismiss(): Promise<void> {
  const old = kept;
  kept = undefined;
  await old?.world.stop();
}
