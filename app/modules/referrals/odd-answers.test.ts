import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../test/database/ledger.ts";
import { startOddService } from "../../../test/database/odd-service.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { answer } from "../../clients/referral-service/testing/start-server.ts";
import { wireReferral, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { refetchReferral } from "./referrals/refetch-referral.ts";
import { refetchResult } from "./results/refetch-result.ts";

const db = await openTestDatabase();

test("sends nothing again while the list is an error in the body of a success", async () => {
  const odd = await startOddService(db, ({ method }, response) => {
    if (method === "POST") response.destroy();
    else answer(response, 200, { error: true, code: "INTERNAL", message: "", errorList: [] });
  });
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  for (let looks = 0; looks < 3; looks++) {
    odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  }
  expect(await odd.create()).toEqual({ kind: "not_due" });
  expect(odd.creates()).toHaveLength(1);
  expect(await odd.find()).toMatchObject({
    state: "ambiguous",
    reviewReason: { detail: "contract_mismatch" },
  });
});

const others = (count: number) =>
  Array.from({ length: count }, () =>
    wireReferral({ uuid: randomUUID(), referenceNumber: "INV-9", metadata: null }),
  );

test("sends nothing again while the list breaks off after a full page, and tells a person", async () => {
  const odd = await startOddService(db, ({ method }, response) => {
    if (method === "POST") response.destroy();
    else answer(response, 200, { cursor: { cursor: null, count: 20 }, referrals: others(20) });
  });
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  for (let looks = 0; looks < 3; looks++) {
    odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  }
  expect(odd.creates()).toHaveLength(1);
  expect(await odd.find()).toMatchObject({
    state: "ambiguous",
    emptyScans: 0,
    reviewReason: { code: "unresolved", detail: "contract_mismatch" },
  });
});

test.each([20, 40, 380])(
  "sends a lost order again beside %i others, whose last page is full and has no cursor",
  async (count) => {
    const listed = others(count);
    const odd = await startOddService(db, ({ method, target }, response) => {
      if (method === "POST") return response.destroy();
      const query = new URL(target, "http://service").searchParams;
      const [from, size] = [Number(query.get("cursor")), Number(query.get("count"))];
      const referrals = listed.slice(from, from + size);
      const cursor = from + size < count ? String(from + size) : null;
      answer(response, 200, { cursor: { cursor, count: size }, referrals });
    });
    expect(await odd.create()).toEqual({ kind: "ambiguous" });
    // Of 380, the last page of 19 is full as well: a person decides.
    const isProved = count % 19 !== 0;
    odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    if (isProved) {
      expect(await odd.resolve()).toMatchObject({ kind: "scan_again" });
      expect(await odd.resolve()).toEqual({ kind: "resend" });
    } else await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
    expect(odd.creates()).toHaveLength(1);
  },
);

test("finds its referral on a full page after which the list breaks off", async () => {
  const own: Record<string, unknown>[] = [];
  const odd = await startOddService(db, ({ method, body }, response) => {
    if (method === "POST") {
      const { referenceNumber, metadata } = JSON.parse(body);
      own.push(wireReferral({ uuid: randomUUID(), referenceNumber, metadata }));
      response.destroy();
    } else answer(response, 200, { cursor: { cursor: null }, referrals: [...others(19), ...own] });
  });
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  expect(await odd.resolve()).toEqual({ kind: "linked", uuids: [own[0]?.uuid] });
  expect(await odd.find()).toMatchObject({ state: "created" });
});

test.each([
  ["nothing", {}],
  ["null", { medicare: null }],
])("knows both parts of a Medicare order where `medicare` is %s", async (_, said) => {
  const odd = await startOddService(
    db,
    ({ body }, response) => {
      const { referenceNumber, metadata, orderingPractitioner } = JSON.parse(body);
      const { medicare: _unsaid, ...rest } = wireReferral({ referenceNumber, metadata });
      answer(response, 200, [
        { ...rest, ...said, uuid: randomUUID() },
        { ...rest, ...said, uuid: randomUUID(), orderingPractitioner },
      ]);
    },
    BOTH_PARTS,
  );
  expect(await odd.create()).toMatchObject({ kind: "created" });
  expect(await odd.find()).toMatchObject({ state: "created", missingPart: null });
  expect((await odd.referrals()).map(({ medicare }) => medicare).sort()).toEqual([false, true]);
});

test.each([
  ["BILLING_FAILED", "billing"],
  ["FAILED_TEST", "failed"],
  ["BEWITCHED", "unknown"],
])("tells the shop and the owner of a referral whose first status is %s", async (status, news) => {
  let referral = {};
  const odd = await startOddService(db, ({ method, body }, response) => {
    if (method === "POST") {
      const { referenceNumber, metadata } = JSON.parse(body);
      referral = wireReferral({ uuid: randomUUID(), referenceNumber, metadata, status });
    }
    answer(response, 200, referral);
  });
  const outcome = await odd.create();
  const needs = {
    state: "created",
    reviewReason: { code: "referral", detail: news === "unknown" ? "unknown_status" : status },
  };
  expect(await odd.find()).toMatchObject(needs);
  const told = async () =>
    (
      await db.pool.query(
        "SELECT split_part(occurrence, ' ', 1) AS news FROM notifications WHERE request_id = $1 AND kind = 'state_changed'",
        [odd.requestId],
      )
    ).rows;
  expect(await told()).toEqual([{ news }]);
  const [uuid] = outcome.kind === "created" ? outcome.uuids : [];
  await refetchReferral(odd.ports, { shop: odd.shop, environment: "staging", uuid: uuid ?? "" });
  expect(await odd.find()).toMatchObject(needs);
  expect(await told()).toHaveLength(1);
});

test("believes no answer that is somebody else's and does not name the order", async () => {
  const person = { firstName: "Somebody", lastName: "Else", dob: "1950-01-01" };
  const foreign = { uuid: randomUUID(), referenceNumber: "INV-9", metadata: null, person };
  const odd = await startOddService(db, (_, response) =>
    answer(response, 200, wireReferral(foreign)),
  );
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  expect(await odd.referrals()).toEqual([]);
});

test("believes an answer that says nothing of the order, nor of the person", async () => {
  const silent = { uuid: randomUUID(), referenceNumber: null, metadata: null, person: null };
  const odd = await startOddService(db, (_, response) =>
    answer(response, 200, wireReferral(silent)),
  );
  expect(await odd.create()).toEqual({ kind: "created", uuids: [silent.uuid] });
});

test("shows a result that names another test of ours to nobody, and tells a person", async () => {
  const uuid = randomUUID();
  const result: Record<string, unknown> = { uuid };
  const odd = await startOddService(db, ({ method, body }, response) => {
    if (method !== "POST") return answer(response, 200, wireResult(result));
    const { referenceNumber, metadata } = JSON.parse(body);
    result.referralUuid = randomUUID();
    answer(response, 200, wireReferral({ uuid: result.referralUuid, referenceNumber, metadata }));
  });
  const { shop } = odd;
  await odd.create();
  const other = await readyRequest(db, shop, { orderNumber: 2000 });
  const { referenceNumber } = (await odd.find(other)) ?? {};
  Object.assign(result, { referenceNumber, metadata: { requestId: other } });
  await refetchResult(odd.ports, { shop, environment: "staging", uuid });
  const stored = () => db.tenancy.inShop(shop, (tenant) => tenant.results.find(uuid));
  expect(await stored()).toMatchObject({ otherPerson: true, releasedAt: null, heldAt: null });
  const reason = (await odd.find())?.resultReason;
  expect(reason).toBe("result_other_person");
  // Put right at the service, it is its patient's.
  odd.clock.advance(60_000);
  Object.assign(result, {
    ...{ referenceNumber: (await odd.find())?.referenceNumber, metadata: null },
    updatedAt: odd.clock.now().toISOString(),
  });
  await refetchResult(odd.ports, { shop, environment: "staging", uuid });
  expect((await stored())?.releasedAt).toEqual(odd.clock.now());
  expect((await odd.find())?.resultReason).toBeNull();
});

test("an answer whose uuid is none is a lost answer: told after the quarantine, and nothing is doubled", async () => {
  const own: Record<string, unknown>[] = [];
  const odd = await startOddService(db, ({ method, body }, response) => {
    if (method === "POST") {
      const { referenceNumber, metadata } = JSON.parse(body);
      own.push(wireReferral({ uuid: "ref_81", referenceNumber, metadata }));
      answer(response, 200, own[0]);
    } else answer(response, 200, { cursor: { resultCount: own.length }, referrals: own });
  });
  expect(await odd.create()).toEqual({ kind: "ambiguous" });
  await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect(await odd.find()).toMatchObject({ state: "ambiguous", reviewReason: null });
  odd.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  await expect(odd.resolve()).rejects.toMatchObject({ failure: "contract_mismatch" });
  expect(await odd.find()).toMatchObject({
    state: "ambiguous",
    emptyScans: 0,
    reviewReason: { code: "unresolved", detail: "contract_mismatch" },
  });
  expect(await odd.create()).toEqual({ kind: "not_due" });
  expect(odd.creates()).toHaveLength(1);
  // Put right at the service, it is taken up by itself.
  Object.assign(own[0] ?? {}, { uuid: randomUUID() });
  expect(await odd.resolve()).toEqual({ kind: "linked", uuids: [own[0]?.uuid] });
  expect(await odd.find()).toMatchObject({ state: "created", reviewReason: null });
});
