import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { toleratedErrors } from "../../../platform/counters.ts";
import { askPool } from "../../../platform/encryption/data-keys.ts";
import { refetchResult } from "../results/refetch-result.ts";

const db = await openTestDatabase();

type Copies = "referrals" | "results";
/** Turns one bit of what is stored of a referral or result, as a disk does: of a byte counted from its start, or of the last. */
const damage = (table: Copies, uuid: string, byte?: number) =>
  db.pool.query(
    `UPDATE ${table} SET snapshot_sealed = set_byte(snapshot_sealed, at, get_byte(snapshot_sealed, at) # 1)
     FROM (SELECT uuid AS of, coalesce($2::int, length(snapshot_sealed) - 1) AS at FROM ${table}) t
     WHERE uuid = $1 AND of = uuid`,
    [uuid, byte],
  );
const bytesOf = async (table: Copies, uuid: string) =>
  (await db.pool.query(`SELECT snapshot_sealed AS bytes FROM ${table} WHERE uuid = $1`, [uuid]))
    .rows[0].bytes as Buffer;
const counted = (place: string): Map<string | undefined, number> =>
  new Map(
    toleratedErrors
      .values()
      .filter(({ labels }) => labels.at === place)
      .map(({ labels, value }) => [labels.code, value]),
  );
/** Other files of this process count, too. */
const countedSince = (place: string, before: ReturnType<typeof counted>) =>
  [...counted(place)]
    .map(([code, value]) => [code, value - (before.get(code) ?? 0)])
    .filter(([, value]) => value !== 0);

test("a referral whose stored copy is damaged is stored anew, though the service says nothing new of it", async () => {
  const one = await startCreated(db);
  const [uuid = ""] = one.uuids();
  const issued = { status: "ISSUED", updatedAt: "2026-11-20T01:00:00Z" };
  await one.become(issued);
  const before = counted("referral.former-snapshot");
  await damage("referrals", uuid);
  one.clock.advance(60_000);
  await one.become(issued);
  expect(countedSince("referral.former-snapshot", before)).toEqual([["sealed_damaged", 1]]);
  one.clock.advance(60_000);
  // The fresh copy opens, and nothing more is counted.
  await one.become(issued);
  expect(countedSince("referral.former-snapshot", before)).toEqual([["sealed_damaged", 1]]);
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
  const before = counted("result.former-snapshot");
  await damage("results", result.uuid);
  await expect(stored()).rejects.toMatchObject({ code: "sealed_damaged" });
  clock.advance(60_000);
  await refetchResult({ ...ports, services }, target);
  expect(await stored()).toMatchObject({ uuid: result.uuid, biomarkers: result.biomarkers });
  expect(countedSince("result.former-snapshot", before)).toEqual([["sealed_damaged", 1]]);
  const [seen] = await db.tenancy.inShop(shop, (tenant) => tenant.results.forRequests([requestId]));
  expect(seen?.releasedAt).not.toBeNull();
});

test.each([1, 2, 3, 4])(
  "a copy whose version of the key is damaged, in byte %i, is stored anew",
  async (byte) => {
    const one = await startCreated(db);
    const { shop, ports, clock } = one;
    const [uuid = ""] = one.uuids();
    const issued = { status: "ISSUED", updatedAt: "2026-11-20T01:00:00Z" };
    await one.become(issued);
    const result = resultSnapshot({ referralUuid: uuid });
    const real = await ports.services.forConnection(shop, "staging");
    if (!real) throw new Error("no service");
    const services = { forConnection: async () => ({ ...real, getResult: async () => result }) };
    const target = { shop, environment: "staging", uuid: result.uuid } as const;
    await refetchResult({ ...ports, services }, target);
    await damage("referrals", uuid, byte);
    await damage("results", result.uuid, byte);
    clock.advance(60_000);
    await one.become(issued);
    await refetchResult({ ...ports, services }, target);
    const stored = await db.tenancy.inShop(shop, (tenant) =>
      tenant.results.snapshotOf(result.uuid),
    );
    expect(stored).toMatchObject({ biomarkers: result.biomarkers });
    expect([...(await bytesOf("referrals", uuid)).subarray(1, 5)]).toEqual([0, 0, 0, 1]);
  },
);

test("a copy whose key is missing is kept as it is, and no reading takes its place", async () => {
  const one = await startCreated(db);
  const { shop, requestId, clock } = one;
  const [uuid = ""] = one.uuids();
  const issued = { status: "ISSUED", updatedAt: "2026-11-20T01:00:00Z" };
  await one.become(issued);
  const subject = `request ${requestId}`;
  const keys = db.sealers.keys;
  await keys.replace(askPool(db.pool), shop, subject);
  db.sealers.forget(shop);
  clock.advance(60_000);
  await one.become({ ...issued, reference: "R-2" });
  const before = await bytesOf("referrals", uuid);
  expect(before[4]).toBe(2);
  await db.pool.query("DELETE FROM data_keys WHERE shop = $1 AND subject = $2 AND version = 2", [
    ...[shop, subject],
  ]);
  db.sealers.forget(shop);
  clock.advance(60_000);
  await expect(one.become(issued)).rejects.toMatchObject({ code: "key_unknown" });
  expect(await bytesOf("referrals", uuid)).toEqual(before);
});
