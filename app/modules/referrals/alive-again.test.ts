/** Long because a referral may live again after its deletion or failure in many ways: one paid unit never has two that can be used. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../test/database/ledger.ts";
import { listCustomerRequests } from "../access/list-requests.ts";
import { gid } from "../kernel/ids.ts";
import { workBatch } from "../kernel/work-batch.ts";
import { cancelRequest } from "./cancel-request.ts";
import { askForBulkReorder, reorders } from "./reorder-billing-failed.ts";
import { retryRequest } from "./retry-request.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;

/** A test that is ordered at a service that can be changed behind Pathway's back. */
async function start(...[options]: [Parameters<typeof startCreated>[1]?]) {
  const created = await startCreated(db, options);
  const { service, shop, ports, clock } = created;
  const [uuid = ""] = created.uuids();
  /** Later by a minute, so that no reading is older than the one before. */
  const hear = async (fields: Record<string, unknown>) => {
    clock.advance(60_000);
    service.set(uuid, fields);
    await created.refetch();
  };
  return {
    ...created,
    uuid,
    hear,
    /** The referrals that the service has by now and that can be used. */
    alive: () =>
      service.referrals.filter(
        ({ deletedAt, status }) => !deletedAt && !String(status).endsWith("_FAILED"),
      ).length,
    unitsAsSeen: () =>
      listCustomerRequests(ports, {
        shop,
        viewer: { kind: "customer", customerId: gid("Customer", 7) },
      }),
    async next() {
      const outcome = await created.reorder();
      if (outcome.kind !== "reordered") throw new Error(outcome.kind);
      return outcome.requestId;
    },
    generations: () =>
      db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(gid("Order", 1001))),
  };
}

const DELETED = { deletedAt: "2026-01-01T00:00:00.000Z" };
const ALIVE = { deletedAt: null, status: "ISSUED" };
const FAILED = { status: "BILLING_FAILED" };

test.each([
  ["deleted", DELETED],
  ["failed", FAILED],
])("a click orders nothing again where the referral that was %s lives again", async (_, lost) => {
  const { hear, service, clock, uuid, reorder, find, generations, alive } = await start();
  await hear(lost);
  clock.advance(60_000);
  service.set(uuid, ALIVE);
  expect(await reorder()).toEqual({ kind: "not_reorderable" });
  expect(await generations()).toHaveLength(1);
  expect(await find()).toMatchObject({ state: "created", reviewReason: null, replacedBy: null });
  expect(service.calls).toHaveLength(1);
  expect(alive()).toBe(1);
});

test.each([
  ["deleted", DELETED],
  ["failed", FAILED],
])(
  "a test that was ordered again is not sent while the former referral, once %s, lives again",
  async (_, lost) => {
    const { hear, service, clock, uuid, next, find, create, takeJobs, ports, shop, alive } =
      await start();
    await hear(lost);
    const id = await next();
    service.set(uuid, ALIVE);
    clock.advance(60_000);
    await takeJobs();
    expect(await create(id)).toEqual({ kind: "postponed", until: null });
    // The page of the former one is to show it again.
    expect(await takeJobs()).toContain("refetch-referral");
    const held = { state: "ready", reviewReason: { code: "not_sent", detail: "former_alive" } };
    expect(await find(id)).toMatchObject(held);
    // Neither by a person's click.
    expect(await retryRequest(ports, { shop, requestId: id, actor })).toEqual({ kind: "queued" });
    expect(await create(id)).toMatchObject({ kind: "postponed" });
    expect(await find(id)).toMatchObject(held);
    expect(service.calls).toHaveLength(1);
    expect(alive()).toBe(1);
    service.set(uuid, lost);
    clock.advance(60_000);
    await retryRequest(ports, { shop, requestId: id, actor });
    expect(await create(id)).toMatchObject({ kind: "created" });
    expect(alive()).toBe(1);
  },
);

