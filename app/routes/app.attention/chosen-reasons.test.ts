/** Long because each action of the list is tried for one reason, for several, and once that changed meanwhile. */
import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  PATIENT,
  REVIEWER,
  storeOrder,
} from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gid, type ShopDomain } from "../../modules/kernel/ids.ts";
import { workBatch } from "../../modules/kernel/work-batch.ts";
import type { RequestState } from "../../modules/referrals/request.ts";
import { parseReasonKey, reasonKey } from "../../modules/referrals/review-reason.ts";
import { orderActions } from "../../modules/reports/order-actions.ts";
import { readBulkAction } from "../../modules/reports/read-bulk-action.ts";
import { readAttention, readOrders } from "../../modules/reports/read-orders.ts";
import { createLogger } from "../../platform/logger.ts";
import type { Tenant } from "../../ports.ts";
import { presentRun } from "../app.bulk.$id.ts";
import { applyOrders } from "../app.referrals/apply-orders.ts";
import { ordersForm } from "../app.referrals/orders-form.ts";
import { presentOrders } from "../app.referrals/present-orders.ts";
import { applyAttention } from "./apply-attention.ts";
import { type AttentionForm, attentionForm } from "./attention-form.ts";
import { presentAttention, presentItem } from "./present-attention.ts";

const db = await openTestDatabase();
const ports = {
  tenancy: db.tenancy,
  clock: { now: () => START },
  logger: createLogger("silent"),
};
const actor = "staff:7" as const;
const order = gid("Order", 1001);
let shop: ShopDomain;
const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => db.tenancy.inShop(shop, work);

beforeEach(async () => {
  shop = await installedShop(db);
  await inShop((tenant) => tenant.orders.record(storeOrder(), new Map(), START));
});

/** One unit of the order that has come this far; answers its request's id. */
async function unit(number: number, state: RequestState, reason: string | null) {
  const request = newRequest(shop, storeOrder(), { unit: number });
  await inShop(async (tenant) => {
    await tenant.requests.add([request], START);
    await tenant.requests.savePatient(request.id, { patient: PATIENT, medicare: null }, START);
    await putRequest(tenant, request.id, {
      state,
      reviewReason: reason === null ? null : parseReasonKey(reason),
    });
  });
  return request.id;
}

/** Presses a button of one item of the inbox, as a page shows it that says so. */
const press = (intent: AttentionForm["intent"], reason: string, seen?: string) =>
  applyAttention(
    ports,
    { shop, actor },
    attentionForm.parse({ intent, order: order.split("/").at(-1), reason, seen }),
  );

/** The item as the page shows it now. */
async function shown(reason: string) {
  const overview = await readAttention(ports, { shop, start: null, size: 25, reason: null });
  const { today, items } = presentAttention({ describeFailure }, overview);
  return [...today, ...items].find((item) => item.reason === reason);
}

const seen = async (reason: string) => (await shown(reason))?.version;

/** Starts a run as a list's form does, and works it off. */
async function run(fields: Record<string, string>) {
  const form = ordersForm.parse({ intent: "bulk", ...fields });
  const { runId = "" } = await applyOrders(ports, { shop, actor }, form);
  await work(runId);
  return runId;
}

async function work(batchId: string) {
  for (let step = 0; step < 10; step++)
    await workBatch(ports, { shop, batchId }, { order_action: orderActions });
}

const ticked = (...reasons: string[]) =>
  JSON.stringify(reasons.map((reason) => ({ order: "1001", reason })));
const open = async () =>
  (await inShop((tenant) => tenant.overview.attentionOf([order]))).map((item) =>
    reasonKey(item.reason),
  );
const sent = async () => {
  const { rows } = await db.pool.query<{ id: string }>(
    "SELECT payload->>'requestId' AS id FROM outbox WHERE shop = $1 AND name = 'create-referral'",
    [shop],
  );
  return rows.map((row) => row.id);
};

test("an item's Retry sends what was refused, and not what may exist at the service", async () => {
  const refused = await unit(1, "rejected", "rejected:X");
  await unit(2, "ambiguous", "ambiguous");
  expect(await press("retry", "rejected:X")).toMatchObject({ toast: "Sending it again" });
  expect(await sent()).toEqual([refused]);
  expect(await open()).toEqual(["ambiguous"]);
  // Pressed again on a page that still shows it.
  expect(await press("retry", "rejected:X")).toMatchObject({ toastIsError: true });
  expect(await sent()).toEqual([refused]);
});

