import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, readyRequest } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";

const db = await openTestDatabase();

test.each([
  ["pending", null],
  ["", null],
  ["05/11/2026", null],
  ["0001-01-01T00:00:00Z", null],
  ["2026-11-05", "2026-11-05"],
  ["2026-11-05T15:00:00", "2026-11-05"],
  ["2026-11-05T15:00:00+11:00", "2026-11-05T15:00:00+11:00"],
])("a date that an earlier version stored as %j is read as %j", async (resultDate, expected) => {
  const shop = await installedShop(db);
  const requestId = await readyRequest(db, shop);
  const snapshot = resultSnapshot({ resultDate });
  const state = { partial: false, inReview: false, otherPerson: false, releasedAt: START };
  const read = await db.tenancy.inShop(shop, async ({ results }) => {
    await results.save({ environment: "staging", requestId, snapshot, ...state, at: START });
    return results.snapshotOf(snapshot.uuid);
  });
  expect(read?.resultDate).toBe(expected);
});
