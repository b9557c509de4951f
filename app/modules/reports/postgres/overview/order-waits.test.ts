import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { START } from "../../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../../test/database/database.ts";
import { putRequest } from "../../../../../test/database/put-request.ts";
import { startRequest } from "../../../../../test/database/request.ts";
import { connect } from "../../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../../test/database/snapshots.ts";

const db = await openTestDatabase();

async function start() {
  const { shop, requestId } = await startRequest(db);
  await connect(db, shop);
  const put = (fields: Parameters<typeof putRequest>[2]) =>
    db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, fields));
  const waits = () =>
    db.tenancy.inShop(shop, async (tenant) => {
      const orderId = (await tenant.requests.find(requestId))?.orderId;
      if (!orderId) throw new Error("no request");
      return (await tenant.overview.waits([orderId])).get(orderId) ?? [];
    });
  return { shop, requestId, put, waits };
}

test("an unsent order waits for the service only while that answers nothing", async () => {
  const { shop, put, waits } = await start();
  await put({ state: "ready" });
  expect(await waits()).toEqual([]);
  const calls = { answeredAt: null, failingSince: START, failureCode: "timeout" };
  await db.tenancy.inShop(shop, (tenant) => tenant.connections.recordCalls("staging", calls));
  expect(await waits()).toEqual([{ kind: "service", since: START }]);
  const refused = { ...calls, failureCode: "referral_service_unauthorized" };
  await db.tenancy.inShop(shop, (tenant) => tenant.connections.recordCalls("staging", refused));
  expect(await waits()).toEqual([{ kind: "credentials", since: START }]);
  const answered = { answeredAt: START, failingSince: null, failureCode: null };
  await db.tenancy.inShop(shop, (tenant) => tenant.connections.recordCalls("staging", answered));
  expect(await waits()).toEqual([]);
});

test("what is to be sent, or waits for the laboratory, waits for a connection that was removed", async () => {
  const { shop, put, waits } = await start();
  const refused = { failingSince: START, failureCode: "referral_service_unauthorized" };
  for (const state of ["ready", "created"] as const) {
    await put({ state });
    await connect(db, shop);
    expect(await waits()).toEqual([]);
    await db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.recordCalls("staging", { answeredAt: null, ...refused }),
    );
    expect(await waits()).toEqual([{ kind: "credentials", since: START }]);
    await db.tenancy.inShop(shop, (tenant) => tenant.connections.remove("staging"));
    expect(await waits()).toMatchObject([{ kind: "connection" }]);
  }
  await put({ state: "cancelled" });
  expect(await waits()).toEqual([]);
});

test("an order without details waits for them, and says when somebody was reminded last", async () => {
  const { shop, requestId, put, waits } = await start();
  await put({ state: "awaiting_details" });
  expect(await waits()).toMatchObject([{ kind: "details", remindedAt: null }]);
  await db.pool.query(
    `INSERT INTO notifications (shop, id, request_id, kind, occurrence, sent_at)
     VALUES ($1, $2, $3, 'details_reminder', '1', $4)`,
    [shop, randomUUID(), requestId, START],
  );
  expect(await waits()).toMatchObject([{ kind: "details", remindedAt: START }]);
});

test("a referral that the service verifies waits for the practitioner", async () => {
  const { shop, requestId, put, waits } = await start();
  await put({ state: "created" });
  const snapshot = referralSnapshot({ uuid: randomUUID(), status: "PENDING_VERIFICATION" });
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.referrals.save("staging", requestId, snapshot, START),
  );
  expect(await waits()).toMatchObject([{ kind: "practitioner" }]);
});

test("what is to be sent waits for the end of a pause after a restore", async () => {
  const { shop, put, waits } = await start();
  const pause = (at: Date | null) =>
    db.pool.query("UPDATE connections SET paused_at = $2 WHERE shop = $1", [shop, at]);
  await pause(START);
  for (const state of ["ready", "ambiguous"] as const) {
    await put({ state });
    expect(await waits()).toEqual([{ kind: "pause", since: START }]);
  }
  await put({ state: "created" });
  expect(await waits()).toEqual([]);
  await put({ state: "ready" });
  await pause(null);
  expect(await waits()).toEqual([]);
});