test("sends again an unclear request that somebody has looked for, and nothing else", async () => {
  await unit(1, "rejected", "rejected:X");
  const unclear = await unit(2, "ambiguous", "ambiguous");
  await press("retry", "ambiguous");
  expect(await sent()).toEqual([unclear]);
});

test.each([
  ["retry", "rejected", "rejected:X"],
  ["release", "held", "held"],
  ["handled", "rejected", "rejected:X"],
  ["handled", "created", "urgent_result_shown"],
] as const)("does not %s more tests than the page showed: %s", async (intent, state, reason) => {
  await unit(1, state, reason);
  const before = await seen(reason);
  await unit(2, state, reason);
  expect(await press(intent, reason, before)).toMatchObject({
    toast: expect.stringMatching(/^Nothing was done: this has changed since/),
    toastIsError: true,
  });
  expect(await sent()).toEqual([]);
  expect(await open()).toEqual([reason]);
  expect(await press(intent, reason, await seen(reason))).not.toHaveProperty("toastIsError");
  expect(await open()).toEqual([]);
});

test.each([
  [1, false],
  [2, true],
])("says of %i forms that name another person whether there are several", async (forms, isSaid) => {
  await unit(1, "created", "referral_other_person");
  const [item] = await inShop((tenant) => tenant.overview.attentionOf([order]));
  if (!item) expect.unreachable();
  const numberOf = () => ({ number: 1, of: 1 });
  const { nextStep } = presentItem({ describeFailure }, { ...item, forms }, numberOf);
  expect(nextStep.includes("There are 2 such forms: make sure of each.")).toBe(isSaid);
});

test.each([
  [[1], 1, null],
  [[2], 3, "Test 2 of 3"],
  [[1, 3], 4, "Tests 1 and 3 of 4"],
  [[1, 2, 4], 4, "Tests 1, 2 and 4 of 4"],
  [[1, 2, 3], 3, "3 tests"],
  [[1, 2, 3, 4, 5], 6, "5 tests"],
])("names the tests %j of %i that need somebody", async (needy, of, said) => {
  for (let number = 1; number <= of; number++)
    await unit(number, "created", needy.includes(number) ? "half_created" : null);
  expect((await shown("half_created"))?.tests).toBe(said);
});

test("names no test for a reason of the order itself", async () => {
  await unit(1, "created", null);
  await unit(2, "created", null);
  await inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  expect((await shown("unmapped_line"))?.tests).toBeNull();
});

test("marks no line as handled that was added since the page was read", async () => {
  const attend = () => inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  await attend();
  const before = await seen("unmapped_line");
  const lines = [orderLine(), orderLine({ number: 2 })];
  await inShop((tenant) => tenant.orders.record(storeOrder({ lines }), new Map(), START));
  await attend();
  expect(await press("handled", "unmapped_line", before)).toMatchObject({ toastIsError: true });
  expect(await open()).toEqual(["unmapped_line"]);
  await press("handled", "unmapped_line", await seen("unmapped_line"));
  expect(await open()).toEqual([]);
});

test("sends by no list a request that was ordered by hand and marked as handled", async () => {
  await unit(1, "rejected", "rejected:X");
  await press("handled", "rejected:X");
  const other = await unit(2, "rejected", "rejected:Y");
  await run({ action: "retry", selection: "status=attention" });
  await run({ action: "retry", orders: "1001" });
  expect(await sent()).toEqual([other]);
  expect(await press("retry", "rejected:X")).toMatchObject({ toastIsError: true });
  expect(await sent()).toEqual([other]);
});

test("undoes a mark once, so that the request can be sent by lists again", async () => {
  const id = await unit(1, "rejected", "rejected:X");
  await press("handled", "rejected:X");
  expect(await press("undo-handled", "rejected:X")).toEqual({
    form: "undo-handled",
    toast: "Reopened: it needs attention again",
    toastIsError: false,
  });
  expect(await press("undo-handled", "rejected:X")).toMatchObject({
    toast: "It’s open already",
    toastIsError: false,
  });
  await run({ action: "retry", orders: "1001" });
  expect(await sent()).toEqual([id]);
  // Sent since: there is nothing to come back to.
  expect(await press("undo-handled", "rejected:X")).toMatchObject({ toastIsError: true });
});

