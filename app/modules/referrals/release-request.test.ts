import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { releaseRequest } from "./release-request.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

test("a held request is sent once, whoever else releases it", async () => {
  const { shop, ports, state, story, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { state: "held" }));
  await takeJobs();
  const outcomes = await Promise.all(
    Array.from({ length: 3 }, () => releaseRequest(ports, { shop, requestId, actor })),
  );
  expect(outcomes.filter((one) => one.kind === "queued")).toHaveLength(1);
  expect(await state(requestId)).toBe("ready");
  expect(await story(requestId)).toEqual(["request_released"]);
  expect(await takeJobs()).toEqual(["create-referral"]);
});

test("leaves alone a request that is not held, or is another shop's", async () => {
  const { shop, ports, state, takeJobs } = await startLedger(db);
  const other = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await takeJobs();
  expect(await releaseRequest(ports, { shop, requestId, actor })).toEqual({ kind: "not_held" });
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { state: "held" }));
  const foreign = await releaseRequest(ports, { shop: other.shop, requestId, actor });
  expect(foreign).toEqual({ kind: "not_held" });
  expect(await state(requestId)).toBe("held");
  expect(await takeJobs()).toEqual([]);
});
