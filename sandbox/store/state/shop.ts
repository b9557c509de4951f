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
  /** The owner of the account. */
  staff: StaffDocument;
  /** Everybody else who works in the admin; missing in a shop that was stored by an earlier version. */
  colleagues?: StaffDocument[];
  locationId: number;
}

/** A member of staff of a shop. */
export interface StaffDocument {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
}

/** The member of staff of an id; undefined when the shop has none. */
export const staffOf = (shop: ShopDocument, id: number): StaffDocument | undefined =>
  [shop.staff, ...(shop.colleagues ?? [])].find((one) => one.id === id);
