import { z } from "zod";
import type { CustomerAccounts } from "../../../modules/shops/shop.ts";
import { isTimeZone } from "../../../platform/calendar-day.ts";

/** Asks what the merchant lets the app do, and which customer accounts the store has. */
export const STORE_FACTS_QUERY = `#graphql
  query PathwayStoreFacts {
    currentAppInstallation {
      accessScopes {
        handle
      }
    }
    shop {
      id
      ianaTimezone
      currencyCode
      customerAccountsV2 {
        customerAccountsVersion
      }
    }
  }
`;

/** Reads Shopify's name of a kind of customer accounts as ours. */
export const customerAccountsSchema = z
  .object({ customerAccountsVersion: z.enum(["NEW_CUSTOMER_ACCOUNTS", "CLASSIC"]) })
  .transform(
    ({ customerAccountsVersion }): CustomerAccounts =>
      customerAccountsVersion === "CLASSIC" ? "legacy" : "new",
  );

/** Reads the store's time zone; undefined for what is none, which leaves the one that is known. */
export const timeZoneSchema = z
  .string()
  .nullish()
  .transform((name) => (name && isTimeZone(name) ? name : undefined));

export const storeFactsAnswerSchema = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
  shop: z.object({
    id: z.string().nullish(),
    ianaTimezone: timeZoneSchema,
    currencyCode: z.string(),
    customerAccountsV2: customerAccountsSchema,
  }),
});
