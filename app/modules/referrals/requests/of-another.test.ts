import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startRequest } from "../../../../test/database/request.ts";
import { readyRequest } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { createReferral } from "../create-referral.ts";
import type { CreateOutcome } from "../referral-service.ts";
import { refetchWhenDue } from "../refetch-when-due.ts";
import type { ReferralSnapshot } from "../snapshots.ts";

const db = await openTestDatabase();
let one: Awaited<ReturnType<typeof twoUnits>>;
beforeEach(async () => {
  one = await twoUnits();
});

/** One unit with its referral, and another, for whose order the service answers with what `change` makes of that referral. */
async function twoUnits() {
  const ledger = await startRequest(db);
  const { shop, ports, service } = ledger;
  const earlier = await readyRequest(db, shop, { orderNumber: 2000 });
  await createReferral(ports, { shop, requestId: earlier });
  const uuid = String(service.referrals[0]?.uuid);
  const real = await ports.services.forConnection(shop, "staging");
  const theirs = await real?.getReferral(uuid);
  if (!real || !theirs) throw new Error("no service");
  const { referenceNumber } = (await ledger.find()) ?? {};
  return {
    ...ledger,
    earlier,
    uuid,
    ours: { referenceNumber, metadata: { requestId: ledger.requestId } },
    /** Orders at a service that has done so or not, and answers with the other unit's referral. */
    async answered(change: Partial<ReferralSnapshot>, ordered: boolean) {
      const createReferralThere = async (
        ...call: Parameters<typeof real.createReferral>
      ): Promise<CreateOutcome> => {
        if (ordered) await real.createReferral(...call);
        return { kind: "created", referrals: [{ ...theirs, ...change }] };
      };
      const there = { ...real, createReferral: createReferralThere };
      const services = { forConnection: async () => there };
      return createReferral({ ...ports, services }, ledger.target);
    },
    ownerOf: async () =>
      (await db.tenancy.inShop(shop, (tenant) => tenant.referrals.find(uuid)))?.requestId,
  };
}

test("an answer with the referral of another test proves nothing, and takes nothing from that test", async () => {
  expect(await one.answered({}, true)).toEqual({ kind: "ambiguous" });
  expect(await one.ownerOf()).toBe(one.earlier);
  const [made] = one.service.referrals;
  expect(await one.resolve()).toEqual({ kind: "linked", uuids: [made?.uuid] });
  expect(await one.ownerOf()).toBe(one.earlier);
});

test("what was not ordered is ordered again", async () => {
  expect(await one.answered({}, false)).toEqual({ kind: "ambiguous" });
  await one.resolve();
  one.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await one.resolve()).toEqual({ kind: "resend" });
});

test.each([
  ["another shop’s number", { referenceNumber: "PW1001-0123456789AB", metadata: null }],
  ["another request", { referenceNumber: null }],
])("so does an answer with a referral that names %s, and is stored nowhere", async (_, named) => {
  const uuid = "5d0c1f0e-8d0b-4d0c-9d0a-0d0d0d0d0d0d";
  const metadata = { requestId: "6d0c1f0e-8d0b-4d0c-9d0a-0d0d0d0d0d0d" };
  expect(await one.answered({ uuid, metadata, ...named }, true)).toEqual({ kind: "ambiguous" });
});

test("a referral that names our id in capitals is ours", async () => {
  const metadata = { requestId: one.requestId.toUpperCase() };
  const uuid = "5d0c1f0e-8d0b-4d0c-9d0a-0d0d0d0d0d0d";
  const named = { uuid, referenceNumber: null, metadata };
  expect(await one.answered(named, false)).toEqual({ kind: "created", uuids: [uuid] });
});

test("a referral that names our id in capitals is found in the list", async () => {
  const { service, requestId } = one;
  service.next("reset_after");
  await createReferral(one.ports, one.target);
  const [lost] = service.referrals;
  const metadata = { requestId: requestId.toUpperCase() };
  service.set(String(lost?.uuid), { referenceNumber: null, metadata });
  expect(await one.resolve()).toEqual({ kind: "linked", uuids: [lost?.uuid] });
});

test("a referral that names nobody is the one that was asked for", async () => {
  const uuid = "5d0c1f0e-8d0b-4d0c-9d0a-0d0d0d0d0d0d";
  const nobody = { uuid, referenceNumber: null, metadata: null };
  expect(await one.answered(nobody, false)).toEqual({ kind: "created", uuids: [uuid] });
});

test("a referral of ours with the uuid of another test’s is left to a person, and not ordered again", async () => {
  const { service, ours, clock } = one;
  expect(await one.answered(ours as Partial<ReferralSnapshot>, false)).toEqual({
    kind: "ambiguous",
  });
  service.set(one.uuid, ours);
  await expect(one.resolve()).rejects.toThrow("another's uuid");
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  await expect(one.resolve()).rejects.toThrow("another's uuid");
  expect(await one.find()).toMatchObject({
    state: "ambiguous",
    reviewReason: { code: "unresolved", detail: "contract_mismatch" },
  });
  expect(await one.ownerOf()).toBe(one.earlier);
});

test("a result that names the referral of another test stays with its own, and a person is told", async () => {
  const { shop, ports, target, service, earlier, uuid } = one;
  await createReferral(ports, target);
  const [made] = service.referrals;
  const result = resultSnapshot({ referralUuid: uuid });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const look = (referralUuid: string, retries = 0) => {
    one.clock.advance(60_000);
    const there = { ...real, getResult: async () => ({ ...result, referralUuid }) };
    const services = { forConnection: async () => there };
    const target = { shop, environment: "staging", uuid: result.uuid, behind: true } as const;
    return refetchWhenDue({ ...ports, services }, "refetch-result", target, { retries });
  };
  expect(await look(uuid)).toMatchObject({ kind: "stored" });
  expect(await look(String(made?.uuid), 3)).toEqual({ kind: "unreadable" });
  const stored = await db.tenancy.inShop(shop, (tenant) => tenant.results.find(result.uuid));
  expect(stored?.requestId).toBe(earlier);
  const told = await db.tenancy.inShop(shop, (tenant) => tenant.requests.find(earlier));
  expect(told?.reviewReason?.code).toBe("unreadable_at_service");
});
