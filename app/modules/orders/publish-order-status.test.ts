/** Long because it plays each way in which the store is told, and each in which a fulfilment meets another. */
import { beforeEach, expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  bought,
  installedShop,
  newRequest,
  readyRequest,
  storeOrder,
} from "../../../test/database/seed.ts";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { StoreError } from "../../clients/shopify/store-error.ts";
import { createStoreFactsReader } from "../../clients/shopify/store-facts.ts";
import { milestone } from "../../jobs/payloads.ts";
import { shortKey } from "../../queue/short-key.ts";
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

/** A store that remembers what it was told. Its one line has units to fulfil at each of some places. */
function smallStore(unitsAt = [1]) {
  const tags = new Set<string>();
  const flows: string[] = [];
  const remaining = [...unitsAt];
  let fulfilled = 0;
  const take = (units: Parameters<OrderStatusPublisher["fulfil"]>[1]) => {
    for (const { line, quantity } of units) {
      const place = Number(line.fulfillmentOrderId);
      remaining[place] = (remaining[place] ?? 0) - quantity;
      fulfilled += quantity;
    }
  };
  const orderStatusPublisher: OrderStatusPublisher = {
    addTag: async (_shop, _orderId, tag) => void tags.add(tag),
    openLines: async () =>
      remaining.map(
        (left, place): OpenLine => ({
          fulfillmentOrderId: String(place),
          fulfillmentOrderLineId: `line at ${place}`,
          lineItemId: gid("LineItem", 1),
          remaining: left,
          fulfilled,
        }),
      ),
    async fulfil(_shop, units) {
      take(units);
      return "done";
    },
    startFlow: async (_shop, { milestone }) => void flows.push(milestone),
    startOutageFlow: async () => void flows.push("outage"),
  };
  const left = () => remaining.reduce((sum, units) => sum + units, 0);
  return { orderStatusPublisher, tags, flows, take, left };
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

const issue = (status: "CREATED" | "ISSUED", named: { lastName?: string } = {}) =>
  db.tenancy.inShop(shop, async (tenant) => {
    await putRequest(tenant, requestId, { state: "created" });
    const request = { id: requestId, environment: "staging", orderId } as const;
    const snapshot = referralSnapshot({ status });
    const person = { ...snapshot.person, ...named };
    await saveReferral(tenant, request, { ...snapshot, person }, START);
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

const clock = movableClock();

const portsNow = () => {
  const { orderStatusPublisher } = store;
  const storeAccess = { check: async () => "open" as const, hasCustomer: async () => false };
  return { tenancy: db.tenancy, orderStatusPublisher, storeFacts, storeAccess, clock };
};

/** Does the job of a milestone, and those that it asks for. Answers what became of the first, and what was refused. */
async function tell() {
  const ports = portsNow();
  await queued();
  const first = { shop, orderId, requestId, milestone: "referral_issued" } as const;
  const outcome = await publishOrderStatus(ports, first);
  const refused: unknown[] = [];
  for (const { payload } of await queued())
    await publishOrderStatus(ports, milestone.parse(payload)).catch((error) => refused.push(error));
  return { outcome, refused };
}

beforeEach(() => setUp({ tagOrders: true, markFulfilled: true, startFlows: true }));

test("writes nothing into another store that has the name, and goes on once that is over", async () => {
  const identify = (store: number) =>
    db.tenancy.inShop(shop, ({ shops }) => shops.identify(`gid://shopify/Shop/${shop} ${store}`));
  await identify(1);
  await issue("ISSUED");
  await identify(2);
  await queued();
  const told = { shop, orderId, requestId, milestone: "referral_issued" } as const;
  for (const way of [undefined, "tag", "fulfilment", "flow"] as const)
    expect(await publishOrderStatus(portsNow(), { ...told, way })).toBe("later");
  expect([store.tags.size, store.flows.length, store.left()]).toEqual([0, 0, 1]);
  const kept = (await queued()).map(({ payload }) => milestone.parse(payload));
  expect(kept.map(({ way }) => way ?? null)).toEqual([null, "tag", "fulfilment", "flow"]);
  await identify(1);
  for (const job of kept) await publishOrderStatus(portsNow(), job);
  expect([store.tags.size, store.flows.length, store.left()]).toEqual([1, 1, 0]);
});

test("a milestone is queued by whoever reaches it, with ids only, and its job can be read", async () => {
  await issue("ISSUED");
  const [job, ...others] = await queued();
  expect(others).toEqual([]);
  expect(job?.payload).toEqual({ shop, orderId, requestId, milestone: "referral_issued" });
  expect(job?.key).toBe(shortKey(`${shop} ${orderId} ${requestId} referral_issued`));
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

test("a workflow of which nobody knows whether it started is told on its order's page, once", async () => {
  const lost = new StoreError("store_unclear");
  store.orderStatusPublisher.startFlow = () => Promise.reject(lost);
  const told = { shop, orderId, requestId, milestone: "results_ready", way: "flow" } as const;
  await expect(publishOrderStatus(portsNow(), told)).rejects.toBe(lost);
  const entries = await db.tenancy.inShop(shop, (tenant) => tenant.timeline.forOrder(orderId));
  expect(entries.filter(({ kind }) => kind === "workflow_unclear")).toMatchObject([
    { requestId, actor: "pathway", detail: { milestone: "results_ready" } },
  ]);
});

test("a workflow that Shopify refuses for now stands in no timeline: it is tried again", async () => {
  const away = new StoreError("store_unreachable");
  store.orderStatusPublisher.startFlow = () => Promise.reject(away);
  const told = { shop, orderId, requestId, milestone: "results_ready", way: "flow" } as const;
  await expect(publishOrderStatus(portsNow(), told)).rejects.toBe(away);
  const entries = await db.tenancy.inShop(shop, (tenant) => tenant.timeline.forOrder(orderId));
  expect(entries.map(({ kind }) => kind)).not.toContain("workflow_unclear");
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

test("a line is not fulfilled while the form of one of its units names another person", async () => {
  await issue("ISSUED", { lastName: "Else" });
  expect(await queued()).toEqual([]);
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

/** An order of a line of four units: two have their forms, and staff have cancelled two that nobody refunded. */
async function fourUnits(unitsAt = [4]) {
  await setUp({ markFulfilled: true });
  store = smallStore(unitsAt);
  const units = [2, 3, 4].map((unit) => newRequest(shop, storeOrder(), { unit }));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(bought(4), new Map(), START);
    await tenant.requests.add(units, START);
    const done = { requestedBy: "staff", status: "done" } as const;
    const [second, ...cancelled] = units;
    for (const { id } of cancelled)
      await putRequest(tenant, id, { state: "cancelled", cancellation: done });
    for (const id of [requestId, second?.id ?? ""]) {
      await putRequest(tenant, id, { state: "created" });
      await saveReferral(
        tenant,
        { id, environment: "staging", orderId },
        referralSnapshot({ status: "ISSUED" }),
        START,
      );
    }
  });
}

const fulfilment = () =>
  ({ shop, orderId, requestId, milestone: "referral_issued", way: "fulfilment" }) as const;

test("units that staff cancelled stay open, however often the forms of the others are told", async () => {
  await fourUnits();
  await tell();
  await tell();
  await tell();
  expect(store.left()).toBe(2);
});

test("units in several places are fulfilled as often as there are forms", async () => {
  await fourUnits([1, 2, 1]);
  await tell();
  await tell();
  expect(store.left()).toBe(2);
});

test("forms that are told at the same moment are fulfilled once", async () => {
  await fourUnits();
  const { openLines } = store.orderStatusPublisher;
  // The second begins and ends between the first one's reading and its writing.
  const outcomes: string[] = [];
  store.orderStatusPublisher.openLines = async (...asked) => {
    store.orderStatusPublisher.openLines = openLines;
    const lines = await openLines(...asked);
    outcomes.push(await publishOrderStatus(portsNow(), fulfilment()));
    return lines;
  };
  outcomes.push(await publishOrderStatus(portsNow(), fulfilment()));
  expect(outcomes).toEqual(["later", "told"]);
  expect(store.left()).toBe(2);
});

test("a fulfilment that arrives late, long after its answer was lost, is not made again", async () => {
  await fourUnits();
  const { fulfil } = store.orderStatusPublisher;
  const late: Parameters<typeof fulfil>[1][] = [];
  store.orderStatusPublisher.fulfil = async (_shop, units) => {
    late.push(units);
    return "unclear";
  };
  await queued();
  expect(await publishOrderStatus(portsNow(), fulfilment())).toBe("later");
  // Another form, or the same job in another process, comes meanwhile.
  expect(await publishOrderStatus(portsNow(), fulfilment())).toBe("later");
  expect(late).toHaveLength(1);
  for (const units of late) store.take(units);
  store.orderStatusPublisher.fulfil = fulfil;
  const { rows } = await db.pool.query<{ waits: number }>(
    // Those of one key collapse in the queue.
    `SELECT DISTINCT singleton_key, extract(epoch FROM start_after - $2)::int AS waits FROM outbox
     WHERE shop = $1 AND name = 'publish-order-status'`,
    [shop, clock.now()],
  );
  expect(rows).toEqual([expect.objectContaining({ waits: 300 })]);
  clock.advance(300_000);
  expect(await publishOrderStatus(portsNow(), fulfilment())).toBe("told");
  expect(store.left()).toBe(2);
});

test("a fulfilment that Shopify refuses is tried again at once", async () => {
  await fourUnits();
  const { fulfil } = store.orderStatusPublisher;
  const refusal = new Error("store_refused");
  store.orderStatusPublisher.fulfil = async () => {
    throw refusal;
  };
  await expect(publishOrderStatus(portsNow(), fulfilment())).rejects.toBe(refusal);
  store.orderStatusPublisher.fulfil = fulfil;
  expect(await publishOrderStatus(portsNow(), fulfilment())).toBe("told");
  expect(store.left()).toBe(2);
});

test("a unit that the store refunded counts for no other's fulfilment", async () => {
  await fourUnits([3]);
  // The store refunded one of two that have forms; its results are there, so its referral is kept.
  const taken = { requestedBy: "store", status: "requested" } as const;
  await db.tenancy.inShop(shop, (tenant) => putRequest(tenant, requestId, { cancellation: taken }));
  await tell();
  expect(store.left()).toBe(2);
});
