import { expect, test } from "vitest";
import type { AdminGraphql } from "./admin-graphql.ts";
import { createStoreFactsReader } from "./store-facts.ts";

/** A store that answers with this time zone. */
const storeIn =
  (ianaTimezone: unknown): AdminGraphql =>
  async (_shop, _operation, _variables, reads) =>
    reads.parse({
      currentAppInstallation: { accessScopes: [] },
      shop: {
        ianaTimezone,
        currencyCode: "AUD",
        customerAccountsV2: { customerAccountsVersion: "CLASSIC" },
      },
    });

test("the store's time zone is read; one that is none is as good as untold", async () => {
  const read = async (zone: unknown) =>
    (await createStoreFactsReader(storeIn(zone)).read("a.myshopify.com")).timeZone;
  expect(await read("Australia/Perth")).toBe("Australia/Perth");
  for (const zone of ["Mars/Olympus", "+08:00", null, undefined])
    expect(await read(zone)).toBeUndefined();
});