test.each([
  ["lives again", ALIVE, null],
  ["has failed, and nobody can ask", FAILED, 503],
])("a bulk order of a test whose former referral %s", async (_, said, readFailure) => {
  const bulk = await start();
  const { hear, service, clock, uuid, requestId, create, ports, shop, generations } = bulk;
  await hear(FAILED);
  clock.advance(60_000);
  service.set(uuid, said);
  service.readFailure = readFailure;
  const asked = await askForBulkReorder(ports, { shop, actor });
  if (asked.kind !== "asked") throw new Error(asked.kind);
  const work = () => workBatch(ports, { shop, batchId: asked.batch.id }, { reorder: reorders });
  if (readFailure !== null) {
    // Nothing is opened as long as nobody can ask, and not for ever.
    expect(await work()).toBe("more");
    expect(await generations()).toHaveLength(1);
    clock.advance(16 * 60_000);
  }
  expect(await work()).toBe("done");
  const [first, second] = await generations();
  if (readFailure === null) {
    // Its patient has the form that can be used, and nothing stands in its place.
    expect(second).toBeUndefined();
    expect(first).toMatchObject({ state: "created", stage: "in_progress", replacedBy: null });
    expect((await bulk.unitsAsSeen()).map(({ id }) => id)).toEqual([requestId]);
    expect(await bulk.referrals()).toMatchObject([{ status: "ISSUED", replacedBy: null }]);
  } else {
    // It is read before anything is sent.
    expect(first).toMatchObject({ replacedBy: second?.id });
    expect(await create(second?.id)).toMatchObject({ kind: "postponed", until: expect.any(Date) });
    service.readFailure = null;
    expect(await create(second?.id)).toMatchObject({ kind: "created" });
  }
  expect(service.calls).toHaveLength(readFailure === null ? 1 : 2);
  expect(bulk.alive()).toBe(1);
});

test("nothing is sent as long as the former referral cannot be read", async () => {
  const { hear, service, next, find, create } = await start();
  await hear(DELETED);
  const id = await next();
  service.readFailure = 503;
  expect(await create(id)).toMatchObject({ kind: "postponed", until: expect.any(Date) });
  expect(service.calls).toHaveLength(1);
  service.readFailure = null;
  expect(await create(id)).toMatchObject({ kind: "created" });
  expect(await find(id)).toMatchObject({ state: "created" });
});

test.each([
  ["are there", { resultsUuid: randomUUID() }],
  ["are on their way", { status: "PARTIAL_RESULTS" }],
])(
  "a test whose former referral was deleted is not sent once results of it %s",
  async (_, reported) => {
    const { hear, service, uuid, next, find, create } = await start();
    await hear(DELETED);
    const id = await next();
    // The laboratory has the blood: the form was used before it was deleted (interface §4.2, DELETE).
    service.set(uuid, { ...DELETED, ...reported });
    expect(await create(id)).toEqual({ kind: "postponed", until: null });
    expect(await find(id)).toMatchObject({
      state: "ready",
      reviewReason: { code: "not_sent", detail: "former_alive" },
    });
    expect(service.calls).toHaveLength(1);
  },
);

test("a referral that lives again is the test's own as before, and needs nobody", async () => {
  const { hear, find, referrals } = await start();
  await hear(DELETED);
  expect(await find()).toMatchObject({ reviewReason: { code: "deleted_at_service" } });
  await hear(ALIVE);
  expect(await referrals()).toMatchObject([{ deletedAt: null, status: "ISSUED" }]);
  expect(await find()).toMatchObject({
    state: "created",
    stage: "in_progress",
    reviewReason: null,
  });
});

test("an answer that was asked for before the deletion was read brings nothing back", async () => {
  const { hear, referrals, service, uuid, refetch, find } = await start();
  await hear(DELETED);
  // At the same moment: no later than the reading that is stored.
  service.set(uuid, ALIVE);
  await refetch();
  expect(await referrals()).toMatchObject([{ deletedAt: expect.any(Date) }]);
  expect(await find()).toMatchObject({ reviewReason: { code: "deleted_at_service" } });
});

test("where both live, staff is told of the former one, and its patient sees one form", async () => {
  const { hear, next, create, find, unitsAsSeen, referrals } = await start();
  await hear(DELETED);
  const id = await next();
  await create(id);
  await hear(ALIVE);
  expect(await find()).toMatchObject({
    stage: "attention",
    reason: { code: "referral", detail: "former_alive" },
    replacedBy: id,
  });
  expect(await find(id)).toMatchObject({ stage: "in_progress", reviewReason: null });
  expect(await referrals()).toMatchObject([{ deletedAt: null, replacedBy: id }]);
  expect((await unitsAsSeen()).map((one) => one.id)).toEqual([id]);
  // It ends with the former one.
  await hear(DELETED);
  expect(await find()).toMatchObject({ stage: "cancelled", reason: null });
});

/** The end of the replacement before the former referral lived again. */
const REPLACEMENTS: [string, string | undefined, Record<string, unknown> | "cancel" | null][] = [
  ["was not sent yet", undefined, null],
  ["was refused", "reject", null],
  ["has failed", "create", FAILED],
  ["was deleted", "create", DELETED],
  ["was cancelled", "create", "cancel"],
];

