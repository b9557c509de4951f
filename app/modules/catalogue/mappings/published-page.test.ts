import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import {
  environment,
  jobs,
  map,
  shopWith,
  variant,
} from "../../../../test/database/mapping-desk.ts";
import { gid } from "../../kernel/ids.ts";
import { publishAll, publishProduct } from "../publish-details.ts";
import { freshenStore } from "../read-store.ts";

const db = await openTestDatabase();

test("a page is written when the mapping changes, not again, and emptied when it is taken back", async () => {
  const { shop, store, ports } = await shopWith(db, [variant(1)]);
  await freshenStore(ports, shop);
  const productId = gid("Product", 1);
  expect(await publishProduct(ports, { shop, productId })).toBe("same");
  await map(ports, shop, 1, { tests: ["tsh"] });
  expect(await jobs(db, shop, "publish-product")).toBe(1);
  store.refuses = true;
  expect(await publishProduct(ports, { shop, productId })).toBe("refused");
  store.refuses = false;
  await publishAll(ports, shop);
  expect(await jobs(db, shop, "publish-product")).toBe(2);
  expect(await publishProduct(ports, { shop, productId })).toBe("published");
  expect(await publishProduct(ports, { shop, productId })).toBe("same");
  // The app was off meanwhile: Shopify may have taken the text away.
  await ports.tenancy.inShop(shop, (tenant) => tenant.publishedDetails.doubtAll());
  expect(await publishProduct(ports, { shop, productId })).toBe("published");
  expect(await publishProduct(ports, { shop, productId })).toBe("same");
  await ports.tenancy.inShop(shop, (tenant) => tenant.publishedDetails.doubtAll());
  await ports.tenancy.inShop(shop, (tenant) =>
    tenant.mappings.remove({ environment, productId, variantId: gid("ProductVariant", 1) }),
  );
  expect(await publishProduct(ports, { shop, productId })).toBe("published");
  const text = {
    ...{ name: "Health check", testCount: 2 },
    ...{ tests: ["Full blood count", "TSH"], turnaroundDays: 4 },
  };
  expect(store.written.map(([, details]) => details && JSON.parse(details))).toEqual([
    ...[text, text],
    null,
  ]);
});
