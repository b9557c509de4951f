import { globalId } from "../../state/global-id.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { metafieldFields } from "./metafield.ts";

/** A placeholder of Shopify's, to be filled in by whoever shows a price. */
const moneyFormat = "$" + "{{amount}}";

/** Shop */
export function shopView(caller: Caller): View {
  const { shop, platform } = caller;
  const id = globalId("Shop", shop.numericId);
  const isNew = shop.customerAccounts === "new";
  return {
    __typename: "Shop",
    id,
    name: shop.name,
    description: null,
    email: shop.email,
    contactEmail: shop.email,
    shopOwnerName: shop.ownerName,
    myshopifyDomain: shop.id,
    url: `https://${shop.id}`,
    primaryDomain: {
      id: `gid://shopify/Domain/${shop.numericId}`,
      host: shop.id,
      url: `https://${shop.id}`,
      sslEnabled: true,
    },
    currencyCode: shop.currencyCode,
    enabledPresentmentCurrencies: [shop.currencyCode],
    currencyFormats: {
      moneyFormat,
      moneyInEmailsFormat: moneyFormat,
      moneyWithCurrencyFormat: `${moneyFormat} ${shop.currencyCode}`,
      moneyWithCurrencyInEmailsFormat: `${moneyFormat} ${shop.currencyCode}`,
    },
    ianaTimezone: shop.ianaTimezone,
    timezoneAbbreviation: "AEST",
    weightUnit: "KILOGRAMS",
    unitSystem: "METRIC_SYSTEM",
    taxesIncluded: true,
    taxShipping: false,
    setupRequired: false,
    checkoutApiSupported: true,
    plan: {
      publicDisplayName: "Basic",
      displayName: "Basic",
      partnerDevelopment: false,
      shopifyPlus: false,
    },
    customerAccounts: "OPTIONAL",
    customerAccountsV2: {
      customerAccountsVersion: isNew ? "NEW_CUSTOMER_ACCOUNTS" : "CLASSIC",
      loginLinksVisibleOnStorefrontAndCheckout: true,
      loginRequiredAtCheckout: false,
      url: `${platform.origin}/account`,
    },
    shopAddress: {
      id: `gid://shopify/ShopAddress/${shop.numericId}`,
      address1: shop.address1,
      address2: null,
      city: shop.city,
      company: shop.name,
      province: shop.province,
      provinceCode: shop.provinceCode,
      zip: shop.zip,
      country: shop.country,
      countryCodeV2: shop.countryCode,
      phone: shop.phone,
      coordinatesValidated: false,
    },
    createdAt: shop.createdAt,
    updatedAt: shop.createdAt,
    ...metafieldFields(caller, id, () => shopView(caller)),
  };
}