test.each(REPLACEMENTS)(
  "a former referral that lives again where its replacement %s is told, keeps a second one from being made, and ends",
  async (_, sent, then) => {
    const { hear, next, create, service, find, unitsAsSeen, ports, shop, alive, ...unit } =
      await start();
    await hear(DELETED);
    const id = await next();
    if (sent) service.next(sent as "create");
    if (sent) await create(id);
    if (then === "cancel") {
      await cancelRequest(ports, { shop, requestId: id, actor });
      await unit.withdraw(id);
    } else if (then) {
      unit.clock.advance(60_000);
      service.set(String(service.referrals[0]?.uuid), then);
      await unit.refetch();
    }
    const calls = service.calls.length;
    await hear(ALIVE);
    const told = { stage: "attention", reason: { code: "referral", detail: "former_alive" } };
    expect(await find()).toMatchObject(told);
    const forms = (await unitsAsSeen()).filter(({ state }) => state === "form_ready");
    expect(forms).toEqual([]);
    /** As staff do: a click for what was not made, or for what was lost. */
    const again = async () => {
      const outcome = await unit.reorder(id);
      const retried = outcome.kind === "reordered" ? outcome.requestId : id;
      if (outcome.kind !== "reordered") await retryRequest(ports, { shop, requestId: id, actor });
      return { retried, ended: await create(retried) };
    };
    const { retried, ended } = await again();
    expect(ended).toEqual({ kind: "postponed", until: null });
    expect(await find(retried)).toMatchObject({ reviewReason: { detail: "former_alive" } });
    expect(service.calls).toHaveLength(calls);
    expect(alive()).toBe(1);
    await hear(DELETED);
    expect(await find()).toMatchObject({ stage: "cancelled", reason: null });
    await retryRequest(ports, { shop, requestId: retried, actor });
    expect(await create(retried)).toMatchObject({ kind: "created" });
    expect(alive()).toBe(1);
  },
);

test("a part that was ordered again is not held up by the other part's referral", async () => {
  const { service, next, create, uuids, refetch, clock } = await start({ items: BOTH_PARTS });
  clock.advance(60_000);
  for (const uuid of uuids()) {
    const medicare = service.referrals.find((one) => one.uuid === uuid)?.medicare;
    service.set(uuid, medicare ? { status: "FAILED_TEST" } : { status: "ISSUED" });
  }
  await refetch();
  expect(await create(await next())).toMatchObject({ kind: "created" });
});

test.each(["automatic", "ask"] as const)(
  "the referral of a cancelled test that lives again is dealt with again, by the policy %s",
  async (refundPolicy) => {
    const { hear, target, ports, withdraw, find, service, uuid, alive } = await start({
      settings: { refundPolicy },
    });
    await cancelRequest(ports, { ...target, actor });
    await withdraw();
    expect(await find()).toMatchObject({ state: "cancelled" });
    await hear(ALIVE);
    expect(await find()).toMatchObject({ cancellation: { status: "confirmed" } });
    await withdraw();
    expect(service.deletions).toEqual([uuid, uuid]);
    expect(await find()).toMatchObject({ state: "cancelled" });
    expect(alive()).toBe(0);
  },
);

test.each([
  ["that can be used", {}, 2],
  ["that was deleted", DELETED, 3],
])(
  "a former referral %s, of which only the list tells, is found before a test is ordered again",
  async (_, said, calls) => {
    const created = await startCreated(db, { behaviour: "late" });
    const { service, clock, create, resolve, find, requestId, uuids } = created;
    expect(await find()).toMatchObject({ state: "ambiguous" });
    clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    for (const kind of ["scan_again", "resend"]) expect(await resolve()).toMatchObject({ kind });
    expect(await create()).toMatchObject({ kind: "created" });
    const [second = ""] = uuids();
    clock.advance(60_000);
    await created.become(FAILED);
    const next = await created.reorder();
    if (next.kind !== "reordered") throw new Error(next.kind);
    // The referral of the first call comes at last, and no event tells of it.
    service.finishLate();
    const late = uuids().find((uuid) => uuid !== second) ?? "";
    service.set(late, { status: "ISSUED", ...said });
    service.listWorks = false;
    await expect(create(next.requestId)).rejects.toMatchObject({ status: 500 });
    expect(await find(next.requestId)).toMatchObject({ state: "ready", attempt: 0 });
    service.listWorks = true;
    await create(next.requestId);
    expect(service.calls).toHaveLength(calls);
    expect((await created.referrals()).map(({ uuid }) => uuid)).toContain(late);
    if (calls === 3) return;
    const detail = "former_alive";
    expect(await find(next.requestId)).toMatchObject({ state: "ready", reviewReason: { detail } });
    // Its form is its patient's meanwhile.
    const seen = await listCustomerRequests(created.ports, {
      shop: created.shop,
      viewer: { kind: "customer", customerId: gid("Customer", 7) },
    });
    expect(seen.map(({ id }) => id)).toContain(requestId);
  },
);
