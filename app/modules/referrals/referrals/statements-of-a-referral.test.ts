import { expect, test } from "vitest";
import { countStatements } from "../../../../test/database/count-statements.ts";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";

const db = await openTestDatabase();

test("a referral that is complete is read once for the store and for where its test stands", async () => {
  const { find, refetch, service, shop, uuids } = await startCreated(db, {
    settings: { tagOrders: true },
  });
  service.set(String(uuids()[0]), { status: "COMPLETE" });
  const statements = await countStatements(refetch);
  expect(await find()).toMatchObject({ state: "created", stage: "results_ready" });
  const { rows } = await db.pool.query(
    "SELECT payload->>'milestone' AS milestone FROM outbox WHERE shop = $1 AND name = 'publish-order-status'",
    [shop],
  );
  expect(rows).toEqual([{ milestone: "results_ready" }]);
  // 17 where its referrals were read for each. One is the timeline, which tells whether the store heard the same before.
  expect(statements).toBeLessThanOrEqual(16);
});
