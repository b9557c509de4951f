import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { RELEASE, readyRequest } from "../../../test/database/seed.ts";
import { resultSnapshot } from "../../../test/database/snapshots.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { heldVersion } from "./held-version.ts";
import { releaseResults } from "./release-result.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

async function result(
  shop: ShopDomain,
  requestId: string,
  { inReview = false, partial = false, critical = 0, referralUuid = randomUUID() as string } = {},
): Promise<string> {
  const snapshot = resultSnapshot({
    referralUuid,
    status: partial ? "PARTIAL" : "COMPLETE",
    biomarkerSummary: { normal: 9 - critical, abnormal: critical, critical, total: 9 },
  });
  const { uuid } = snapshot;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.results.save({
      ...{ environment: "staging", requestId, snapshot, partial, inReview },
      ...{ otherPerson: false, releasedAt: null, at: new Date() },
    }),
  );
  return uuid;
}

test("held results are shown once, with one mail; those in review at the service stay hidden", async () => {
  const { shop, ports, clock, story, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  const held = await result(shop, requestId);
  const inReview = await result(shop, requestId, { inReview: true });
  await takeJobs();
  expect(await releaseResults(ports, { shop, requestId, actor, record: RELEASE })).toEqual({
    kind: "released",
    results: 1,
  });
  expect(await releaseResults(ports, { shop, requestId, actor, record: RELEASE })).toEqual({
    kind: "nothing_held",
  });
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
  expect(
    await releaseResults(ports, { shop: other.shop, requestId, actor, record: RELEASE }),
  ).toEqual(nothing);
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { state: "cancelled" }));
  expect(await releaseResults(ports, { shop, requestId, actor, record: RELEASE })).toEqual(nothing);
});

test("a member of staff whose role does not let them releases nothing, and that is written down", async () => {
  const { shop, ports, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await result(shop, requestId);
  await takeJobs();
  const stranger = { shop, requestId, actor: "staff:99", record: RELEASE } as const;
  const refused = { kind: "not_allowed", right: "release_results" };
  expect(await releaseResults(ports, stranger)).toEqual(refused);
  const results = await db.tenancy.inShop(shop, (tenant) =>
    tenant.results.forRequests([requestId]),
  );
  expect(results).toMatchObject([{ releasedAt: null }]);
  expect(await takeJobs()).toEqual([]);
  const { rows } = await db.pool.query(
    "SELECT actor, what, request_id FROM access_log WHERE shop = $1",
    [shop],
  );
  expect(rows).toEqual([{ actor: "staff:99", what: "staff_refused", request_id: requestId }]);
});

test("a critical result that its patient has hidden asks the shop to ring once it is released", async () => {
  const { shop, ports, target, requestId, uuids, clock, find } = await startCreated(db);
  await result(shop, requestId, { critical: 1, referralUuid: uuids()[0] });
  await db.tenancy.inShop(shop, (tenant) => tenant.requests.hideResults(requestId, clock.now()));
  expect(await releaseResults(ports, { ...target, actor, record: RELEASE })).toEqual({
    kind: "released",
    results: 1,
    isHidden: true,
  });
  expect(await find()).toMatchObject({
    stage: "attention",
    reason: { code: "urgent_result_shown", detail: null },
  });
});

test("partial results are told of as such, without the mail that the whole ones will bring", async () => {
  const { shop, ports, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await result(shop, requestId, { partial: true });
  await takeJobs();
  await releaseResults(ports, { shop, requestId, actor, record: RELEASE });
  expect(await takeJobs()).toEqual(["send-mail"]);
  const unsent = await db.tenancy.inShop(shop, (tenant) =>
    tenant.notifications.unsent([requestId]),
  );
  expect(unsent.map(({ kind, occurrence }) => `${kind} ${occurrence}`)).toEqual([
    expect.stringMatching(/^state_changed partial /),
  ]);
});

test("the results of a unit's two referrals are told of one by one as they are released, or in one mail", async () => {
  const two = () => startCreated(db, { items: BOTH_PARTS });
  const each = await two();
  for (const { uuid: referralUuid } of await each.referrals()) {
    await result(each.shop, each.requestId, { referralUuid });
    await releaseResults(each.ports, { ...each.target, actor, record: RELEASE });
    expect(await each.takeJobs()).toEqual(["send-mail"]);
  }
  const both = await two();
  for (const { uuid: referralUuid } of await both.referrals())
    await result(both.shop, both.requestId, { referralUuid });
  await releaseResults(both.ports, { ...both.target, actor, record: RELEASE });
  expect(await both.takeJobs()).toEqual(["send-mail"]);
  const unsent = await db.tenancy.inShop(both.shop, (tenant) => tenant.notifications.unsent());
  expect(unsent.filter(({ kind }) => kind === "results_available")).toHaveLength(1);
});

test.each([
  ["first", [1, 0]],
  ["last", [0, 1]],
  ["twice", [1, 1]],
])(
  "one mail asks to open them today where a critical one is among them %s",
  async (_, criticals) => {
    const { shop, ports, requestId, target, referrals, takeJobs } = await startCreated(db, {
      items: BOTH_PARTS,
    });
    for (const [index, { uuid: referralUuid }] of (await referrals()).entries())
      await result(shop, requestId, { referralUuid, critical: criticals[index] ?? 0 });
    await releaseResults(ports, { ...target, actor, record: RELEASE });
    const { rows } = await db.pool.query<{ kind: string }>(
      "SELECT payload->>'kind' AS kind FROM outbox WHERE shop = $1 AND name = 'send-mail'",
      [shop],
    );
    expect(rows.map(({ kind }) => kind)).toEqual(["results_today"]);
    expect(await takeJobs()).toEqual(["send-mail"]);
    const noted = await db.tenancy.inShop(shop, (tenant) =>
      tenant.notifications.ofRequests([requestId]),
    );
    const unsent = noted.filter(({ sentAt }) => sentAt === null);
    expect(unsent.map(({ kind }) => kind)).toEqual(["results_today"]);
    // The other one is told of by the same mail.
    expect(noted).toHaveLength(2);
  },
);

test("releases nothing that came, or changed, after the reviewer's page was opened", async () => {
  const { shop, ports, takeJobs } = await startLedger(db);
  const requestId = await readyRequest(db, shop);
  await result(shop, requestId);
  const held = () => db.tenancy.inShop(shop, (tenant) => tenant.results.forRequests([requestId]));
  const seen = heldVersion(await held());
  await result(shop, requestId);
  await takeJobs();
  const wish = { shop, requestId, actor, record: RELEASE };
  expect(await releaseResults(ports, { ...wish, seen })).toEqual({ kind: "changed_meanwhile" });
  const both = await held();
  expect(both.map(({ releasedAt }) => releasedAt)).toEqual([null, null]);
  expect(await takeJobs()).toEqual([]);
  const [one] = both;
  if (!one) throw new Error("nothing is held");
  const newer = both.map((stored) =>
    stored === one ? { ...stored, serviceUpdatedAt: new Date(0) } : stored,
  );
  expect(await releaseResults(ports, { ...wish, seen: heldVersion(newer) })).toEqual({
    kind: "changed_meanwhile",
  });
  expect(await releaseResults(ports, { ...wish, seen: heldVersion(both) })).toEqual({
    kind: "released",
    results: 2,
  });
});
