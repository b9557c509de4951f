import { beforeEach, expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { installedShop, readyRequest, storeOrder } from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { createStoreFactsReader } from "../../clients/shopify/store-facts.ts";
import { milestone } from "../../jobs/payloads.ts";
import { gid, type ShopDomain } from "../kernel/ids.ts";
import { apply } from "../referrals/apply.ts";
import { saveReferral } from "../referrals/referrals/save-referral.ts";
import type { ShopSettings } from "../shops/shop.ts";
import {
  OPTION_SCOPES,
  type OpenLine,
  type OrderStatusPublisher,
} from "./order-status-publisher.ts";
import { needPerson } from "./orders/need-person.ts";
import { publishOrderStatus } from "./publish-order-status.ts";

const db = await openTestDatabase();
const orderId = gid("Order", 1001);
const line: OpenLine = {
  fulfillmentOrderId: "gid://shopify/FulfillmentOrder/1",
  fulfillmentOrderLineId: "gid://shopify/FulfillmentOrderLineItem/1",
  lineItemId: gid("LineItem", 1),
  remaining: 1,
};

/** A store that remembers what it was told, and has one unit to fulfil. */
function smallStore() {
  const tags = new Set<string>();
  const flows: string[] = [];
  let remaining = 1;
  const orderStatusPublisher: OrderStatusPublisher = {
    addTag: async (_shop, _orderId, tag) => void tags.add(tag),
    openLines: async () => [{ ...line, remaining }],
    fulfil: async (_shop, units) => {
      for (const { quantity } of units) remaining -= quantity;
    },
    startFlow: async (_shop, { milestone }) => void flows.push(milestone),
    startOutageFlow: async () => void flows.push("outage"),
  };
  return { orderStatusPublisher, tags, flows, left: () => remaining };
}

/** Compares scopes by Shopify's own library; nothing is asked of the store. */
const storeFacts = createStoreFactsReader(async () => {
  throw new Error("not to be asked");
});

let shop: ShopDomain;
let store: ReturnType<typeof smallStore>;
let requestId: string;
const ALL_SCOPES = [...OPTION_SCOPES.tagOrders, ...OPTION_SCOPES.markFulfilled].join(",");

async function setUp(settings: Partial<ShopSettings>, scope = ALL_SCOPES) {
  shop = await installedShop(db, settings);
  store = smallStore();
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.shops.install(scope, START);
    await tenant.orders.record(storeOrder(), new Map(), START);
  });
  requestId = await readyRequest(db, shop);
}

const issue = (status: "CREATED" | "ISSUED") =>
  db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, requestId, { state: "created" });
    const request = { id: requestId, environment: "staging", orderId } as const;
    await saveReferral(tenant, request, referralSnapshot({ status }), START);
  });

/** Reads the queued jobs, as the relay would pass them on. */
async function queued() {
  const { rows } = await db.pool.query<{ payload: { milestone: string }; key: string }>(
    `DELETE FROM outbox WHERE shop = $1 AND name = 'publish-order-status'
     RETURNING payload, singleton_key AS key`,
    [shop],
  );
  return rows;
}

/** Does the job of a milestone, and those that it asks for. Answers what became of the first, and what was refused. */
async function tell() {
  const { orderStatusPublisher } = store;
  const clock = { now: () => START };
  const ports = { tenancy: db.tenancy, orderStatusPublisher, storeFacts, clock };
  await queued();
  const first = { shop, orderId, requestId, milestone: "referral_issued" } as const;
  const outcome = await publishOrderStatus(ports, first);
  const refused: unknown[] = [];
  for (const { payload } of await queued())
    await publishOrderStatus(ports, milestone.parse(payload)).catch((error) => refused.push(error));
  return { outcome, refused };
}

beforeEach(() => setUp({ tagOrders: true, markFulfilled: true, startFlows: true }));

test("a milestone is queued by whoever reaches it, with ids only, and its job can be read", async () => {
  await issue("ISSUED");
  const [job, ...others] = await queued();
  expect(others).toEqual([]);
  expect(job?.payload).toEqual({ shop, orderId, requestId, milestone: "referral_issued" });
  expect(job?.key).toBe(`${shop} ${orderId} ${requestId} referral_issued`);
  expect(milestone.parse(job?.payload)).toEqual(job?.payload);
  const refused = { kind: "correction_refused", correction: 1 } as const;
  const by = { actor: "pathway", at: START } as const;
  // Told twice, each is queued once.
  for (const _ of [1, 2])
    await db.tenancy.inShop(shop, async (tenant) => {
      await apply(tenant, requestId, refused, by);
      await needPerson(tenant, orderId, ["unmapped_line"]);
    });
  expect((await queued()).map(({ payload }) => payload.milestone)).toEqual([
    "attention_needed",
    "attention_needed",
  ]);
});

test("a shop that wants nothing told has nothing queued", async () => {
  await setUp({});
  await issue("ISSUED");
  expect(await queued()).toEqual([]);
});

test("told twice, the order is tagged and fulfilled once", async () => {
  await issue("ISSUED");
  await tell();
  await tell();
  expect([...store.tags]).toEqual(["pathway-form-issued"]);
  expect(store.left()).toBe(0);
  expect(store.flows).toEqual(["referral_issued", "referral_issued"]);
});

test("a workflow starts, and a line is fulfilled, though Shopify refuses the tag", async () => {
  const refusal = new Error("store_refused");
  store.orderStatusPublisher.addTag = async () => {
    throw refusal;
  };
  await issue("ISSUED");
  expect((await tell()).refused).toEqual([refusal]);
  expect(store.left()).toBe(0);
  expect(store.flows).toEqual(["referral_issued"]);
});

test("a line is not fulfilled while one of its units has no form", async () => {
  await issue("CREATED");
  await tell();
  expect(store.left()).toBe(1);
});

test.each([
  ["ISSUED", 0],
  ["CREATED", 1],
] as const)(
  "a failed referral that was replaced by one %s leaves %i open",
  async (status, left) => {
    await db.tenancy.inShop(shop, async (tenant) => {
      await putRequest(tenant, requestId, { state: "created" });
      const [failed, next] = [
        referralSnapshot({ status: "FAILED_TEST" }),
        referralSnapshot({ status }),
      ];
      for (const one of [failed, next])
        await tenant.referrals.save("staging", requestId, one, START);
      await tenant.referrals.markReplaced([failed.uuid], next.uuid);
    });
    await tell();
    expect(store.left()).toBe(left);
  },
);

test("nothing is written that the merchant has not allowed in Shopify", async () => {
  await setUp({ tagOrders: true, markFulfilled: true }, "read_orders");
  await issue("ISSUED");
  expect((await tell()).outcome).toBe("not_wanted");
  expect([...store.tags]).toEqual([]);
  expect(store.left()).toBe(1);
});

test("scopes count as granted in the compressed form in which Shopify tells them", async () => {
  const scope = "write_orders,write_merchant_managed_fulfillment_orders";
  await setUp({ tagOrders: true, markFulfilled: true }, scope);
  await issue("ISSUED");
  expect((await tell()).outcome).toBe("told");
  expect([...store.tags]).toEqual(["pathway-form-issued"]);
  expect(store.left()).toBe(0);
});