test("undoes what a run marked as handled, and answers the same run for a second press", async () => {
  await unit(1, "rejected", "rejected:X");
  await unit(2, "rejected", "rejected:Y");
  await press("handled", "rejected:Y");
  const handled = await run({ action: "handled", items: ticked("rejected:X") });
  expect(await open()).toEqual([]);
  const undo = () =>
    applyOrders(ports, { shop, actor }, ordersForm.parse({ intent: "undo-run", runId: handled }));
  const answer = await undo();
  expect(await undo()).toEqual(answer);
  await work(answer.runId ?? "");
  expect(await open()).toEqual(["rejected:X"]);
});

test("releases by no list a held request that was marked as handled", async () => {
  await unit(1, "held", null);
  await press("handled", "held");
  const other = await unit(2, "held", null);
  await run({ action: "release", orders: "1001" });
  expect(await sent()).toEqual([other]);
});

test("puts no unsent request that was marked as handled back among those that can be released", async () => {
  const id = await unit(1, "ready", "not_sent:timeout");
  await press("handled", "not_sent:timeout");
  await run({ action: "hold", orders: "1001" });
  expect(await inShop(async (tenant) => (await tenant.requests.find(id))?.state)).toBe("ready");
});

test("marks one ticked reason as handled and keeps the order's other ones", async () => {
  await unit(1, "rejected", "rejected:X");
  await unit(2, "rejected", "rejected:Y");
  await inShop((tenant) => tenant.orders.setAttention(order, ["unmapped_line"]));
  await run({ action: "handled", items: ticked("rejected:X", "unmapped_line") });
  expect(await open()).toEqual(["rejected:Y"]);
});

test("sends one ticked reason again and leaves the unclear request to its own button", async () => {
  const chosen = await unit(1, "rejected", "rejected:X");
  await unit(2, "rejected", "rejected:Y");
  await unit(3, "ambiguous", "ambiguous");
  await run({ action: "retry", items: ticked("rejected:X", "ambiguous") });
  expect(await sent()).toEqual([chosen]);
});

const CHANGED = "changed since the page was opened: read where it stands now";

test.each([
  ["retry", "rejected", "rejected:X", CHANGED],
  ["release", "held", "held", CHANGED],
  ["handled", "rejected", "rejected:X", "still open: rejected by the service. Open the order"],
] as const)(
  "ticks nothing for %s that came after the page: %s",
  async (action, state, reason, outcome) => {
    const first = await unit(1, state, reason);
    const before = JSON.stringify([{ order: "1001", reason, seen: await seen(reason) }]);
    await unit(2, state, reason);
    const batchId = await run({ action, items: before });
    expect(await sent()).toEqual([]);
    expect(await open()).toEqual([reason]);
    const progress = await readBulkAction(ports, { shop, batchId });
    expect(presentRun(progress ?? expect.unreachable()).notDone).toMatchObject([{ outcome }]);
    const now = JSON.stringify([{ order: "1001", reason, seen: await seen(reason) }]);
    await run({ action, items: now });
    expect(await open()).toEqual([]);
    if (action !== "handled") expect(await sent()).toContain(first);
  },
);

/** The reasons why somebody is needed, as the list of orders shows them. */
async function listed() {
  const query = { filter: "all", orderMode: null, paidFrom: null, paidUntil: null } as const;
  const page = { sort: "newest", search: "", start: null, size: 50 } as const;
  const { orders } = presentOrders(
    { describeFailure },
    await readOrders(ports, { shop, ...query, ...page }),
  );
  return JSON.stringify(Object.fromEntries(orders.map(({ number, open }) => [number, open])));
}

test("sends of an order in the list what the list showed, and nothing that came since", async () => {
  const first = await unit(1, "rejected", "rejected:X");
  const before = await listed();
  await unit(2, "rejected", "rejected:Y");
  const batchId = await run({ action: "retry", orders: "1001", seen: before });
  expect(await sent()).toEqual([first]);
  expect(await open()).toEqual(["rejected:Y"]);
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(presentRun(progress ?? expect.unreachable()).notDone).toMatchObject([
    { outcome: "done in part. Nothing to retry. Still open: rejected by the service" },
  ]);
  // A second person, on the same old page.
  await run({ action: "retry", orders: "1001", seen: before });
  await run({ action: "handled", orders: "1001", seen: before });
  expect(await sent()).toEqual([first]);
  expect(await open()).toEqual(["rejected:Y"]);
  await run({ action: "handled", orders: "1001", seen: await listed() });
  expect(await open()).toEqual([]);
});

