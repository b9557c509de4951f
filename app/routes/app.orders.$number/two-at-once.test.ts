import { describe, expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting } from "../../../test/database/locks.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { reconcileOrder } from "../../modules/orders/reconcile-order.ts";
import { cancelUnit } from "../../modules/referrals/cancel-unit.ts";
import { reasonKey } from "../../modules/referrals/review-reason.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import type { Ports } from "../../ports.ts";
import { applyAttention } from "../app.attention/apply-attention.ts";
import { applyOrder } from "./apply-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();
const order = storeOrder();
type Started = Parameters<typeof startCreated>[1];
type Act = () => Promise<{ toast?: string; toastIsError?: boolean }>;

/** A test that needs a person, and what two members of staff may press who both have read of it. */
async function start(options: Started) {
  const created = await startCreated(db, options);
  const { shop, ports, clock, requestId } = created;
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  const open = async () => {
    const found = await readOrder(ports, {
      ...{ shop, orderId: order.id, actor: null, isWhole: true },
    });
    if (!found) return expect.unreachable();
    const { lines } = presentOrder({ describeFailure }, found);
    const { version, reorderVersion } =
      lines[0]?.requests.find(({ id }) => id === requestId) ?? expect.unreachable();
    return { version, reorderVersion };
  };
  return {
    ...created,
    /** The buttons of the order's page as it is now. */
    async page() {
      const { version, reorderVersion } = await open();
      const target = { shop, orderId: order.id, actor: "staff:7" } as const;
      return (
        intent: "keep-request" | "cancel-request" | "retry" | "reorder-request" | "release",
      ): Act => {
        const seen = intent === "reorder-request" ? reorderVersion : version;
        return () => applyOrder(ports as unknown as Ports, target, { intent, requestId, seen });
      };
    },
    /** Those of its item in the list. */
    async item() {
      const [item] = await db.tenancy.inShop(shop, (t) => t.overview.attentionOf([order.id]));
      if (!item) return expect.unreachable();
      const form = { order: order.id, reason: reasonKey(item.reason), seen: item.version };
      const target = { shop, actor: "staff:8" } as const;
      return (intent: "handled" | "retry"): Act =>
        () =>
          applyAttention(ports, target, { intent, ...form });
    },
  };
}

/** Has both press at once. Exactly one has it their way, and the other reads that nothing was done. */
async function atOnce(one: Act, other: Act): Promise<"one" | "other"> {
  const answers = await Promise.all([one(), other()]);
  const isDone = answers.map(({ toastIsError = false }) => !toastIsError);
  expect(isDone.filter(Boolean), JSON.stringify(answers)).toHaveLength(1);
  expect(answers.find(({ toastIsError }) => toastIsError)?.toast).toMatch(
    /^Nothing was done: .*changed since/,
  );
  return isDone[0] ? "one" : "other";
}

test("an item is marked as handled while a colleague’s press is at work on it: it isn’t sent again", async () => {
  const { find, item, ports, shop, takeJobs } = await start({ behaviour: "reject" });
  const handled = (await item())("handled");
  const [shown] = await db.tenancy.inShop(shop, (t) => t.overview.attentionOf([order.id]));
  if (!shown) return expect.unreachable();
  let marking: ReturnType<Act> | undefined;
  const slow: typeof db.tenancy = {
    ...db.tenancy,
    inShop: (own, work) =>
      db.tenancy.inShop(own, (tenant) => {
        const attentionOf: typeof tenant.overview.attentionOf = async (ids) => {
          const items = await tenant.overview.attentionOf(ids);
          marking ??= handled();
          await untilWaiting(db, 1, marking);
          return items;
        };
        return work({ ...tenant, overview: { ...tenant.overview, attentionOf } });
      }),
  };
  const form = { order: order.id, reason: reasonKey(shown.reason), seen: shown.version };
  const target = { shop, actor: "staff:8" } as const;
  const answer = await applyAttention({ ...ports, tenancy: slow }, target, {
    intent: "retry",
    ...form,
  });
  const isMarked = !(await marking)?.toastIsError;
  expect(isMarked).toBe(answer.toastIsError ?? false);
  const { state } = (await find()) ?? expect.unreachable();
  const sends = (await takeJobs()).includes("create-referral");
  expect({ state, sends }).toEqual(
    isMarked ? { state: "rejected", sends: false } : { state: "ready", sends: true },
  );
});

