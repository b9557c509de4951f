import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { gid } from "../../kernel/ids.ts";

const db = await openTestDatabase();
const [PRODUCT, VARIANT] = [gid("Product", 1), gid("ProductVariant", 1)];
const PLACE = { environment: "staging", catalogue: null, search: "", state: null } as const;

test("a product that was sold and deleted before it was mapped can be mapped until nobody is owed it", async () => {
  const shop = await installedShop(db);
  const find = () => db.tenancy.inShop(shop, (tenant) => tenant.storeVariants.find(PLACE, VARIANT));
  await db.tenancy.inShop(shop, async (tenant) => {
    const variant = {
      id: VARIANT,
      productId: PRODUCT,
      productTitle: "Iron studies",
      variantTitle: null,
      sku: null,
      priceCents: 1,
      productStatus: "ACTIVE",
    };
    await tenant.storeVariants.put([variant], new Date(1_000));
    await tenant.storeVariants.dropOthers(PRODUCT, [], new Date(2_000));
  });
  expect(await find()).toBeNull();
  const order = storeOrder({ lines: [orderLine()] });
  const record = (left: number, at: Date) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.orders.record(
        { ...order, lines: [orderLine({ currentQuantity: left })] },
        new Map([[orderLine().id, "unmapped"]]),
        at,
      ),
    );
  await record(1, START);
  expect(await find()).toMatchObject({ id: VARIANT, state: "unmapped", isDeleted: true });
  await record(0, new Date(START.getTime() + 1));
  expect(await find()).toBeNull();
});