test("sends nothing of an order that needed nobody when the list was read", async () => {
  const before = await listed();
  await unit(1, "rejected", "rejected:X");
  await run({ action: "retry", orders: "1001", seen: before });
  expect(await sent()).toEqual([]);
  expect(await open()).toEqual(["rejected:X"]);
});

test("an order marked as handled on the list of orders is handled for every reason", async () => {
  await unit(1, "rejected", "rejected:X");
  await unit(2, "rejected", "rejected:Y");
  await run({ action: "handled", orders: "1001" });
  expect(await open()).toEqual([]);
});

test.each<Record<string, string>>([
  { orders: "1001" },
  { selection: "status=attention" },
  { items: ticked("rejected:X", "urgent_result_shown") },
])("leaves the patient who has to be rung today to a look of its own: %j", async (target) => {
  await unit(1, "rejected", "rejected:X");
  await unit(2, "created", "urgent_result_shown");
  await run({ action: "handled", ...target });
  expect(await open()).toEqual(["urgent_result_shown"]);
  await press("handled", "urgent_result_shown");
  expect(await open()).toEqual([]);
});

test.each<[string, RequestState, string, string]>([
  ["handled", "created", "urgent_result_held", "still open: urgent result held. Open the order"],
  ["handled", "created", "urgent_result_shown", "still open: urgent result shown. Open the order"],
  [
    "retry",
    "ambiguous",
    "ambiguous",
    "may be at the service already: open the order, and look there first",
  ],
  ["retry", "held", "held", "nothing to retry. Still open: held for review"],
  ["release", "created", "results_held", "its results wait for the reviewer: open the order"],
  ["release", "rejected", "rejected:X", "nothing held. Still open: rejected by the service"],
  ["retry", "awaiting_details", "", "nothing to retry"],
])("says of an order that %s left %s why: %s", async (action, state, reason, outcome) => {
  await unit(1, state, reason || null);
  const batchId = await run({ action, orders: "1001" });
  const progress = await readBulkAction(ports, { shop, batchId });
  expect(presentRun(progress ?? expect.unreachable()).notDone).toMatchObject([
    { number: "1001", outcome },
  ]);
});

test.each([
  { orders: "1001", items: ticked("rejected:X") },
  { items: "[" },
  { items: "[]" },
  { items: ticked("") },
  {},
  // It only undoes a run, by an intent of its own.
  { action: "reopen", orders: "1001" },
])("a form that does not say clearly which is refused: %j", (fields) => {
  expect(ordersForm.safeParse({ intent: "bulk", action: "retry", ...fields }).success).toBe(false);
});

test.each<[RequestState, string, boolean]>([
  ["rejected", "rejected:X", true],
  ["rejected", "not_sent:unauthorized", true],
  // What may exist at the service is looked for first, one by one.
  ["ambiguous", "ambiguous", false],
  ["created", "referral:TRANSFERRED", false],
])(
  "offers to retry all only where that sends something: %s, %s",
  async (state, reason, isOffered) => {
    await unit(1, state, reason);
    const overview = await readAttention(ports, { shop, start: null, size: 25, reason: null });
    expect(presentAttention({ describeFailure }, overview).mayRetryAll).toBe(isOffered);
    await run({ action: "retry", selection: "status=attention" });
    expect((await sent()).length > 0).toBe(isOffered);
  },
);

test("names to all staff who reads a held result, or where a reviewer is chosen", async () => {
  await unit(1, "created", "urgent_result_held");
  const overview = await readAttention(ports, { shop, start: null, size: 25, reason: null });
  const told = (reviewer: typeof overview.reviewer) =>
    presentAttention({ describeFailure }, { ...overview, reviewer }).today[0]?.reviewer;
  expect(told(REVIEWER)).toBe("Your reviewer is Dr Robin Reader, 02 5550 1234.");
  expect(told(overview.reviewer)).toMatch(/Settings, Results and release/);
});
