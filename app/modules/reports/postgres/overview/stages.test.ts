import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import {
  COMPLETE,
  DAY_MS,
  FAILED,
  type Kind,
  OTHER,
  overviewRun,
} from "../../../../../test/database/overview-run.ts";
import { REQUEST_STATES } from "../../../referrals/request.ts";
import { reasonOf, stageOf } from "../../../referrals/standing.ts";

const db = await openTestDatabase();
const { start, inShop, order, page } = overviewRun(db);

beforeEach(async () => {
  await start();
});

describe("stages", () => {
  const kinds = REQUEST_STATES.flatMap((state): Kind[] =>
    [undefined, FAILED].flatMap((reviewReason) =>
      [
        [],
        COMPLETE,
        [...COMPLETE, { status: "ISSUED" }],
        [...COMPLETE, { status: "ISSUED", deleted: true }],
        [{ status: "COMPLETE", deleted: true }],
      ].flatMap((referrals) =>
        [
          undefined,
          { released: false, inReview: false },
          { released: false, inReview: true },
          { released: true, inReview: false },
        ].map((result) => ({ state, reviewReason, referrals, result })),
      ),
    ),
  );

  const reordered = REQUEST_STATES.flatMap((state): Kind[] =>
    [undefined, FAILED].flatMap((reviewReason) =>
      [
        [],
        COMPLETE,
        [{ status: "FAILED_TEST", replaced: true }],
        [...COMPLETE, { status: "FAILED_TEST", replaced: true }],
      ].map((referrals) => ({ state, reviewReason, referrals, replaced: true })),
    ),
  );

  test.each([
    ["every combination of facts", kinds],
    ["requests that were ordered again", reordered],
  ])(
    "SQL and the domain agree about %s",
    async (_, kinds) => {
      for (const [index, kind] of kinds.entries()) await order(index + 1, [kind]);
      const { orders } = await page({ size: kinds.length });
      for (const [index, one] of kinds.entries()) {
        const { state, reviewReason = null, referrals = [], result, replaced } = one;
        const facts = {
          request: {
            state,
            reviewReason,
            handledReason: null,
            replacedBy: replaced ? OTHER : null,
            missingPart: null,
            resultReason: null,
            mailRefusedAt: null,
            underAge: false,
          },
          referrals: referrals.map((one) => ({
            status: one.status,
            deletedAt: "deleted" in one ? START : null,
            replacedBy: "replaced" in one ? OTHER : null,
          })),
          results: result
            ? [
                {
                  releasedAt: result.released ? START : null,
                  inReview: result.inReview,
                  deletedAt: null,
                },
              ]
            : [],
        };
        const found = orders.find((one) => one.name === `#${index + 1}`);
        const stage = stageOf(facts);
        // Where one was ordered again as a whole, the replacement tells.
        const isOver = stage === "cancelled" && replaced;
        expect({ kind: kinds[index], ...found }).toMatchObject({
          stages: isOver ? [] : [{ stage, count: 1 }],
          attention: reasonOf(facts),
        });
      }
    },
    180_000,
  );

  test.each([
    ["in_progress", [{ status: "ISSUED" }]],
    ["results_ready", COMPLETE],
  ] as const)("count and list no test as %s whose data was erased", async (stage, referrals) => {
    await order(1, [{ state: "created", referrals: [...referrals] }]);
    await order(2, [{ state: "created", referrals: [...referrals] }]);
    await db.pool.query(
      "UPDATE referral_requests SET redacted_at = $2 WHERE shop = $1 AND order_id = (SELECT order_id FROM orders WHERE shop = $1 AND name = '#2')",
      [await inShop(async ({ shop }) => shop), START],
    );
    const counts = await inShop((tenant) => tenant.overview.stageCounts(1_000));
    expect(counts[stage]).toBe(1);
    const { orders } = await page({ filter: stage });
    expect(orders.map(({ name }) => name)).toEqual(["#1"]);
  });

  test("are counted: orders of the whole shop, and requests by day in the reader's time zone", async () => {
    await order(1, [{ state: "awaiting_details" }, { state: "held" }, { state: "held" }]);
    // Noon in Sydney two days before, 11 hours ahead of UTC.
    await order(2, [{ state: "created", referrals: COMPLETE }], { daysAgo: 2 });
    await order(3, [{ state: "cancelled" }], { daysAgo: 20 });
    const { counts, days } = await inShop(async (tenant) => ({
      counts: await tenant.overview.stageCounts(1_000),
      days: await tenant.overview.requestsByDay(
        new Date(START.getTime() - 14 * DAY_MS),
        "Australia/Sydney",
      ),
    }));
    expect(counts).toEqual({
      attention: 1,
      awaiting_details: 1,
      in_progress: 0,
      results_ready: 1,
      cancelled: 1,
    });
    expect(
      days.toSorted((a, b) => `${a.day}${a.stage}`.localeCompare(`${b.day}${b.stage}`)),
    ).toEqual([
      { day: "2026-11-18", stage: "results_ready", count: 1 },
      { day: "2026-11-20", stage: "attention", count: 2 },
      { day: "2026-11-20", stage: "awaiting_details", count: 1 },
    ]);
  });
});
