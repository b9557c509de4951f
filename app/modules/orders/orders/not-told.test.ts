/** Long because it plays each way in which the store is told, under one name and under two, and each end of an item. */
import { beforeEach, describe, expect, test } from "vitest";
import { movableClock, START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  installedShop,
  mapVariant,
  readyRequest,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { createOrderStatusPublisher } from "../../../clients/shopify/order-status-publisher.ts";
import { StoreError } from "../../../clients/shopify/store-error.ts";
import { createStoreFactsReader } from "../../../clients/shopify/store-facts.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import type { ToldWay } from "../../referrals/milestone.ts";
import { saveReferral } from "../../referrals/referrals/save-referral.ts";
import type { StoreAnswer } from "../../shops/store-access.ts";
import { OPTION_SCOPES, type OrderStatusPublisher } from "../order-status-publisher.ts";
import { publishOrderStatus } from "../publish-order-status.ts";

const db = await openTestDatabase();
const orderId = gid("Order", 1001);
const clock = movableClock();
const storeFacts = createStoreFactsReader(async () => {
  throw new Error("not to be asked");
});
const WAYS = ["tag", "fulfilment", "flow"] as const;
const CODES = { tag: "not_tagged", fulfilment: "not_fulfilled", flow: "flow_not_started" } as const;
/** By now it is no hiccup. */
const LATE = { retries: 10 };

let stores = 0;
let former: ShopDomain;
let requestId: string;
/** The store's acts, by the name whose session asked. */
let done: string[];
/** The answer to each name's session, where it is not taken. */
let refusals: Map<ShopDomain, StoreError["code"]>;
/** Whose each name is, as the store itself says. */
let access: Map<ShopDomain, StoreAnswer>;
let fulfilled: number;

const refuse = (shop: ShopDomain) => {
  const code = refusals.get(shop);
  if (code) throw new StoreError(code);
};
const orderStatusPublisher: OrderStatusPublisher = {
  async addTag(shop) {
    refuse(shop);
    done.push(`tag ${shop}`);
  },
  async openLines(shop) {
    refuse(shop);
    const place = { fulfillmentOrderId: "1", fulfillmentOrderLineId: "1" };
    return [{ ...place, lineItemId: gid("LineItem", 1), remaining: 1 - fulfilled, fulfilled }];
  },
  async fulfil(shop) {
    refuse(shop);
    fulfilled++;
    done.push(`fulfilment ${shop}`);
    return "done";
  },
  async startFlow(shop) {
    refuse(shop);
    done.push(`flow ${shop}`);
  },
  startOutageFlow: async () => {},
};

const storeAccess = {
  check: async (shop: ShopDomain) => access.get(shop) ?? "open",
  hasCustomer: async () => false,
};
const ports = { tenancy: db.tenancy, orderStatusPublisher, storeFacts, storeAccess, clock };

type PublishPorts = Parameters<typeof publishOrderStatus>[0];

const tell = (way: ToldWay, turn = LATE) =>
  publishOrderStatus(
    ports,
    { shop: former, orderId, requestId, milestone: "referral_issued", way },
    turn,
  );

const itemUnder = async (shop: ShopDomain) => {
  const { rows } = await db.pool.query<{ code: string; name: string }>(
    "SELECT reason_code AS code, name FROM orders WHERE shop = $1 AND order_id = $2",
    [shop, orderId],
  );
  return rows[0];
};

const identify = (shop: ShopDomain, storeId: string) =>
  db.tenancy.inShop(shop, ({ shops }) => shops.identify(storeId));

/** The store's next name, under which the merchant has opened the app. */
async function renamed(storeId = `gid://shopify/Shop/told ${stores}`): Promise<ShopDomain> {
  const present = await installedShop(db);
  await db.tenancy.inShop(present, ({ shops }) => shops.install("", new Date(Date.now() + 60_000)));
  await identify(present, storeId);
  return present;
}

beforeEach(async () => {
  done = [];
  refusals = new Map();
  access = new Map();
  fulfilled = 0;
  former = await installedShop(db, { tagOrders: true, markFulfilled: true, startFlows: true });
  await db.tenancy.inShop(former, async (tenant) => {
    const scopes = [...OPTION_SCOPES.tagOrders, ...OPTION_SCOPES.markFulfilled];
    await tenant.shops.install(scopes.join(","), START);
    await tenant.orders.record(storeOrder(), new Map(), START);
  });
  await identify(former, `gid://shopify/Shop/told ${++stores}`);
  requestId = await readyRequest(db, former);
  await db.tenancy.inShop(former, async (tenant) => {
    await putRequest(tenant, requestId, { state: "created" });
    const request = { id: requestId, environment: "staging", orderId } as const;
    await saveReferral(tenant, request, referralSnapshot({ status: "ISSUED" }), START);
  });
});

describe("an order of a store's former name", () => {
  test.each([
    "store_not_found",
    "store_not_signed_in",
    "store_no_session",
    "store_unreachable",
  ] as const)(
    "is told by the present name's session once the former one's gets %s, once",
    async (code) => {
      const present = await renamed();
      refusals.set(former, code);
      for (const way of WAYS) expect(await tell(way, { retries: 0 })).toBe("told");
      expect(await tell("fulfilment", { retries: 0 })).toBe("told");
      expect(done).toEqual(WAYS.map((way) => `${way} ${present}`));
      expect(await itemUnder(former)).toMatchObject({ code: null });
      expect(await itemUnder(present)).toBeUndefined();
    },
  );

  test("is told by its own session as long as that one works", async () => {
    await renamed();
    for (const way of WAYS) await tell(way);
    expect(done).toEqual(WAYS.map((way) => `${way} ${former}`));
  });

  test("starts no workflow a second time when nobody knows whether it started", async () => {
    await renamed();
    refusals.set(former, "store_unclear");
    await expect(tell("flow")).rejects.toMatchObject({ code: "store_unclear" });
    expect(done).toEqual([]);
  });

  test.each([
    ["another store has the present name, as its session says", "of_other_store"],
    ["the present name's session is refused too", "refused"],
  ] as const)("is told by nobody where %s", async (_, answer) => {
    const present = await renamed();
    refusals.set(former, "store_not_found");
    access.set(present, answer);
    for (const way of WAYS)
      await expect(tell(way)).rejects.toMatchObject({ code: "store_not_found" });
    expect(done).toEqual([]);
    // The merchant reads the present name's list.
    expect(await itemUnder(present)).toMatchObject({ code: "not_tagged", name: "#1001" });
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test.each([
    ["has told another id", async () => void (await renamed("gid://shopify/Shop/other told"))],
    ["is in doubt itself", async () => identify(await renamed(), "gid://shopify/Shop/other told")],
    [
      "has left",
      async () => {
        const present = await renamed();
        const at = new Date(Date.now() + 86_400_000);
        await db.tenancy.inShop(present, ({ shops }) => shops.uninstall(at));
      },
    ],
  ])("is told by no name that %s, and stands in its own list", async (_, setUp) => {
    await setUp();
    refusals.set(former, "store_not_found");
    await expect(tell("fulfilment")).rejects.toMatchObject({ code: "store_not_found" });
    expect(done).toEqual([]);
    expect(await itemUnder(former)).toMatchObject({ code: "not_fulfilled" });
  });
});

test("an item under the present name has nothing ordered there once the order is read", async () => {
  const storeId = `gid://shopify/Shop/told ${stores}`;
  const present = await renamed();
  await mapVariant(db, present, gid("ProductVariant", 1));
  refusals.set(former, "store_not_found");
  access.set(present, "refused");
  await expect(tell("tag")).rejects.toThrow();
  const after = await orderInStore(db, present, orderId);
  expect(await after.read(storeOrder({ storeId }))).toMatchObject({ opened: 0 });
  expect(await after.reviewCode()).toBe("other_name");
  await db.tenancy.inShop(present, ({ orders }) => orders.markHandled(orderId, "other_name"));
  expect(await itemUnder(present)).toMatchObject({ code: "not_tagged" });
  access.clear();
  expect(await tell("tag", { retries: 11 })).toBe("told");
  expect(await itemUnder(present)).toMatchObject({ code: null });
});

test("an item under the present name ends once the merchant has fulfilled the order, long after the two days", async () => {
  const storeId = `gid://shopify/Shop/told ${stores}`;
  const present = await renamed();
  await mapVariant(db, present, gid("ProductVariant", 1));
  refusals.set(former, "store_not_found");
  access.set(present, "refused");
  await expect(tell("fulfilment", { retries: 600 })).rejects.toThrow();
  expect(await itemUnder(present)).toMatchObject({ code: "not_fulfilled" });
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [former]);
  // Shopify tells the present name that its order was fulfilled by hand.
  fulfilled = 1;
  access.clear();
  await (await orderInStore(db, present, orderId)).read(storeOrder({ storeId }));
  const [job, ...others] = await takeJobs(db, former, "publish-order-status");
  expect(others).toEqual([]);
  expect(job).toEqual({
    ...{ shop: former, orderId, requestId: null },
    ...{ milestone: "referral_issued", way: "fulfilment" },
  });
  expect(await publishOrderStatus(ports, job ?? expect.unreachable())).toBe("told");
  expect(done).toEqual([]);
  expect(await itemUnder(present)).toMatchObject({ code: "other_name" });
  await db.tenancy.inShop(present, ({ orders }) => orders.markHandled(orderId, "other_name"));
  expect(await itemUnder(present)).toMatchObject({ code: null });
});

describe("an order of which a place that Shopify does not show has the fulfilment", () => {
  const none = { hasNextPage: false, endCursor: null };
  const nothing = { order: { fulfillmentOrders: { nodes: [], pageInfo: none } } };
  let unfulfilled: number;
  let asked: string[];
  const blind: PublishPorts = {
    ...ports,
    orderStatusPublisher: createOrderStatusPublisher(async (_shop, operation, variables, reads) => {
      asked.push(operation.trim().split(/[ (]+/)[2] ?? "");
      const line = {
        id: gid("LineItem", 1),
        refundableQuantity: 1,
        unfulfilledQuantity: unfulfilled,
      };
      return reads.parse("ids" in variables ? { nodes: [line] } : nothing);
    }),
  };
  const fulfil = (turn = LATE) =>
    publishOrderStatus(
      blind,
      { shop: former, orderId, requestId, milestone: "referral_issued", way: "fulfilment" },
      turn,
    );

  test("is not told to be fulfilled: it is tried again, and then needs somebody, until it is", async () => {
    unfulfilled = 1;
    asked = [];
    await expect(fulfil({ retries: 0 })).rejects.toMatchObject({ code: "store_refused" });
    expect(await itemUnder(former)).toMatchObject({ code: null });
    await expect(fulfil()).rejects.toMatchObject({ code: "store_refused" });
    expect(await itemUnder(former)).toMatchObject({ code: "not_fulfilled" });
    unfulfilled = 0;
    expect(await fulfil({ retries: 0 })).toBe("told");
    expect(await itemUnder(former)).toMatchObject({ code: null });
    // Nothing is written where nothing can be seen.
    expect(new Set(asked)).toEqual(new Set(["PathwayOpenLines", "PathwayLines"]));
  });
});

describe("an order about which Shopify refuses to be told", () => {
  test.each(WAYS)("has an item that says so of its %s, which ends once it works", async (way) => {
    refusals.set(former, "store_refused");
    await expect(tell(way, { retries: 9 })).rejects.toMatchObject({ code: "store_refused" });
    expect(await itemUnder(former)).toMatchObject({ code: null });
    await expect(tell(way)).rejects.toMatchObject({ code: "store_refused" });
    await expect(tell(way)).rejects.toMatchObject({ code: "store_refused" });
    expect(await itemUnder(former)).toMatchObject({ code: CODES[way] });
    refusals.clear();
    expect(await tell(way, { retries: 11 })).toBe("told");
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test("asks for nobody while Shopify is away, until nothing is tried any more", async () => {
    refusals.set(former, "store_unreachable");
    await expect(tell("tag", { retries: 300 })).rejects.toThrow();
    expect(await itemUnder(former)).toMatchObject({ code: null });
    await expect(
      publishOrderStatus(
        ports,
        { shop: former, orderId, requestId, milestone: "referral_issued", way: "tag" },
        { retries: 600, isLast: true },
      ),
    ).rejects.toThrow();
    expect(await itemUnder(former)).toMatchObject({ code: "not_tagged" });
  });

  test("has no item any more once the merchant has turned that off", async () => {
    refusals.set(former, "store_refused");
    await expect(tell("tag")).rejects.toThrow();
    await db.tenancy.inShop(former, ({ shops }) => shops.updateSettings({ tagOrders: false }));
    expect(await tell("tag", { retries: 11 })).toBe("not_wanted");
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test("has no item once no form of it is out any more, though Shopify shows no such order", async () => {
    refusals.set(former, "store_refused");
    await expect(tell("fulfilment")).rejects.toThrow();
    const done = { requestedBy: "staff", status: "done" } as const;
    await db.tenancy.inShop(former, (tenant) =>
      putRequest(tenant, requestId, { state: "cancelled", cancellation: done }),
    );
    expect(await tell("fulfilment")).toBe("told");
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test("is dealt with by a person, and stays so while it is tried", async () => {
    refusals.set(former, "store_refused");
    await expect(tell("tag")).rejects.toThrow();
    await db.tenancy.inShop(former, ({ orders }) => orders.markHandled(orderId, "not_tagged"));
    await expect(tell("tag", { retries: 11 })).rejects.toThrow();
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test("keeps its item when it is read, and a fulfilment is tried again by that", async () => {
    refusals.set(former, "store_refused");
    await expect(tell("fulfilment")).rejects.toThrow();
    await db.tenancy.inShop(former, (tenant) =>
      tenant.orders.setAttention(orderId, ["no_contact"]),
    );
    expect(await itemUnder(former)).toMatchObject({ code: "no_contact" });
    await db.pool.query("DELETE FROM outbox WHERE shop = $1", [former]);
    await (await orderInStore(db, former, orderId)).read(storeOrder());
    expect(await itemUnder(former)).toMatchObject({ code: "not_fulfilled" });
    const { rows } = await db.pool.query(
      "SELECT payload FROM outbox WHERE shop = $1 AND name = 'publish-order-status'",
      [former],
    );
    const told = { shop: former, orderId, requestId: null, milestone: "referral_issued" };
    expect(rows).toContainEqual({ payload: { ...told, way: "fulfilment" } });
  });

  test("is fulfilled by hand meanwhile, and asks for nobody any more", async () => {
    refusals.set(former, "store_refused");
    await expect(tell("fulfilment")).rejects.toThrow();
    refusals.clear();
    fulfilled = 1;
    expect(await tell("fulfilment", { retries: 0 })).toBe("told");
    expect(done).toEqual([]);
    expect(await itemUnder(former)).toMatchObject({ code: null });
  });

  test("does not have the store told that somebody is needed for it", async () => {
    const queued =
      "SELECT count(*)::int AS n FROM outbox WHERE shop = $1 AND payload->>'milestone' = 'attention_needed'";
    refusals.set(former, "store_refused");
    await expect(tell("tag")).rejects.toThrow();
    expect((await db.pool.query(queued, [former])).rows).toEqual([{ n: 0 }]);
  });
});
