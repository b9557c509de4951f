import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { connect, installedShop, readyRequest } from "../../../../test/database/seed.ts";
import type { RequestState } from "../request.ts";
import type { ReviewReason } from "../review-reason.ts";
import { readStalledWork, STALLED_WORK } from "./stalled-work.ts";

const db = await openTestDatabase();

const REFUSED = { code: "not_sent", detail: "unauthorized" } as const;

interface Kind {
  state: RequestState;
  reviewReason?: ReviewReason;
  isHandled?: boolean;
  /** When anything was last written to it. */
  idleHours?: number;
  /** Since when it could have been sent; as long as it is idle when left out. */
  heldHours?: number;
  /** That its order is older than its details. */
  orderHours?: number;
  /** Since when its sender's time is over; negative: it is not. */
  overdueSeconds?: number;
  attempt?: number;
  /** When the service answered last, and whether its calls have failed since. */
  answeredHours?: number;
  isFailing?: boolean;
}

/**
 * Returns the jobs that are taken up for such a request: by time, when the app is back or a pause is over, and when somebody has
 * tested the connection.
 */
async function takenUp(kind: Kind) {
  const { state, reviewReason, idleHours = 0, overdueSeconds = 0, attempt = 1 } = kind;
  const { answeredHours, isFailing = false, isHandled = false } = kind;
  const { heldHours = idleHours, orderHours = heldHours } = kind;
  const shop = await installedShop(db);
  if (answeredHours !== undefined) {
    await connect(db, shop);
    await db.pool.query(
      `UPDATE connections SET answered_at = now() - $2 * interval '1 hour',
         failing_since = CASE WHEN $3 THEN now() END WHERE shop = $1`,
      [shop, answeredHours, isFailing],
    );
  }
  const id = await readyRequest(db, shop);
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, id, {
      ...{ state, reviewReason: reviewReason ?? null },
      handledReason: isHandled && reviewReason ? reviewReason : null,
    }),
  );
  await db.pool.query(
    `UPDATE referral_requests SET updated_at = now() - $2 * interval '1 hour',
       attempt_deadline_at = now() - $3 * interval '1 second', attempt = $4,
       consent_at = now() - $5 * interval '1 hour', created_at = now() - $6 * interval '1 hour' WHERE id = $1`,
    [id, idleHours, overdueSeconds, attempt, heldHours, orderHours],
  );
  const names = async (isOver: boolean, isTested: boolean) => {
    const { rows } = await db.pool.query(STALLED_WORK, [shop, null, isOver, isTested]);
    return readStalledWork(rows).map(({ name }) => name);
  };
  const [byTime, over] = [await names(false, false), await names(true, false)];
  return [...byTime, "|", ...over, "|", ...(await names(true, true))].join(" ");
}

