import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { resendDetails } from "../notifications/resend-details.ts";
import { askForCorrection } from "./ask-for-correction.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let requestId: string;
const orderId = gid("Order", 1);
let now = START;
const ports = { tenancy: db.tenancy, clock: { now: () => now } };

beforeEach(async () => {
  now = START;
  shop = await installedShop(db);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.orders.record(storeOrder({ id: orderId }), new Map(), START),
  );
  requestId = await readyRequest(db, shop, { orderNumber: 1 });
});

const ask = () => askForCorrection(ports, { shop, requestId, actor: "staff:7" });
const mails = async () => {
  const { rows } = await db.pool.query<{ kind: string }>(
    "SELECT payload->>'kind' AS kind FROM outbox WHERE shop = $1 AND name = 'send-mail' ORDER BY id",
    [shop],
  );
  return rows.map(({ kind }) => kind);
};

test("asked twice on one day it is one mail, and on the next day another", async () => {
  const twice = await Promise.all([ask(), ask()]);
  expect(twice.map(({ kind }) => kind).sort()).toEqual(["asked_today", "queued"]);
  now = new Date(START.getTime() + 24 * 3_600_000);
  expect(await ask()).toEqual({ kind: "queued" });
  expect(await mails()).toEqual(["correction_needed", "correction_needed"]);
  const story = await db.tenancy.inShop(shop, (tenant) => tenant.timeline.forOrder(orderId));
  expect(story.map(({ kind, actor }) => [kind, actor])).toEqual([
    ["correction_asked", "staff:7"],
    ["correction_asked", "staff:7"],
  ]);
});

test.each(["awaiting_details", "sending", "ambiguous", "cancelled"])(
  "nobody is asked to correct the details of a request that is %s",
  async (state) => {
    await db.pool.query("UPDATE referral_requests SET state = $1 WHERE id = $2", [
      state,
      requestId,
    ]);
    expect(await ask()).toEqual({ kind: "too_late" });
    expect(await mails()).toEqual([]);
  },
);

test("another shop's request is not found", async () => {
  const other = await installedShop(db);
  const target = { shop: other, requestId, actor: "staff:7" } as const;
  expect(await askForCorrection(ports, target)).toEqual({ kind: "too_late" });
});

test("asking again reaches the patient whom a unit was handed to, unless they want no more mails", async () => {
  const resend = () => resendDetails(ports, { shop, orderId, actor: "staff:7" });
  await db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, requestId, { state: "awaiting_details" });
    await tenant.requests.recordInvitation(requestId, "her@example.com", START);
  });
  expect(await resend()).toEqual({ kind: "queued" });
  expect(await mails()).toEqual(["details_reminder"]);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.requests.stopReminders(requestId, "patient", START),
  );
  expect(await resend()).toEqual({ kind: "nothing_to_ask" });
});
