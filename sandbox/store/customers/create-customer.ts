import type { Platform } from "../platform.ts";
import type { AddressRecord, CustomerDocument } from "../state/customer.ts";
import { nextId } from "../state/next-id.ts";
import type { ShopDocument } from "../state/shop.ts";

export interface NewCustomer {
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  phone: string | null;
  /** The first one becomes the default. */
  addresses: Omit<AddressRecord, "id">[];
  tags?: string[];
  note?: string | null;
}

export function createCustomer(
  platform: Platform,
  shop: ShopDocument,
  input: NewCustomer,
): CustomerDocument {
  const { data } = platform;
  const now = platform.clock.nowIso();
  const addresses = input.addresses.map((address) => ({ id: nextId(data), ...address }));
  return data.customers.put({
    id: nextId(data),
    shop: shop.id,
    firstName: input.firstName,
    lastName: input.lastName,
    email: input.email?.trim().toLowerCase() ?? null,
    phone: input.phone,
    state: "DISABLED",
    note: input.note ?? null,
    tags: input.tags ?? [],
    verifiedEmail: true,
    addresses,
    defaultAddressId: addresses[0]?.id ?? null,
    createdAt: now,
    updatedAt: now,
  });
}

export function findCustomerByEmail(
  platform: Platform,
  shop: ShopDocument,
  email: string,
): CustomerDocument | undefined {
  const wanted = email.trim().toLowerCase();
  return platform.data.customers
    .all()
    .find((customer) => customer.shop === shop.id && customer.email === wanted);
}
