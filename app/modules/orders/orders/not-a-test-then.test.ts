import { beforeEach, describe, expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { installedShop, ONE_TEST, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { removeMapping, saveMapping } from "../../catalogue/save-mapping.ts";
import { undoMapping } from "../../catalogue/undo-mapping.ts";
import { gid, type ProductId, type ShopDomain, type VariantId } from "../../kernel/ids.ts";
import { markHandled } from "../../reports/mark-handled.ts";
import { dryRunOrder } from "../dry-run-order.ts";
import { importOrder } from "../import-order.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const environment = "staging" as const;
const DAY_MS = 86_400_000;
const VARIANT = gid("ProductVariant", 1);
const PRODUCT = gid("Product", 1);
let shop: ShopDomain;
let one: Awaited<ReturnType<typeof orderInStore>>;

beforeEach(async () => {
  shop = await installedShop(db);
  one = await orderInStore(db, shop);
  const fbc = { id: "fbc", name: "fbc", shortName: "fbc", priceCents: 1, turnaround: null };
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.catalogues.save({ environment, tests: [fbc], bundles: [], fetchedAt: START }),
  );
});

interface Place {
  productId?: ProductId;
  variantId?: VariantId | null;
}

/** Says what a product means, as its page does; answers the change. */
async function map(
  kind: "order" | "ignored",
  { productId = PRODUCT, variantId = VARIANT }: Place = {},
): Promise<string> {
  const place = { environment, productId, variantId };
  const mapping = kind === "order" ? { ...place, kind, items: ONE_TEST } : { ...place, kind };
  const saved = await saveMapping(one.ports, { shop, mapping, actor: "staff:1" });
  if (saved.kind !== "saved") throw new Error(saved.kind);
  return saved.changeId;
}

/** Does what was asked for about orders, as a worker would; `opened` in all. */
async function work(order: ReturnType<typeof storeOrder>): Promise<number> {
  one.store.orders = [order];
  let opened = 0;
  for (const { name: _, ...job } of (await takeJobs(db, shop, "reconcile-order")).map((job) => ({
    name: null,
    ...job,
  }))) {
    one.clock.advance(1000);
    const outcome = await reconcileOrder(one.ports, job);
    if (outcome.kind === "reconciled") opened += outcome.opened;
  }
  return opened;
}

const later = (days: number) => one.clock.advance(days * DAY_MS);
const sold = (quantity = 1, left = quantity) =>
  storeOrder({ lines: [orderLine({ quantity, currentQuantity: left })] });

/** Sold while it was no test, for months. */
async function soldAsNone(order = sold()) {
  await map("ignored");
  later(90);
  await one.read(order);
  expect(await one.reviewCode()).toBeNull();
  later(90);
}

describe("a product that was no test, and is one now", () => {
  test("leaves what was sold before to a person", async () => {
    await soldAsNone();
    await map("order");
    expect(await work(sold())).toBe(0);
    // Its buyer is refunded, the order is packed, or gets a tag.
    expect(await one.read(sold())).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
    expect(await one.read(sold())).toMatchObject({ opened: 0 });
    expect(await one.requests()).toEqual([]);
    expect(await takeJobs(db, shop, "send-mail")).toEqual([]);
  });

  test("has an order ordered that a person imports, once", async () => {
    await soldAsNone(sold(2));
    await map("order");
    await one.read(sold(2));
    await importOrder(one.ports, { shop, numberOrId: "#1001" });
    expect(await work(sold(2))).toBe(2);
    expect(await one.reviewCode()).toBeNull();
    expect(await one.read(sold(2))).toMatchObject({ opened: 0, cancelled: 0 });
    expect(await one.read(sold(3))).toMatchObject({ opened: 1 });
    expect(await one.reviewCode()).toBeNull();
  });

  test("stays dealt with, and is asked about no more, once a person says so", async () => {
    await soldAsNone();
    await map("order");
    await one.read(sold());
    await markHandled(one.ports, {
      ...{ shop, orderId: sold().id, actor: "staff:1", reason: "not_a_test_then" },
    });
    await one.read(sold());
    const { rows } = await db.pool.query("SELECT reason_code FROM orders WHERE shop = $1", [shop]);
    expect(rows).toEqual([{ reason_code: null }]);
  });

  test("orders a line that is added to an old order afterwards, and nothing else of it", async () => {
    await soldAsNone();
    await map("order");
    const grown = storeOrder({
      lines: [orderLine(), orderLine({ number: 2, variantId: VARIANT })],
    });
    expect(await one.read(grown)).toMatchObject({ opened: 1 });
    expect((await one.requests()).map(({ lineItemId }) => lineItemId)).toEqual([
      gid("LineItem", 2),
    ]);
    expect(await one.reviewCode()).toBe("not_a_test_then");
    expect(await one.read(grown)).toMatchObject({ opened: 0, cancelled: 0 });
  });

  test("orders the units that an edit adds to a line, and those that a refund leaves are kept", async () => {
    await soldAsNone(sold(2));
    await map("order");
    expect(await one.read(sold(3))).toMatchObject({ opened: 1 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
    expect(await one.read(sold(3))).toMatchObject({ opened: 0, cancelled: 0 });
    // Units of which nothing was ordered go first.
    expect(await one.read(sold(3, 1))).toMatchObject({ opened: 0, cancelled: 0 });
    expect(await one.reviewCode()).toBeNull();
    expect(await one.read(sold(5, 3))).toMatchObject({ opened: 2 });
    expect(await one.read(sold(5, 0))).toMatchObject({ opened: 0, cancelled: 3 });
  });

  test("owes nothing for what was refunded, cancelled or given back meanwhile", async () => {
    await soldAsNone();
    await map("order");
    for (const gone of [
      { ...sold(), isMoneyBack: true },
      { ...sold(), cancelledAt: START },
      sold(1, 0),
    ]) {
      await one.read(gone);
      expect(await one.reviewCode()).toBeNull();
    }
  });

  test("counts the units that were ordered before it was called no test", async () => {
    await map("order");
    expect(await one.read(sold())).toMatchObject({ opened: 1 });
    later(1);
    await map("ignored");
    await one.read(sold(2));
    later(90);
    await map("order");
    expect(await one.read(sold(2))).toMatchObject({ opened: 0, cancelled: 0 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
    expect(await one.read(sold(3))).toMatchObject({ opened: 1 });
  });

  test("is so as well when its mapping was taken away in between", async () => {
    await soldAsNone();
    await removeMapping(one.ports, {
      ...{ shop, actor: "staff:1", environment, productId: PRODUCT, variantId: VARIANT },
    });
    expect(await one.read(sold())).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBeNull();
    later(1);
    await map("order");
    expect(await work(sold())).toBe(0);
    expect(await one.read(sold())).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
  });

  test("is so when the whole product is mapped, and its variant was never", async () => {
    await map("ignored", { variantId: null });
    later(90);
    await one.read(sold());
    later(90);
    await map("order", { variantId: null });
    expect(await one.read(sold())).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
  });

  test("is so for a part of a bundle, whatever the bundle itself is mapped to since", async () => {
    const bundle = { variantId: gid("ProductVariant", 9), productId: gid("Product", 9) };
    const order = storeOrder({ lines: [{ ...orderLine(), bundle }] });
    await map("ignored", bundle);
    await soldAsNone(order);
    await map("order", bundle);
    expect(await one.read(order)).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBeNull();
    await map("order");
    expect(await work(order)).toBe(0);
    expect(await one.read(order)).toMatchObject({ opened: 0 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
  });

  test("is so of a line that an earlier version read", async () => {
    await soldAsNone(sold(2));
    await db.pool.query(
      "UPDATE order_lines SET ignored_units = NULL, ignored_at = NULL WHERE shop = $1",
      [shop],
    );
    await map("order");
    expect(await one.read(sold(3))).toMatchObject({ opened: 1 });
    expect(await one.reviewCode()).toBe("not_a_test_then");
  });

  test("shows in a dry run what would be ordered, and why the rest would not", async () => {
    await soldAsNone(sold(2));
    await map("order");
    const storeOrders = { findByName: async () => sold().id, read: async () => sold(3) };
    const orderRisk = { assess: async () => "clear" as const };
    const ports = { tenancy: db.tenancy, storeOrders, orderRisk, emailByService: false };
    const planned = await dryRunOrder(ports, { shop, name: "#1001" });
    expect(planned).toMatchObject({ obstacles: expect.arrayContaining(["not_a_test_then"]) });
    expect(planned).toMatchObject({ lines: [{ mapping: "mapped", units: [{ unit: 1 }] }] });
  });
});

describe("a mistake", () => {
  test("that is undone has ordered what was sold meanwhile, and nothing that was sold before", async () => {
    await soldAsNone();
    await map("order");
    later(30);
    const mistake = await map("ignored");
    later(5);
    const grown = storeOrder({
      lines: [orderLine(), orderLine({ number: 2, variantId: VARIANT })],
    });
    expect(await one.read(grown)).toMatchObject({ opened: 0 });
    await undoMapping(one.ports, { shop, actor: "staff:1", changeId: mistake });
    expect(await work(grown)).toBe(1);
    expect((await one.requests()).map(({ lineItemId }) => lineItemId)).toEqual([
      gid("LineItem", 2),
    ]);
    expect(await one.reviewCode()).toBe("not_a_test_then");
  });

  test("that is mended by another mapping within a day has ordered what was sold meanwhile", async () => {
    await map("order");
    later(30);
    await map("ignored");
    await one.read(sold(2));
    await map("order");
    expect(await work(sold(2))).toBe(2);
    expect(await one.reviewCode()).toBeNull();
  });

  test("about the whole product is mended by a variant's own mapping", async () => {
    await map("ignored", { variantId: null });
    await one.read(sold());
    await map("order");
    expect(await work(sold())).toBe(1);
  });

  test("that is taken away within a day has a person asked what was sold meanwhile", async () => {
    await map("ignored");
    await one.read(sold());
    await removeMapping(one.ports, {
      ...{ shop, actor: "staff:1", environment, productId: PRODUCT, variantId: VARIANT },
    });
    expect(await work(sold())).toBe(0);
    expect(await one.reviewCode()).toBe("unmapped_line");
    await map("order");
    expect(await work(sold())).toBe(1);
  });

  test("about a bundle has its parts looked at again", async () => {
    const bundle = { variantId: gid("ProductVariant", 9), productId: gid("Product", 9) };
    const order = storeOrder({ lines: [{ ...orderLine(), bundle }] });
    await map("ignored");
    await map("order", bundle);
    later(30);
    const mistake = await map("ignored", bundle);
    await one.read(order);
    expect(await one.reviewCode()).toBeNull();
    await undoMapping(one.ports, { shop, actor: "staff:1", changeId: mistake });
    expect(await work(order)).toBe(0);
    expect(await one.reviewCode()).toBe("parts_of_bundle");
    await map("order");
    expect(await work(order)).toBe(1);
  });
});
