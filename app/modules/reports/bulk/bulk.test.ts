import { beforeEach, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  readyRequest,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { workBatch } from "../../kernel/work-batch.ts";
import { reasonKey } from "../../referrals/review-reason.ts";
import type { BulkAction } from "../bulk-action.ts";
import { doToOrder } from "../do-to-order.ts";
import { describeNotDone } from "../not-done-words.ts";
import { orderActions } from "../order-actions.ts";
import { readBulkAction } from "../read-bulk-action.ts";
import { type BulkTarget, startBulkAction } from "../start-bulk-action.ts";
import type { Tenant } from "../tenant.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
const ports = {
  tenancy: db.tenancy,
  clock: { now: () => START },
  logger: createLogger("silent"),
};
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
const orderId = (number: number) => gid("Order", number);

beforeEach(async () => {
  shop = await installedShop(db);
});

/** An order with one request that is ready to be sent; answers the request's id. */
async function order(number: number): Promise<string> {
  await inShop((tenant) =>
    tenant.orders.record(storeOrder({ id: orderId(number), name: `#${number}` }), new Map(), START),
  );
  return readyRequest(db, shop, { orderNumber: number });
}

async function refused(number: number): Promise<string> {
  const id = await order(number);
  await inShop((tenant) =>
    putRequest(tenant, id, { state: "rejected", reviewReason: { code: "rejected", detail: "X" } }),
  );
  return id;
}

const start = (action: BulkAction, target: BulkTarget) =>
  startBulkAction(ports, { shop, action, actor: "staff:7", target });

const go = (batchId: string) => workBatch(ports, { shop, batchId }, { order_action: orderActions });

/** Does what the jobs would, step by step; `steps` at most. */
async function work(batchId: string, steps = 100): Promise<number> {
  for (let step = 1; step <= steps; step++) {
    const outcome = await go(batchId);
    if (outcome === "done" || outcome === "ended") return step;
  }
  return steps;
}

const jobs = async (name: string) => {
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT payload->>'requestId' AS id FROM outbox WHERE shop = $1 AND name = $2",
    [shop, name],
  );
  return rows.map((row) => row.id);
};

test("every order of a selection is worked on once, and each says what became of it", async () => {
  const ids = [];
  for (let number = 1; number <= 45; number++) ids.push(await refused(number));
  await order(99);
  const batchId = await start("retry", { selection: "status=attention" });
  await work(batchId);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(progress).toMatchObject({
    ...{ state: "done", actor: "staff:7" },
    counts: { total: 45, done: 45, nothing_to_do: 0, failed: 0 },
  });
  expect((await jobs("create-referral")).toSorted()).toEqual(ids.toSorted());
});

test("named orders only; what has moved on is told by its name", async () => {
  await refused(1);
  await order(2);
  await refused(3);
  const batchId = await start("retry", { orderIds: [orderId(1), orderId(2)] });
  await work(batchId);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(progress?.counts).toMatchObject({ done: 1, nothing_to_do: 1, failed: 0 });
  expect(progress?.notDone).toEqual([
    { orderId: orderId(2), orderName: "#2", outcome: "nothing_to_do", open: [], isChanged: false },
  ]);
  const { orders } = await inShop((tenant) =>
    tenant.overview.orderPage({
      filter: "attention",
      orderMode: null,
      paidFrom: null,
      paidUntil: null,
      sort: "newest",
      search: "",
      start: null,
      size: 5,
    }),
  );
  expect(orders.map((one) => one.name)).toEqual(["#3"]);
});

test("leaves a request that may exist at the service to a person, and sends the others again", async () => {
  const refusedId = await refused(1);
  const unclear = await order(2);
  await inShop((tenant) =>
    putRequest(tenant, unclear, {
      state: "ambiguous",
      reviewReason: { code: "ambiguous", detail: null },
    }),
  );
  const batchId = await start("retry", { selection: "status=attention" });
  await work(batchId);
  expect((await readBulkAction(ports, { shop, batchId }))?.counts).toMatchObject({
    done: 1,
    nothing_to_do: 1,
    failed: 0,
  });
  expect(await jobs("create-referral")).toEqual([refusedId]);
  const alone = { shop, orderId: orderId(2), action: "retry", actor: "staff:7" } as const;
  expect(await doToOrder(ports, alone)).toBe("done");
  expect(await jobs("create-referral")).toContain(unclear);
});

test("says of an order that only some of its tests were sent again, and which reason is left", async () => {
  await refused(1);
  const other = newRequest(shop, storeOrder({ id: orderId(1) }), { unit: 2 });
  await inShop(async (tenant) => {
    await tenant.requests.add([other], START);
    const reviewReason = { code: "ambiguous", detail: null } as const;
    await putRequest(tenant, other.id, { state: "ambiguous", reviewReason });
  });
  const batchId = await start("retry", { selection: "status=attention" });
  await work(batchId);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(progress?.counts).toMatchObject({ total: 1, done: 0, refused: 1 });
  const [left] = progress?.notDone ?? [];
  expect(left).toMatchObject({ orderName: "#1", outcome: "refused" });
  expect(describeNotDone("retry", "refused", left?.open ?? [])).toBe(
    "done in part. May be at the service already: open the order, and look there first",
  );
});

