import { randomBytes, randomInt } from "node:crypto";
import { createCustomer } from "../customers/create-customer.ts";
import type { Platform } from "../platform.ts";
import { createProduct } from "../products/create-product.ts";
import { nextId } from "../state/next-id.ts";
import type { ShopDocument } from "../state/shop.ts";
import { seededCustomers } from "./customers.ts";
import { seededProducts } from "./products.ts";

export const seededShop = "pathway-demo.myshopify.com";

/** Registers the app and opens the demo shop, unless the data folder holds them already. */
export function seed(platform: Platform): void {
  registerApp(platform);
  if (!platform.data.shops.get(seededShop)) openShop(platform, seededShop);
}

function registerApp(platform: Platform): void {
  if (platform.data.credentials.get("app")) return;
  platform.data.credentials.put({
    id: "app",
    appId: randomInt(10_000_000_000, 99_999_999_999),
    apiKey: platform.config.clientId ?? randomBytes(16).toString("hex"),
    secrets: [newSecret()],
    controlToken: randomBytes(24).toString("base64url"),
    clockOffsetMs: 0,
  });
}

/** Client secrets look like this since 2020. */
export const newSecret = (): string => `shpss_${randomBytes(16).toString("hex")}`;

/** A new shop with the demo's products and customers. */
export function openShop(platform: Platform, domain: string): ShopDocument {
  const { data, clock } = platform;
  const handle = domain.replace(/\.myshopify\.com$/, "");
  const name = handle === "pathway-demo" ? "Harbour Pathology" : handle;
  const shop = data.shops.put({
    id: domain,
    numericId: nextId(data),
    name,
    ownerName: "Morgan Ellery",
    email: `owner@${handle}.example`,
    phone: "+61255501234",
    address1: "12 Wharf Street",
    city: "Sydney",
    zip: "2000",
    province: "New South Wales",
    provinceCode: "NSW",
    country: "Australia",
    countryCode: "AU",
    currencyCode: "AUD",
    ianaTimezone: "Australia/Sydney",
    createdAt: clock.nowIso(),
    customerAccounts: "new",
    nextOrderNumber: 1001,
    staff: {
      id: nextId(data),
      firstName: "Morgan",
      lastName: "Ellery",
      email: `owner@${handle}.example`,
    },
    colleagues: [
      colleague(platform, handle, "Robin", "Okafor"),
      colleague(platform, handle, "Jules", "Tran"),
    ],
    locationId: nextId(data),
  });
  for (const product of seededProducts) createProduct(platform, shop, { vendor: name, ...product });
  for (const customer of seededCustomers) createCustomer(platform, shop, customer);
  return shop;
}

/** Somebody who works in the admin beside the owner. */
function colleague({ data }: Platform, handle: string, firstName: string, lastName: string) {
  const email = `${firstName.toLowerCase()}@${handle}.example`;
  return { id: nextId(data), firstName, lastName, email };
}
