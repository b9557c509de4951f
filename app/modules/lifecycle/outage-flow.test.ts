import { beforeEach, expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { connect, installedShop } from "../../../test/database/seed.ts";
import { takeJobs } from "../../../test/database/take-jobs.ts";
import { createOrderStatusPublisher } from "../../clients/shopify/order-status-publisher.ts";
import { StoreError } from "../../clients/shopify/store-error.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { readHome } from "../reports/read-home.ts";
import type { StoreAccess } from "../shops/store-access.ts";
import { startOutageFlow } from "./start-outage-flow.ts";

const db = await openTestDatabase();
const clock = movableClock();
const storeAccess: StoreAccess = { check: async () => "open", hasCustomer: async () => false };
const told = { environment: "staging", since: START.toISOString(), isOver: false } as const;

let shop: ShopDomain;
/** The workflows that the store was asked to start, by the name whose session asked. */
let started: { name: ShopDomain; state: unknown }[];
/** Answers to each name's session that are not a yes: words of a refusal, or a failed call. */
let answers: Map<ShopDomain, string | StoreError>;

const orderStatusPublisher = createOrderStatusPublisher(
  async (name, _operation, variables, reads) => {
    const answer = answers.get(name);
    if (answer instanceof StoreError) throw answer;
    const userErrors = answer ? [{ message: answer }] : [];
    if (!answer) started.push({ name, state: (variables.payload as { State: unknown }).State });
    return reads.parse({ flowTriggerReceive: { userErrors } });
  },
);
const ports = { tenancy: db.tenancy, orderStatusPublisher, storeAccess, clock };
const start = (turn = { retries: 0 }) => startOutageFlow(ports, { shop, ...told }, turn);
const unheard = async () =>
  (await readHome(ports, shop)).unheard.filter((one) => one === "outage_flow");
const settings = (change: { startFlows: boolean }) =>
  db.tenancy.inShop(shop, ({ shops }) => shops.updateSettings(change));
const identify = (name: ShopDomain, id: string) =>
  db.tenancy.inShop(name, ({ shops }) => shops.identify(`gid://shopify/Shop/${id} ${shop}`));

beforeEach(async () => {
  started = [];
  answers = new Map();
  shop = await installedShop(db, { startFlows: true });
  await connect(db, shop);
});

test("starts no workflow in another store that has the name, and the same once it has left", async () => {
  await identify(shop, "own");
  await identify(shop, "other");
  expect(await start()).toBe("later");
  expect(started).toEqual([]);
  const { rows } = await db.pool.query<{ start_after: Date }>(
    "SELECT start_after FROM outbox WHERE shop = $1 AND name = 'start-outage-flow'",
    [shop],
  );
  expect(rows).toEqual([{ start_after: new Date(clock.now().getTime() + 3_600_000) }]);
  await identify(shop, "own");
  const [job] = await takeJobs(db, shop, "start-outage-flow");
  expect(await startOutageFlow(ports, job ?? expect.unreachable())).toBe("told");
  expect(started).toEqual([{ name: shop, state: "began" }]);
});

test("starts the workflows of a store that has another name by now", async () => {
  const present = await installedShop(db);
  await db.tenancy.inShop(present, ({ shops }) => shops.install("", new Date(Date.now() + 60_000)));
  for (const name of [shop, present]) await identify(name, "own");
  answers.set(shop, new StoreError("store_not_found"));
  expect(await start()).toBe("told");
  expect(started).toEqual([{ name: present, state: "began" }]);
});

test("says on the home page that Shopify refuses, until a workflow starts or nobody wants any", async () => {
  answers.set(shop, "The trigger is unknown");
  await expect(start({ retries: 9 })).rejects.toMatchObject({ code: "store_refused" });
  expect(await unheard()).toEqual([]);
  await expect(start({ retries: 10 })).rejects.toMatchObject({ code: "store_refused" });
  expect(await unheard()).toEqual(["outage_flow"]);
  await settings({ startFlows: false });
  expect(await unheard()).toEqual([]);
  await settings({ startFlows: true });
  expect(await unheard()).toEqual(["outage_flow"]);
  answers.clear();
  expect(await start({ retries: 11 })).toBe("told");
  expect(await unheard()).toEqual([]);
});

test("says so of a call that nobody answered for, which is not made again, and no longer than a week", async () => {
  answers.set(shop, new StoreError("store_unclear"));
  await expect(start()).rejects.toMatchObject({ code: "store_unclear" });
  expect(await unheard()).toEqual(["outage_flow"]);
  clock.advance(7 * 86_400_000);
  expect(await unheard()).toEqual([]);
});

test("asks for nobody while Shopify is away, until nothing is tried any more", async () => {
  answers.set(shop, new StoreError("store_unreachable"));
  await expect(start({ retries: 300 })).rejects.toThrow();
  expect(await unheard()).toEqual([]);
  const last = { retries: 600, isLast: true };
  await expect(startOutageFlow(ports, { shop, ...told }, last)).rejects.toThrow();
  expect(await unheard()).toEqual(["outage_flow"]);
});