test("counts an order as done though another of its tests needs a person for something else", async () => {
  await refused(1);
  const other = newRequest(shop, storeOrder({ id: orderId(1) }), { unit: 2 });
  await inShop(async (tenant) => {
    await tenant.requests.add([other], START);
    const reviewReason = { code: "details_overdue", detail: null } as const;
    await putRequest(tenant, other.id, { state: "awaiting_details", reviewReason });
  });
  const batchId = await start("retry", { selection: "status=attention" });
  await work(batchId);
  expect((await readBulkAction(ports, { shop, batchId }))?.counts).toMatchObject({ done: 1 });
});

test("a run that was interrupted goes on where it was; a step that comes twice changes nothing", async () => {
  for (let number = 1; number <= 30; number++) await refused(number);
  const batchId = await start("retry", { selection: "" });
  await work(batchId, 2);
  // The process died after its work and before the next step was queued: the same job comes again.
  await Promise.all([go(batchId), go(batchId)]);
  await work(batchId);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(progress).toMatchObject({ state: "done", counts: { total: 30 } });
  const created = await jobs("create-referral");
  expect(new Set(created).size).toBe(30);
  expect(created).toHaveLength(30);
  expect(await go(batchId)).toBe("ended");
});

test("hold keeps what is not sent yet, release lets it go, and both stand in the timeline", async () => {
  const id = await order(1);
  await work(await start("hold", { orderIds: [orderId(1)] }));
  expect(await inShop(async (t) => (await t.requests.find(id))?.state)).toBe("held");
  await work(await start("release", { orderIds: [orderId(1)] }));
  expect(await inShop(async (t) => (await t.requests.find(id))?.state)).toBe("ready");
  const story = await inShop((tenant) => tenant.timeline.forOrder(orderId(1)));
  expect(story.map(({ kind, actor }) => [kind, actor])).toEqual([
    ["request_held", "staff:7"],
    ["request_released", "staff:7"],
  ]);
});

test("asking again mails a shopper who still owes the details, and nobody else", async () => {
  const waiting = await order(1);
  await order(2);
  await db.pool.query("UPDATE referral_requests SET state = 'awaiting_details' WHERE id = $1", [
    waiting,
  ]);
  const due = { requestId: waiting, kind: "details_needed" } as const;
  await inShop(async (tenant) => {
    await tenant.notifications.note(due, START);
    await tenant.notifications.markSent(due, START);
  });
  const batchId = await start("resend", { selection: "" });
  await work(batchId);
  expect(await jobs("send-mail")).toEqual([waiting]);
  expect(await inShop((tenant) => tenant.notifications.unsent())).toEqual([
    { ...due, occurrence: "again" },
  ]);
  expect((await readBulkAction(ports, { shop, batchId }))?.counts).toMatchObject({
    done: 1,
    nothing_to_do: 1,
  });
});

test("counts whoever was asked a moment ago as asked, and emails nobody twice", async () => {
  const waiting = await order(1);
  await inShop((tenant) => putRequest(tenant, waiting, { state: "awaiting_details" }));
  const mails = () => jobs("send-mail");
  await work(await start("resend", { orderIds: [orderId(1)] }));
  const before = (await mails()).length;
  // A second tab, or a colleague.
  const batchId = await start("resend", { orderIds: [orderId(1)] });
  await work(batchId);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(progress?.counts).toMatchObject({ done: 1, nothing_to_do: 0 });
  expect(await mails()).toHaveLength(before);
});

test("handled: it leaves the inbox with who did it, and comes back when the reason arises again", async () => {
  const id = await refused(1);
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
  const open = () => inShop((tenant) => tenant.overview.attentionOf([orderId(1)]));
  expect((await open()).map((item) => reasonKey(item.reason))).toEqual([
    "rejected:X",
    "unmapped_line",
  ]);
  await work(await start("handled", { orderIds: [orderId(1)] }));
  expect(await open()).toEqual([]);
  // Said again by a reading that found the same.
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
  expect(await open()).toEqual([]);
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), []));
  await inShop((tenant) => tenant.orders.setAttention(orderId(1), ["unmapped_line"]));
  expect((await open()).map((item) => item.reason.code)).toEqual(["unmapped_line"]);
  const story = await inShop((tenant) => tenant.timeline.forOrder(orderId(1)));
  expect(
    story.map(({ kind, actor, requestId, detail }) => ({ kind, actor, requestId, detail })),
  ).toEqual([
    {
      kind: "attention_handled",
      actor: "staff:7",
      requestId: id,
      detail: { reason: "rejected:X" },
    },
    {
      kind: "attention_handled",
      actor: "staff:7",
      requestId: null,
      detail: { reason: "unmapped_line" },
    },
  ]);
});

test("another shop's run is not there", async () => {
  const batchId = await start("resync", { selection: "" });
  const other = await installedShop(db);
  expect(await readBulkAction(ports, { shop: other, batchId })).toBeNull();
  expect(await workBatch(ports, { shop: other, batchId }, { order_action: orderActions })).toBe(
    "ended",
  );
});
