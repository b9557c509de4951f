/** An order that was read while the database's clock was days ahead, and what is asked for once it is right (docs/decisions/0194). */
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { installedShop, ONE_TEST, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { reconcileWaiting } from "../../catalogue/reconcile-waiting.ts";
import { saveMapping } from "../../catalogue/save-mapping.ts";
import { gid, type ShopDomain } from "../../kernel/ids.ts";
import { importOrder } from "../import-order.ts";
import { reconcileOrder } from "../reconcile-order.ts";
import { resyncOrder } from "../resync-order.ts";

const db = await openTestDatabase();
const ORDER = gid("Order", 1001);
const SOLD = storeOrder({ lines: [orderLine()] });
const environment = "staging" as const;
let shop: ShopDomain;
let one: Awaited<ReturnType<typeof orderInStore>>;

beforeEach(async () => {
  shop = await installedShop(db);
  one = await orderInStore(db, shop);
  const fbc = { id: "fbc", name: "fbc", shortName: "fbc", priceCents: 1, turnaround: null };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.catalogues.save({ environment, tests: [fbc], bundles: [], fetchedAt: one.clock.now() }),
  );
});

async function map(kind: "order" | "ignored") {
  const place = { environment, productId: gid("Product", 1), variantId: gid("ProductVariant", 1) };
  const mapping = kind === "order" ? { ...place, kind, items: ONE_TEST } : { ...place, kind };
  const saved = await saveMapping(one.ports, { shop, mapping, actor: "staff:1" });
  expect(saved).toMatchObject({ kind: "saved" });
}

/** The order was read by a clock that was so far ahead, which is right by now. */
const wasReadAhead = (by: string) =>
  db.pool.query("UPDATE orders SET read_at = now() + $2::interval WHERE shop = $1", [shop, by]);

/** Does what was queued about orders, as a worker would; what each reading came to. */
async function work() {
  for (const walk of await takeJobs(db, shop, "reconcile-waiting"))
    await reconcileWaiting(one.ports, walk);
  const outcomes: string[] = [];
  for (const job of await takeJobs(db, shop, "reconcile-order")) {
    one.clock.advance(1000);
    outcomes.push((await reconcileOrder(one.ports, job)).kind);
  }
  return outcomes;
}

const opened = async () => (await one.requests()).length;

test("a mapping has an order ordered that was read while the clock was days ahead", async () => {
  await one.read(SOLD);
  await wasReadAhead("3 days");
  await map("order");
  expect(await work()).toEqual(["reconciled"]);
  expect(await opened()).toBe(1);
  // It has its place in time again: an earlier reading still changes nothing.
  await wasReadAhead("30 seconds");
  expect(await one.read(SOLD)).toEqual({ kind: "superseded" });
});

test.each<[string, () => Promise<unknown>, number]>([
  ["importing it by its number", () => importOrder(one.ports, { shop, numberOrId: "#1001" }), 1],
  ["looking it up again", () => resyncOrder(one.ports, { shop, orderId: ORDER }), 0],
])("%s reads it as well", async (_, ask, units) => {
  await map("ignored");
  await one.read(SOLD);
  await db.pool.query("UPDATE mappings SET kind = 'order', tests = '{fbc}' WHERE shop = $1", [
    shop,
  ]);
  await wasReadAhead("3 days");
  await ask();
  expect(await work()).toEqual(["reconciled"]);
  expect(await opened()).toBe(units);
});

test("the end of a mistake by which it was no test has it ordered", async () => {
  await map("order");
  one.clock.advance(60_000);
  await map("ignored");
  await one.read(SOLD);
  expect(await opened()).toBe(0);
  await wasReadAhead("3 days");
  await map("order");
  expect(await work()).toEqual(["reconciled"]);
  expect(await opened()).toBe(1);
});

test("that the store shows it no more is told to a person", async () => {
  await map("order");
  await one.read(SOLD);
  await wasReadAhead("30 seconds");
  await one.read(null);
  expect(await one.reviewCode()).toBeNull();
  await wasReadAhead("3 days");
  await one.read(null);
  expect(await one.reviewCode()).toBe("order_not_visible");
});
