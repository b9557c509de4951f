import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { requestVersion } from "../../modules/referrals/request-version.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import type { Ports } from "../../ports.ts";
import { applyOrder } from "./apply-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();
const order = storeOrder();

/** An order's page for two members of staff, each of whom may press what they saw some time ago. */
async function start(items = BOTH_PARTS) {
  const created = await startCreated(db, { items });
  const { shop, ports, service, clock, requestId } = created;
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  return {
    ...created,
    become(medicare: boolean, status: string) {
      const one = service.referrals.find((each) => each.medicare === medicare);
      service.set(String(one?.uuid), { status });
      return created.refetch();
    },
    /** Reads the page, and answers its buttons. */
    async open() {
      const place = { shop, orderId: order.id, actor: null, isWhole: true };
      const overview = await readOrder(ports, place);
      if (!overview) return expect.unreachable();
      const { lines } = presentOrder({ describeFailure }, overview);
      const view = lines[0]?.requests.find(({ id }) => id === requestId);
      if (!view) return expect.unreachable();
      return (
        intent: "reorder-request" | "hold",
        actor: `staff:${number}` = "staff:7",
        seen = intent === "reorder-request" ? view.reorderVersion : view.version,
      ) => {
        const target = { shop, orderId: order.id, actor };
        return applyOrder(ports as unknown as Ports, target, { intent, requestId, seen });
      };
    },
    generations: async () =>
      (await db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(order.id))).length,
  };
}

const CHANGED = {
  toast: expect.stringMatching(/^Nothing was done: the test has changed since/),
  toastIsError: true,
};

test("orders no other part again than the page showed", async () => {
  const { become, generations, open, takeJobs } = await start();
  await become(false, "FAILED_TEST");
  const press = await open();
  await become(true, "FAILED_TEST");
  await takeJobs();
  expect(await press("reorder-request")).toEqual(CHANGED);
  expect(await generations()).toBe(1);
  expect(await takeJobs()).not.toContain("create-referral");
  expect(await (await open())("reorder-request")).toMatchObject({ toast: "Ordered again" });
  expect(await generations()).toBe(2);
});

test("asks somebody whose page is from before an upgrade to reload it, and orders nothing", async () => {
  const { become, find, generations, open } = await start();
  await become(false, "FAILED_TEST");
  // Its button says where the test stands, and of no part.
  const former = requestVersion((await find()) ?? expect.unreachable());
  expect(await (await open())("reorder-request", "staff:7", former)).toEqual({
    toast: expect.stringContaining("If you see this again, reload the page."),
    toastIsError: true,
  });
  expect(await generations()).toBe(1);
});

test("orders nothing again that somebody else ordered again an hour ago, and that failed once more", async () => {
  const { become, create, find, generations, open, service } = await start();
  await become(false, "FAILED_TEST");
  const press = await open();
  expect(await press("reorder-request", "staff:8")).toMatchObject({ toast: "Ordered again" });
  await create((await find())?.replacedBy ?? "");
  await become(true, "FAILED_TEST");
  const calls = service.calls.length;
  expect(await press("reorder-request")).toEqual(CHANGED);
  expect(await generations()).toBe(2);
  expect(service.calls).toHaveLength(calls);
});

test("holds no test again that somebody released since the page was read", async () => {
  const { find, open, requestId, shop } = await start();
  const put = (state: "ready" | "held" | "sending", attempt: number) =>
    db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { state, attempt }));
  await put("ready", 1);
  const press = await open();
  await put("ready", 2);
  expect(await press("hold")).toEqual(CHANGED);
  expect((await find())?.state).toBe("ready");
  expect(await (await open())("hold")).toMatchObject({ toastIsError: false });
  expect((await find())?.state).toBe("held");
});
