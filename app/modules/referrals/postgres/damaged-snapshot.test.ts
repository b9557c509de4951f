import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { toleratedErrors } from "../../../platform/counters.ts";
import { refetchResult } from "../results/refetch-result.ts";

const db = await openTestDatabase();

/** Turns one bit of what is stored of a referral or result, as a disk does. */
const damage = (table: "referrals" | "results", uuid: string) =>
  db.pool.query(
    `UPDATE ${table} SET snapshot_sealed = set_byte(snapshot_sealed, length(snapshot_sealed) - 1,
       get_byte(snapshot_sealed, length(snapshot_sealed) - 1) # 1) WHERE uuid = $1`,
    [uuid],
  );
const counted = (place: string) =>
  toleratedErrors
    .values()
    .filter(({ labels }) => labels.at === place)
    .map(({ labels, value }) => [labels.code, value]);

test("a referral whose stored copy is damaged is stored anew, though the service says nothing new of it", async () => {
  const one = await startCreated(db);
  const [uuid = ""] = one.uuids();
  const issued = { status: "ISSUED", updatedAt: "2026-11-20T01:00:00Z" };
  await one.become(issued);
  await damage("referrals", uuid);
  one.clock.advance(60_000);
  await one.become(issued);
  expect(counted("referral.former-snapshot")).toEqual([["sealed_damaged", 1]]);
  one.clock.advance(60_000);
  // The fresh copy opens, and nothing more is counted.
  await one.become(issued);
  expect(counted("referral.former-snapshot")).toEqual([["sealed_damaged", 1]]);
});

test("a result whose stored copy is damaged is stored anew, and its patient can see it again", async () => {
  const { shop, ports, clock, uuids, requestId } = await startCreated(db);
  const [referralUuid = ""] = uuids();
  const result = resultSnapshot({ referralUuid });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
  const target = { shop, environment: "staging", uuid: result.uuid } as const;
  const stored = () => db.tenancy.inShop(shop, (tenant) => tenant.results.snapshotOf(result.uuid));
  await refetchResult({ ...ports, services }, target);
  await damage("results", result.uuid);
  await expect(stored()).rejects.toMatchObject({ code: "sealed_damaged" });
  clock.advance(60_000);
  await refetchResult({ ...ports, services }, target);
  expect(await stored()).toMatchObject({ uuid: result.uuid, biomarkers: result.biomarkers });
  expect(counted("result.former-snapshot")).toEqual([["sealed_damaged", 1]]);
  const [seen] = await db.tenancy.inShop(shop, (tenant) => tenant.results.forRequests([requestId]));
  expect(seen?.releasedAt).not.toBeNull();
});
