import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import { createStoreFactsReader } from "../../clients/shopify/store-facts.ts";
import { createLogger } from "../../platform/logger.ts";
import { readStoreFacts } from "./read-store-facts.ts";

const db = await openTestDatabase();
const logger = createLogger("silent");

test("takes no fact of another store that has the name for the shop's own", async () => {
  const shop = await installedShop(db);
  const [ours, other] = [
    `gid://shopify/Shop/${randomUUID()}`,
    `gid://shopify/Shop/${randomUUID()}`,
  ];
  /** Reads the facts of a store that answers so. */
  async function read(id: string, ianaTimezone: string, customerAccountsVersion: string) {
    const answer = {
      currentAppInstallation: { accessScopes: [{ handle: "read_orders" }] },
      shop: {
        ...{ id, ianaTimezone, currencyCode: "AUD" },
        customerAccountsV2: { customerAccountsVersion },
      },
    };
    const storeFacts = createStoreFactsReader(async (_shop, _query, _given, schema) =>
      schema.parse(answer),
    );
    expect(await readStoreFacts({ tenancy: db.tenancy, logger, storeFacts }, { shop })).toBe(
      "stored",
    );
    return db.tenancy.inShop(shop, (tenant) => tenant.shops.find());
  }
  const before = await read(ours, "Australia/Perth", "NEW_CUSTOMER_ACCOUNTS");
  expect(before).toMatchObject({ timeZone: "Australia/Perth", customerAccounts: "new" });
  expect(await read(other, "Europe/Paris", "CLASSIC")).toEqual({ ...before, otherStoreId: other });
  // Its own are taken again once it has its name back.
  const after = await read(ours, "Australia/Sydney", "NEW_CUSTOMER_ACCOUNTS");
  expect(after).toEqual({ ...before, timeZone: "Australia/Sydney" });
});
