import type { AddressRecord } from "../../state/customer.ts";
import { globalId } from "../../state/global-id.ts";
import { fullName } from "../../webhooks/payloads/address.ts";

/** MailingAddress */
export const addressView = (address: AddressRecord) => ({
  __typename: "MailingAddress",
  id: globalId("MailingAddress", address.id),
  firstName: address.firstName,
  lastName: address.lastName,
  name: fullName(address) || null,
  company: address.company,
  address1: address.address1,
  address2: address.address2,
  city: address.city,
  province: address.province,
  provinceCode: address.provinceCode,
  zip: address.zip,
  country: address.country,
  countryCode: address.countryCode,
  countryCodeV2: address.countryCode,
  phone: address.phone,
  coordinatesValidated: false,
  latitude: null,
  longitude: null,
  formattedArea: [address.city, address.provinceCode, address.country].filter(Boolean).join(", "),
  formatted: (args: { withName?: boolean | null; withCompany?: boolean | null }) =>
    [
      args.withName ? fullName(address) : null,
      args.withCompany === false ? null : address.company,
      address.address1,
      address.address2,
      [address.city, address.provinceCode, address.zip].filter(Boolean).join(" "),
      address.country,
    ].filter(Boolean),
});