test.each<[string, Kind, string]>([
  ["is new", { state: "ready" }, "| create-referral | create-referral"],
  [
    "waits for two hours",
    { state: "ready", idleHours: 2 },
    "create-referral | create-referral | create-referral",
  ],
  [
    "waits for the connection",
    { state: "ready", reviewReason: { code: "not_sent", detail: "no_connection" }, idleHours: 2 },
    "| create-referral | create-referral",
  ],
  [
    "was refused for its credentials, and others have been answered since",
    { state: "ready", reviewReason: REFUSED, idleHours: 2, answeredHours: 1 },
    "create-referral | create-referral | create-referral",
  ],
  [
    "was refused for its credentials a moment ago",
    { state: "ready", reviewReason: REFUSED, idleHours: 0.9, answeredHours: 0.1 },
    "| create-referral | create-referral",
  ],
  [
    "was refused for its credentials, and nothing was answered since",
    { state: "ready", reviewReason: REFUSED, idleHours: 2, answeredHours: 3 },
    "| create-referral | create-referral",
  ],
  [
    "was refused for its credentials, as others are again",
    { state: "ready", reviewReason: REFUSED, idleHours: 2, answeredHours: 1, isFailing: true },
    "| create-referral | create-referral",
  ],
  [
    "was refused for its credentials often",
    { state: "ready", reviewReason: REFUSED, idleHours: 9, answeredHours: 1, attempt: 10 },
    "| create-referral | create-referral",
  ],
  [
    "was refused for its credentials, which a person has dealt with otherwise",
    { state: "ready", reviewReason: REFUSED, isHandled: true, idleHours: 2, answeredHours: 1 },
    "| | create-referral",
  ],
  [
    "was refused for its credentials, which a person has dealt with otherwise, a moment ago",
    { state: "ready", reviewReason: REFUSED, isHandled: true },
    "| | create-referral",
  ],
  [
    "waits for the connection, and could have been sent for fifteen days",
    {
      ...{ state: "ready", reviewReason: { code: "not_sent", detail: "no_connection" } },
      idleHours: 15 * 24,
    },
    "| | create-referral",
  ],
  [
    "was refused for its credentials thirteen days ago",
    { state: "ready", reviewReason: REFUSED, idleHours: 13 * 24, answeredHours: 1 },
    "create-referral | create-referral | create-referral",
  ],
  [
    "was refused for its credentials each day for fifteen days",
    { state: "ready", reviewReason: REFUSED, idleHours: 25, heldHours: 15 * 24, answeredHours: 1 },
    "| | create-referral",
  ],
  [
    "was refused for its credentials a day ago, and had waited for its details for a month",
    {
      ...{ state: "ready", reviewReason: REFUSED, idleHours: 25, heldHours: 26 },
      ...{ orderHours: 30 * 24, answeredHours: 1 },
    },
    "create-referral | create-referral | create-referral",
  ],
  [
    "was refused for its credentials two years ago",
    { state: "ready", reviewReason: REFUSED, idleHours: 2 * 365 * 24, answeredHours: 1 },
    "| | create-referral",
  ],
  [
    "is being sent",
    { state: "sending", overdueSeconds: -60 },
    "| resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "is being sent again after it was refused for its credentials",
    { state: "sending", reviewReason: REFUSED },
    "| resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "has a silent sender",
    { state: "sending", overdueSeconds: 11 },
    "| resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "is unclear for two hours",
    { state: "ambiguous", idleHours: 2 },
    "resolve-ambiguous | resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "is unclear while the patient is under age",
    { state: "ambiguous", reviewReason: { code: "under_age", detail: null }, idleHours: 2 },
    "resolve-ambiguous | resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "waits for the service's list",
    {
      state: "ambiguous",
      reviewReason: { code: "unresolved", detail: "unauthorized" },
      idleHours: 2,
    },
    "resolve-ambiguous | resolve-ambiguous | resolve-ambiguous",
  ],
  [
    "came to wait for the service's list a moment ago",
    { state: "ambiguous", reviewReason: { code: "unresolved", detail: "contract_mismatch" } },
    "resolve-ambiguous | resolve-ambiguous | resolve-ambiguous",
  ],
  ["is unclear for a moment", { state: "ambiguous" }, "| resolve-ambiguous | resolve-ambiguous"],
  [
    "waits for a person",
    {
      state: "ambiguous",
      reviewReason: { code: "ambiguous", detail: null },
      idleHours: 2,
      overdueSeconds: 60,
    },
    "| |",
  ],
  ["waits for its details", { state: "awaiting_details", idleHours: 200 }, "| |"],
  ["is ordered", { state: "created", idleHours: 200 }, "| |"],
])("takes up what stands still when a request %s", async (_, kind, expected) => {
  expect(await takenUp(kind)).toBe(expected);
});

test("leaves the work of a shop alone that has taken the app off", async () => {
  const shop = await installedShop(db);
  await readyRequest(db, shop);
  await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
  const { rows } = await db.pool.query(STALLED_WORK, [shop, null, true, true]);
  expect(rows).toEqual([]);
});
