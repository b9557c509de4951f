import { randomUUID } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { overviewRun } from "../../../../../test/database/overview-run.ts";
import { gid } from "../../../kernel/ids.ts";

const db = await openTestDatabase();
const { start, inShop, order } = overviewRun(db);

beforeEach(async () => {
  await start();
});

test("only a simulation that went well to its end counts as simulated", async () => {
  const hasSimulated = async () =>
    (await inShop((tenant) => tenant.overview.setup("staging"))).hasSimulated;
  const simulate = async (end: { failure: string | null } | null) => {
    const id = randomUUID();
    await inShop((tenant) =>
      tenant.simulations.begin({
        id,
        variantId: gid("ProductVariant", 1),
        title: "Iron studies",
        orderId: gid("Order", 1),
        startedAt: START,
        startedBy: "staff:1",
      }),
    );
    if (end)
      await inShop((tenant) =>
        tenant.simulations.finish(id, { at: START, heardEvents: true, ...end }),
      );
    return id;
  };
  // A referral of a real order is no simulation.
  await order(1, [{ state: "created", referrals: [{ status: "ISSUED" }] }]);
  expect(await hasSimulated()).toBe(false);
  await simulate({ failure: "timeout:results" });
  expect(await hasSimulated()).toBe(false);
  const running = await simulate(null);
  expect(await hasSimulated()).toBe(false);
  await inShop((tenant) =>
    tenant.simulations.finish(running, { at: START, failure: null, heardEvents: true }),
  );
  expect(await hasSimulated()).toBe(true);
});
