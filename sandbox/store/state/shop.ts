/** A merchant's shop, as far as the app, its webhooks and its pages can see it. */
export interface ShopDocument {
  /** `pathway-demo.myshopify.com`; also the key. */
  id: string;
  numericId: number;
  name: string;
  ownerName: string;
  email: string;
  phone: string;
  address1: string;
  city: string;
  zip: string;
  province: string;
  provinceCode: string;
  country: string;
  countryCode: string;
  currencyCode: string;
  ianaTimezone: string;
  createdAt: string;
  customerAccounts: "new" | "legacy";
  nextOrderNumber: number;
  staff: { id: number; firstName: string; lastName: string; email: string };
  locationId: number;
}
