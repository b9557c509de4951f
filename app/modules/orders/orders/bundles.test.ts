import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import {
  installedShop,
  mapVariant,
  ONE_TEST,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { saveMapping } from "../../catalogue/save-mapping.ts";
import { gid } from "../../kernel/ids.ts";

const db = await openTestDatabase();
const BUNDLE = { variantId: gid("ProductVariant", 9), productId: gid("Product", 9) };

test("asks a person about a bundle whose own mapping is a test, and orders a part once it is mapped", async () => {
  const shop = await installedShop(db);
  const part = gid("ProductVariant", 2);
  await mapVariant(db, shop, BUNDLE.variantId);
  const save = { environment: "staging", productId: gid("Product", 2), variantId: part } as const;
  await db.tenancy.inShop(shop, (tenant) => tenant.mappings.save({ ...save, kind: "ignored" }));
  const one = await orderInStore(db, shop);
  const line = { ...orderLine({ number: 2, variantId: part, quantity: 2 }), bundle: BUNDLE };
  const order = storeOrder({ lines: [line] });
  expect(await one.read(order)).toMatchObject({ opened: 0 });
  expect(await one.reviewCode()).toBe("parts_of_bundle");
  const [item] = await db.tenancy.inShop(shop, (tenant) => tenant.overview.attentionOf([order.id]));
  expect(item).toMatchObject({ reason: { code: "parts_of_bundle" }, variantId: part });
  await mapVariant(db, shop, part);
  expect(await one.read(order)).toMatchObject({ opened: 2 });
  expect(await one.reviewCode()).toBeNull();
});

test.each([
  ["the variant of the bundle", BUNDLE.variantId],
  ["the bundle as a whole", null],
])("reads the orders that wait again when %s is no test after all", async (_, variantId) => {
  const shop = await installedShop(db);
  const place = { environment: "staging", productId: BUNDLE.productId, variantId } as const;
  const save = { environment: "staging", productId: gid("Product", 2) } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.mappings.save({ ...place, kind: "order", items: ONE_TEST });
    await tenant.mappings.save({ ...save, variantId: null, kind: "ignored" });
  });
  const one = await orderInStore(db, shop);
  const line = { ...orderLine({ number: 2 }), bundle: BUNDLE };
  const order = storeOrder({ lines: [line] });
  await one.read(order);
  expect(await one.reviewCode()).toBe("parts_of_bundle");
  const mapping = { ...place, kind: "ignored" } as const;
  const saved = await saveMapping(one.ports, { shop, mapping, actor: "staff:1" });
  expect(saved).toMatchObject({ kind: "saved", ordersWaiting: 1 });
  expect(await takeJobs(db, shop, "reconcile-order")).toMatchObject([{ orderId: order.id }]);
  await one.read(order);
  expect(await one.reviewCode()).toBeNull();
});
