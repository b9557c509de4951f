import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { isAlive } from "../../sandbox/world/process-life.ts";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import type { RequestRow } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";

/** An orchestrator kills what has not ended 30 s after it was asked to. */
const EXIT_TIMEOUT = { timeoutMs: 90_000, what: "the app's end" };
const TIMEOUT = { timeoutMs: 90_000 };

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  const env = {
    PATHWAY_CREATE_TIMEOUT_MS: "16000",
    PATHWAY_SYNC_INTERVAL_MS: "2000",
    PATHWAY_STOP_GRACE_MS: "500",
  };
  world = await startWorld({ quarantineMs: 6_000, env });
  shopping = goShopping(world);
});
afterAll(() => world?.stop(), 60_000);

/** A test whose details are not given yet. */
async function buyOne(): Promise<{
  send: () => Promise<void>;
  when: (state: string) => Promise<RequestRow>;
}> {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  const is = (state: string) => (request: RequestRow) => expect(request.state).toBe(state);
  const when = async (state: string) =>
    only(await shopping.requestsWhen(order, 1, is(state), TIMEOUT.timeoutMs));
  return { send: () => shopping.giveDetails(buyer, asked), when };
}

/** Until the service has got so many create calls in all. */
const calledFor = (count: number) =>
  eventually(async () => {
    const { calls } = await world.console.stats();
    expect(calls["POST /v1/referrals"]).toBe(count);
  }, TIMEOUT);

test("a stop parks long creates as unclear, loses nothing that was acknowledged, and ends in time", async () => {
  await world.console.setFaults({ createDelayMs: 10_000 });
  const long = [await buyOne(), await buyOne()];
  // Both at once: the first must not be done before the second has begun. The service has both: a claim whose call had not left would
  // be sent by the next process.
  await Promise.all([calledFor(2), ...long.map(({ send }) => send())]);
  // Orders keep coming while the app stops, and are acknowledged until it does not answer any more.
  const variantId = shopping.product("tests").variantId;
  const buyer = await shopping.newShopper();
  const late = Array.from({ length: 20 }, () => shopping.buy(buyer, [[variantId, 1]]));
  const { app } = await world.processes();
  // As of a terminal that is closed. Other flows stop their processes by SIGTERM.
  process.kill(app, "SIGHUP");
  await eventually(async () => expect(isAlive(app)).toBe(false), EXIT_TIMEOUT);

  const reasons = await eventually(async () => {
    const found = await world.sql.rows(
      z.object({ reason: z.string() }),
      "SELECT detail->>'reason' AS reason FROM timeline WHERE kind = 'create_unknown'",
    );
    expect(found).toHaveLength(2);
    return found;
  }, TIMEOUT);
  for (const { reason } of reasons) expect(reason).toContain("because this process stops");

  await world.console.setFaults({});
  const sent = [];
  for (const { when } of long) sent.push(await when("created"));
  await oneReferralEach(world, sent);
  // Found again, not sent again.
  await calledFor(2);
  for (const order of await Promise.all(late))
    await shopping.requestsWhen(order, 1, undefined, TIMEOUT.timeoutMs);
});
