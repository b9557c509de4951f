import type { AddressRecord } from "../../state/customer.ts";

export const fullName = (person: { firstName: string | null; lastName: string | null }): string =>
  [person.firstName, person.lastName].filter(Boolean).join(" ");

/** An order's shipping or billing address. */
export function orderAddress(address: AddressRecord) {
  return {
    first_name: address.firstName,
    address1: address.address1,
    phone: address.phone,
    city: address.city,
    zip: address.zip,
    province: address.province,
    country: address.country,
    last_name: address.lastName,
    address2: address.address2,
    company: address.company,
    latitude: null,
    longitude: null,
    name: fullName(address),
    country_code: address.countryCode,
    province_code: address.provinceCode,
  };
}

/** An address in a customer's address book. */
export function customerAddress(address: AddressRecord, customerId: number, isDefault: boolean) {
  return {
    id: address.id,
    customer_id: customerId,
    first_name: address.firstName,
    last_name: address.lastName,
    company: address.company,
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    province: address.province,
    country: address.country,
    zip: address.zip,
    phone: address.phone,
    name: fullName(address),
    province_code: address.provinceCode,
    country_code: address.countryCode,
    country_name: address.country,
    default: isDefault,
  };
}
