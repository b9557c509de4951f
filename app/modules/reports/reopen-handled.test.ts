import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { createLogger } from "../../platform/logger.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { workBatch } from "../kernel/work-batch.ts";
import { parseReasonKey, reasonKey } from "../referrals/review-reason.ts";
import { markHandled } from "./mark-handled.ts";
import { orderActions } from "./order-actions.ts";
import { readBulkAction } from "./read-bulk-action.ts";
import { reopenHandled } from "./reopen-handled.ts";
import { startBulkAction, undoHandledRun } from "./start-bulk-action.ts";
import type { Tenant } from "./tenant.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
const ports = {
  tenancy: db.tenancy,
  clock: { now: () => START },
  logger: createLogger("silent"),
};
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);
const order = gid("Order", 1001);
const actor = "staff:7" as const;

beforeEach(async () => {
  shop = await installedShop(db);
  await inShop((tenant) => tenant.orders.record(storeOrder(), new Map(), START));
});

/** A test of the order that needs a person for this reason; answers its request's id. */
async function refused(reason = "rejected:X", orderNumber = 1001): Promise<string> {
  const id = await readyRequest(db, shop, { orderNumber });
  await inShop((tenant) =>
    putRequest(tenant, id, { state: "rejected", reviewReason: parseReasonKey(reason) }),
  );
  return id;
}

const open = async (orderId = order) =>
  (await inShop((tenant) => tenant.overview.attentionOf([orderId]))).map((item) =>
    reasonKey(item.reason),
  );
const handle = (reason: string, by: `staff:${string}` = actor) =>
  markHandled(ports, { shop, orderId: order, reason, actor: by });
const reopen = (reason: string) => reopenHandled(ports, { shop, orderId: order, reason, actor });
const undo = (reason: string) =>
  reopenHandled(ports, { shop, orderId: order, reason, actor, isUndo: true });

async function told(kind: string) {
  const { rows } = await db.pool.query<{ actor: string; reason: string; requestId: string | null }>(
    `SELECT actor, detail->>'reason' AS reason, request_id AS "requestId" FROM timeline
     WHERE shop = $1 AND kind = $2 ORDER BY id`,
    [shop, kind],
  );
  return rows;
}

test("brings a test back to the list once, and records who did it", async () => {
  const requestId = await refused();
  await handle("rejected:X");
  expect(await open()).toEqual([]);
  expect(await undo("rejected:X")).toEqual({ kind: "reopened", items: 1 });
  expect(await open()).toEqual(["rejected:X"]);
  expect(await inShop((tenant) => tenant.requests.find(requestId))).toMatchObject({
    ...{ state: "rejected", stage: "attention", handledReason: null },
    reason: { code: "rejected", detail: "X" },
  });
  expect(await undo("rejected:X")).toEqual({ kind: "open_already" });
  expect(await told("attention_reopened")).toEqual([{ actor, reason: "rejected:X", requestId }]);
});

test("reopens once when it is asked for in two tabs at one moment", async () => {
  await refused();
  await handle("rejected:X");
  const outcomes = await Promise.all([undo("rejected:X"), undo("rejected:X")]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(["open_already", "reopened"]);
  expect(await told("attention_reopened")).toHaveLength(1);
});

test("brings the order's own reason back, and tells whoever gets alerts", async () => {
  await inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  await handle("unmapped_line");
  expect(await open()).toEqual([]);
  expect(await reopen("unmapped_line")).toEqual({ kind: "reopened", items: 1 });
  expect(await open()).toEqual(["unmapped_line"]);
  expect(await told("attention_reopened")).toEqual([
    { actor, reason: "unmapped_line", requestId: null },
  ]);
  expect(await reopen("unmapped_line")).toEqual({ kind: "open_already" });
});

test("refuses to reopen a reason whose cause is gone", async () => {
  const id = await refused();
  await handle("rejected:X");
  await inShop((tenant) => putRequest(tenant, id, { state: "ready", reviewReason: null }));
  await inShop((tenant) => tenant.orders.setAttention(order, ["no_contact"]));
  await handle("no_contact");
  await inShop((tenant) => tenant.orders.setAttention(order, []));
  expect(await reopen("rejected:X")).toEqual({ kind: "cause_gone" });
  expect(await undo("no_contact")).toEqual({ kind: "cause_gone" });
  expect(await open()).toEqual([]);
  expect(await told("attention_reopened")).toEqual([]);
});

test("undoes nothing that a colleague has marked as handled meanwhile", async () => {
  await refused();
  await handle("rejected:X");
  await reopen("rejected:X");
  await handle("rejected:X", "staff:8");
  const kim = { staff: "staff:8", name: "Kim Lee", isAccountOwner: false };
  await inShop((tenant) => tenant.staff.identify(kim, START));
  expect(await undo("rejected:X")).toEqual({ kind: "handled_by_other", by: "Kim Lee" });
  expect(await open()).toEqual([]);
  // Asked for by itself, with the item in view, it is reopened whoever handled it.
  expect(await reopen("rejected:X")).toEqual({ kind: "reopened", items: 1 });
});

test("lists what was handled of an order for as long as its cause stands", async () => {
  const requestId = await refused();
  await inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  await handle("rejected:X");
  await handle("unmapped_line");
  const handled = () => inShop((tenant) => tenant.overview.handledOf([order]));
  expect(await handled()).toEqual([
    { orderId: order, reason: parseReasonKey("rejected:X"), requestIds: [requestId] },
    { orderId: order, reason: parseReasonKey("unmapped_line"), requestIds: [] },
  ]);
  await inShop((tenant) => putRequest(tenant, requestId, { state: "ready", reviewReason: null }));
  await reopen("unmapped_line");
  expect(await handled()).toEqual([]);
});

test("undoes a run over many orders: what that run handled, and nothing that was handled before", async () => {
  const other = gid("Order", 1002);
  await inShop((tenant) =>
    tenant.orders.record(storeOrder({ id: other, name: "#1002" }), new Map(), START),
  );
  await refused();
  await refused("rejected:Y", 1002);
  await inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  await handle("unmapped_line");
  const work = (batchId: string) =>
    workBatch(ports, { shop, batchId }, { order_action: orderActions });
  const target = { orderIds: [order, other] };
  const batchId = await startBulkAction(ports, { shop, action: "handled", actor, target });
  await work(batchId);
  expect([await open(), await open(other)]).toEqual([[], []]);

  const undone = await undoHandledRun(ports, { shop, actor: "staff:8", batchId });
  expect(await undoHandledRun(ports, { shop, actor, batchId })).toEqual(undone);
  if (undone.kind !== "started") throw new Error(undone.kind);
  await work(undone.runId);
  expect([await open(), await open(other)]).toEqual([["rejected:X"], ["rejected:Y"]]);
  expect(await readBulkAction(ports, { shop, batchId: undone.runId })).toMatchObject({
    ...{ action: "reopen", actor: "staff:8", state: "done" },
    counts: { total: 2, done: 2 },
  });
  expect((await told("attention_reopened")).map((entry) => entry.actor)).toEqual([
    "staff:8",
    "staff:8",
  ]);
});

test("undoes no run that did something else than marking as handled", async () => {
  await refused();
  const target = { orderIds: [order] };
  const batchId = await startBulkAction(ports, { shop, action: "retry", actor, target });
  expect(await undoHandledRun(ports, { shop, actor, batchId })).toEqual({ kind: "nothing" });
});
