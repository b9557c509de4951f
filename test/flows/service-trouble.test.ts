import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { eventually, startWorld, type TestWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { documentsOf, type RequestRow, requestsOf, timelineOf } from "./rows.ts";
import { goShopping, only, type Shopping } from "./shopping.ts";

let world: TestWorld;
let shopping: Shopping;
beforeAll(async () => {
  // An unclear attempt is settled in seconds instead of a quarter of an hour.
  const env = { PATHWAY_CREATE_TIMEOUT_MS: "2000", PATHWAY_TAILER_INTERVAL_MS: "2000" };
  world = await startWorld({ quarantineMs: 500, env });
  shopping = goShopping(world);
}, 120_000);
afterEach(() => world.console.setFaults({}));
afterAll(() => world?.stop(), 60_000);

/** One unit whose details are given; what becomes of it is the test's business. */
async function sendOne(): Promise<RequestRow> {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, asked);
  return only(asked);
}

const rowOf = async ({ id }: RequestRow) =>
  only(
    (await world.sql.rows(anything, "SELECT order_id FROM referral_requests WHERE id = $1", [id]))
      .map(({ order_id }) => order_id),
  );