const BOTH_WAYS = [["the first"], ["the second"]] as const;

describe.each(BOTH_WAYS)("of two who press at once, %s being first on the way", (which) => {
  const swapped = which === "the second";
  const inTurn = async (one: Act, other: Act) => {
    const first = swapped ? await atOnce(other, one) : await atOnce(one, other);
    return (first === "one") === swapped ? "other" : "one";
  };

  test("one lets the patient keep a refunded test, or the other cancels it", async () => {
    const { clock, find, page, shop, requestId, takeJobs } = await start({
      settings: { refundPolicy: "ask" },
    });
    const asked = { by: "store", actor: "shopify", now: clock.now() } as const;
    await db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, { id: requestId }, asked));
    await takeJobs();
    const press = await page();
    const won = await inTurn(press("keep-request"), press("cancel-request"));
    const deletes = (await takeJobs()).includes("delete-referrals");
    const { kept, cancellation } = (await find()) ?? expect.unreachable();
    expect({ kept, status: cancellation?.status, deletes }).toEqual(
      won === "one"
        ? { kept: true, status: "requested", deletes: false }
        : { kept: false, status: "confirmed", deletes: true },
    );
  });

  test.each(["page", "item"] as const)(
    "one marks a refused test as handled, or the other sends it again from its %s",
    async (place) => {
      const { find, item, page, takeJobs } = await start({ behaviour: "reject" });
      const again = place === "page" ? (await page())("retry") : (await item())("retry");
      const won = await inTurn((await item())("handled"), again);
      const sends = (await takeJobs()).includes("create-referral");
      const { state, handledReason } = (await find()) ?? expect.unreachable();
      expect({ state, isHandled: handledReason !== null, sends }).toEqual(
        won === "one"
          ? { state: "rejected", isHandled: true, sends: false }
          : { state: "ready", isHandled: false, sends: true },
      );
    },
  );

  const held = async () => {
    const started = await start({ behaviour: "reject" });
    const reviewReason = { code: "high_risk", detail: null } as const;
    await db.tenancy.inShop(started.shop, (tenant) =>
      putRequest(tenant, started.requestId, { state: "held", reviewReason }),
    );
    return started;
  };

  test("one takes the risk of an order, or the other cancels its test", async () => {
    const { create, find, page, service } = await held();
    const calls = service.calls.length;
    const press = await page();
    const won = await inTurn(press("release"), press("cancel-request"));
    await create();
    expect((await find())?.state).toBe(won === "one" ? "created" : "cancelled");
    expect(service.calls.length - calls).toBe(won === "one" ? 1 : 0);
  });

  test("one takes the risk of an order that is cancelled in Shopify: nothing is sent", async () => {
    const { clock, create, find, page, ports, service, shop } = await held();
    const calls = service.calls.length;
    const cancelled = { ...order, cancelledAt: clock.now(), updatedAt: clock.now() };
    const storeOrders = { read: async () => cancelled };
    const release = (await page())("release");
    const read = () => reconcileOrder({ ...ports, storeOrders }, { shop, orderId: order.id });
    await Promise.all(swapped ? [read(), release()] : [release(), read()]);
    await create();
    expect(await find()).toMatchObject({
      ...{ state: "cancelled", cancellation: { requestedBy: "store", status: "done" } },
    });
    expect(service.calls).toHaveLength(calls);
  });

  test("one marks a failed test as handled, or the other orders it again", async () => {
    const { become, item, page, shop, takeJobs } = await start({});
    await become({ status: "FAILED_TEST" });
    await takeJobs();
    const again = (await page())("reorder-request");
    const won = await inTurn((await item())("handled"), again);
    const requests = await db.tenancy.inShop(shop, (t) => t.requests.forOrder(order.id));
    expect(requests).toHaveLength(won === "one" ? 1 : 2);
  });

  test("one of two orders a failed test again", async () => {
    const { become, page, shop } = await start({});
    await become({ status: "FAILED_TEST" });
    const press = await page();
    await inTurn(press("reorder-request"), press("reorder-request"));
    const requests = await db.tenancy.inShop(shop, (t) => t.requests.forOrder(order.id));
    expect(requests).toHaveLength(2);
  });
});
