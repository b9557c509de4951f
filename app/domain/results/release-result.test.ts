import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { releaseResults } from "./release-result.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

async function result(
  shop: string,
  requestId: string,
  { inReview = false, partial = false } = {},
): Promise<string> {
  const uuid = randomUUID();
  await db.pool.query(
    `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial,
       in_review, snapshot_sealed, service_updated_at, fetched_at)
     VALUES ($1, $2, 'staging', $3, $4, 'COMPLETE', $6, $5, '', now(), now())`,
    [shop, uuid, requestId, randomUUID(), inReview, partial],
  );
  return uuid;
}

test("held results are shown once, with one mail; those in review at the service stay hidden", async () => {
  const { shop, ports, clock, story, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  const held = await result(shop, requestId);
  const inReview = await result(shop, requestId, { inReview: true });
  await takeJobs();
  expect(await releaseResults(ports, { shop, requestId, actor })).toEqual({
    kind: "released",
    results: 1,
  });
  expect(await releaseResults(ports, { shop, requestId, actor })).toEqual({ kind: "nothing_held" });
  const released = await db.tenancy.inShop(shop, (tenant) =>
    tenant.results.forRequests([requestId]),
  );
  expect(Object.fromEntries(released.map((one) => [one.uuid, one.releasedAt]))).toEqual({
    [held]: clock.now(),
    [inReview]: null,
  });
  expect(await story(requestId)).toEqual(["result_released"]);
  expect(await takeJobs()).toEqual(["send-mail"]);
});

test("a cancelled request and another shop's release nothing", async () => {
  const { shop, ports } = await startLedger(db);
  const other = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await result(shop, requestId);
  const nothing = { kind: "nothing_held" };
  expect(await releaseResults(ports, { shop: other.shop, requestId, actor })).toEqual(nothing);
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.requests.move(requestId, ["ready"], "cancelled"),
  );
  expect(await releaseResults(ports, { shop, requestId, actor })).toEqual(nothing);
});

test("partial results are shown without the mail that the whole ones will bring", async () => {
  const { shop, ports, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await result(shop, requestId, { partial: true });
  await takeJobs();
  await releaseResults(ports, { shop, requestId, actor });
  expect(await takeJobs()).toEqual([]);
});
