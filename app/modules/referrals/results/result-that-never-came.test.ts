import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { ReferralServiceError } from "../../../platform/errors.ts";
import { maintainShop } from "../../lifecycle/maintain-shop.ts";
import { cancelRequest } from "../cancel-request.ts";
import { refetchWhenDue } from "../refetch-when-due.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();

/** A complete referral with its form, whose result the service did not give when it was asked for. */
async function start() {
  const created = await startCreated(db);
  const { shop, ports, requestId } = created;
  const [uuid = ""] = created.uuids();
  const resultUuid = randomUUID();
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const answer = resultSnapshot({ uuid: resultUuid, referralUuid: uuid });
  const target = { shop, environment: "staging", uuid: resultUuid } as const;
  const asked = (getResult: typeof real.getResult) => {
    created.clock.advance(60_000);
    return { ...ports, services: { forConnection: async () => ({ ...real, getResult }) } };
  };
  const bring = (result: typeof answer | null) =>
    refetchResult(
      asked(async () => result),
      target,
    );
  // By the database's clock, which says what is of late.
  const updatedAt = new Date().toISOString();
  await created.become({ status: "COMPLETE", resultsUuid: resultUuid, updatedAt });
  await db.pool.query(
    `INSERT INTO documents (shop, id, request_id, kind, source_uuid, version, sha256, bytes)
     VALUES ($1, $2, $3, 'referral', $4, 1, '', 1)`,
    [shop, randomUUID(), requestId, uuid],
  );
  expect(await bring(null)).toEqual({ kind: "not_found" });
  await created.takeJobs();
  return {
    ...created,
    arrive: () => bring(answer),
    look: (getResult: typeof real.getResult, retries: number) =>
      refetchWhenDue(asked(getResult), "refetch-result", target, { retries }),
    reason: async () => (await created.find())?.reviewReason?.code ?? null,
    set: (table: "referrals" | "referral_requests", change: string) =>
      db.pool.query(`UPDATE ${table} SET ${change} WHERE shop = $1`, [shop]),
    async tend() {
      await maintainShop({ ...ports, maintenanceIntervalMs: 3_600_000 }, { shop });
      return created.takeJobs();
    },
  };
}

test("a result that the service announced and did not give is looked for until it is here", async () => {
  const one = await start();
  expect(await one.tend()).toContain("refetch-referral");
  await one.refetch();
  expect(await one.takeJobs()).toContain("refetch-result");
  expect(await one.tend()).toContain("refetch-referral");
  await one.arrive();
  expect(await one.tend()).not.toContain("refetch-referral");
});

test.each([
  ["cancellation_requested_by = 'store', cancellation_status = 'requested'", "referral_requests"],
  ["created_at = now() - interval '90 days'", "referral_requests"],
  ["replaced_by = gen_random_uuid()", "referrals"],
] as const)("also when %s of %s", async (change, table) => {
  const one = await start();
  await one.set(table, change);
  expect(await one.tend()).toContain("refetch-referral");
});

test.each([
  ["redacted_at = now()", "referral_requests"],
  ["deleted_at = now()", "referrals"],
  ["service_updated_at = now() - interval '31 days'", "referrals"],
] as const)("not when %s of %s", async (change, table) => {
  const one = await start();
  await one.set(table, change);
  expect(await one.tend()).not.toContain("refetch-referral");
});

const cannotBeRead = async () => {
  throw new ReferralServiceError("contract_mismatch", "GET: biomarkers.0.isAbnormal invalid_type");
};
const isRefused = async () => {
  throw new ReferralServiceError("rejected", "GET: answered 410", { status: 410 });
};
test.each([
  ["that the service does not give", async () => null],
  ["that it refuses to give", isRefused],
  ["that nobody can read", cannotBeRead],
  [
    "that names a referral that nobody knows",
    async () => resultSnapshot({ referralUuid: randomUUID(), referenceNumber: null }),
  ],
])("a person is told of an announced result %s, until it is here", async (_, getResult) => {
  const one = await start();
  for (const retries of [0, 1, 2])
    await expect(one.look(getResult, retries)).rejects.toMatchObject({ retryable: true });
  expect(await one.reason()).toBeNull();
  await one.look(getResult, 3);
  expect(await one.reason()).toBe("unreadable_at_service");
  // Its referral can be read, which says nothing about the result.
  await one.refetch();
  expect(await one.reason()).toBe("unreadable_at_service");
  await one.arrive();
  expect(await one.reason()).toBeNull();
});

test("a referral that the service refuses to give is told of like one that it does not find", async () => {
  const one = await start();
  const [uuid = ""] = one.uuids();
  const real = await one.ports.services.forConnection(one.shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getReferral: isRefused }) };
  const look = (retries: number) => {
    one.clock.advance(60_000);
    const target = { shop: one.shop, environment: "staging", uuid } as const;
    return refetchWhenDue({ ...one.ports, services }, "refetch-referral", target, { retries });
  };
  await expect(look(2)).rejects.toMatchObject({ retryable: true });
  expect(await look(3)).toEqual({ kind: "not_found" });
  expect(await one.reason()).toBe("unreadable_at_service");
});

test("a deletion that found results first has them fetched", async () => {
  const created = await startCreated(db);
  const { ports, shop, requestId, service } = created;
  const [uuid = ""] = created.uuids();
  await cancelRequest(ports, { shop, requestId, actor: "staff:7" });
  await created.takeJobs();
  service.set(uuid, { status: "COMPLETE", resultsUuid: randomUUID() });
  expect(await created.withdraw()).toEqual({ kind: "kept" });
  expect(await created.takeJobs()).toContain("refetch-referral");
  created.clock.advance(60_000);
  await created.refetch();
  expect(await created.takeJobs()).toContain("refetch-result");
});
