import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS, startLedger } from "../../../../test/database/ledger.ts";
import { readyRequest } from "../../../../test/database/seed.ts";
import { wireReferral } from "../../../clients/referral-service/testing/wire-samples.ts";
import { createReferral, REPORTING_GRACE_MS } from "../create-referral.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";

const db = await openTestDatabase();

/** A request whose answer got lost after the service had created, beside an entry of the list. */
async function lostBeside(entry: Record<string, unknown>) {
  const { shop, ports, clock, service } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  service.next("reset_after");
  await createReferral(ports, { shop, requestId });
  const at = clock.now().toISOString();
  const times = { createdAt: at, updatedAt: at };
  service.referrals.unshift({ ...wireReferral({ uuid: randomUUID(), ...times }), ...entry });
  clock.advance(CREATE_TIMEOUT_MS + REPORTING_GRACE_MS);
  const resolve = () => resolveAmbiguous(ports, { shop, requestId });
  const told = () =>
    db.tenancy.inShop(shop, (tenant) => tenant.unreadable.list("staging", clock.now()));
  const find = () => db.tenancy.inShop(shop, (tenant) => tenant.requests.find(requestId));
  return { resolve, service, requestId, told, find, clock };
}

const FOREIGN = { referenceNumber: "PW-somebody-else", metadata: { requestId: randomUUID() } };

test("reads a referral whose practitioner's address is an object", async () => {
  const practitioner = { name: "Dr Lee", address: { line: "1 High St" }, providerNumber: "2" };
  const { resolve } = await lostBeside({ ...FOREIGN, orderingPractitioner: practitioner });
  expect(await resolve()).toMatchObject({ kind: "linked" });
});

test("finds its referral behind somebody else's that cannot be read", async () => {
  const { resolve, told, service } = await lostBeside({ ...FOREIGN, medicare: { is: true } });
  expect(await resolve()).toMatchObject({ kind: "linked" });
  expect(await told()).toMatchObject([
    { kind: "referral", uuid: service.referrals[0]?.uuid, field: "medicare invalid_union" },
  ]);
});

test("sends nothing again while a referral of its own cannot be read", async () => {
  const lost = await lostBeside({ ...FOREIGN, medicare: 7 });
  const [entry, own] = lost.service.referrals;
  Object.assign(entry ?? {}, { referenceNumber: own?.referenceNumber });
  lost.service.referrals.splice(1);
  await expect(lost.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect((await lost.told()).map(({ uuid }) => uuid)).toEqual([entry?.uuid]);
});

test.each<[string, unknown]>([
  ["that does not say whose it is", { referenceNumber: null, metadata: null, medicare: 7 }],
  ["whose reference number is a list", { referenceNumber: [12] }],
  ["whose metadata is text", { metadata: "none" }],
  ["without times", { createdAt: null, updatedAt: "soon" }],
  ["whose uuid is a number", { uuid: 7 }],
  [
    "whose uuid is longer than an index takes",
    { uuid: randomBytes(9000).toString("hex"), medicare: 7 },
  ],
  ["whose uuid no database takes", { uuid: "a\u0000b", medicare: 7 }],
  ["with halves of characters", { uuid: "a\ud83d", medicare: 7, referenceNumber: "\ude00" }],
  ["whose uuid is cut within a character", { uuid: `${"a".repeat(99)}🩸`, medicare: 7 }],
])("finds its referral behind an entry %s", async (_, fields) => {
  const { resolve, told } = await lostBeside({ ...FOREIGN, ...(fields as object) });
  expect(await resolve()).toMatchObject({ kind: "linked" });
  expect(await told()).toHaveLength(1);
});

test("tells a person of a referral of its own whose uuid is none, and sends nothing again", async () => {
  const lost = await lostBeside(FOREIGN);
  Object.assign(lost.service.referrals[1] ?? {}, { uuid: "one,two" });
  for (let looks = 0; looks < 3; looks++) {
    await expect(lost.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
    lost.clock.advance(QUARANTINE_MS);
  }
  expect(await lost.find()).toMatchObject({
    state: "ambiguous",
    emptyScans: 0,
    reviewReason: { code: "unresolved", detail: "contract_mismatch" },
  });
  expect(await lost.told()).toMatchObject([{ uuid: "one,two", field: "uuid invalid_format" }]);
  expect(lost.service.calls).toHaveLength(1);
});

test.each<[string, Record<string, unknown>]>([
  ["names another order", FOREIGN],
  ["does not say whose it is", { referenceNumber: null, metadata: null }],
])("a list is a proof beside an entry whose uuid is none and that %s", async (_, fields) => {
  const lost = await lostBeside({ ...fields, uuid: "one,two" });
  lost.service.referrals.splice(1);
  expect(await lost.resolve()).toMatchObject({ kind: "scan_again" });
  expect(await lost.told()).toMatchObject([{ uuid: "one,two" }]);
});

test.each<[string, (number: unknown, id: unknown) => Record<string, unknown>]>([
  ["its number in another place", (number) => ({ medicare: 7, references: [{ ours: number }] })],
  ["its number in a list", (number) => ({ referenceNumber: [number] })],
  [
    "its id in another key of the metadata",
    (_, id) => ({ medicare: 7, metadata: { request: id } }),
  ],
])("sends nothing again beside an unreadable entry with %s", async (_, fieldsOf) => {
  const lost = await lostBeside(FOREIGN);
  const [entry, own] = lost.service.referrals;
  Object.assign(entry ?? {}, fieldsOf(own?.referenceNumber, lost.requestId));
  lost.service.referrals.splice(1);
  await expect(lost.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
});
