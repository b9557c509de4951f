import type { Request } from "express";
import { z } from "zod";
import { field } from "../http.ts";
import type { CheckoutInput, StoreCustomer } from "../ports.ts";
import { chargeTestCard } from "./test-card.ts";

export const STATES = [
  ["ACT", "Australian Capital Territory"],
  ["NSW", "New South Wales"],
  ["NT", "Northern Territory"],
  ["QLD", "Queensland"],
  ["SA", "South Australia"],
  ["TAS", "Tasmania"],
  ["VIC", "Victoria"],
  ["WA", "Western Australia"],
] as const;

export const FIELDS = [
  "email",
  "firstName",
  "lastName",
  "company",
  "address1",
  "address2",
  "city",
  "provinceCode",
  "zip",
  "phone",
  "cardNumber",
  "cardExpiry",
  "cardCode",
  "cardName",
] as const;
export type FieldName = (typeof FIELDS)[number];
export type CheckoutValues = Record<FieldName, string>;
export type CheckoutErrors = Partial<Record<FieldName | "cart", string>>;

const EMPTY = Object.fromEntries(FIELDS.map((name) => [name, ""])) as CheckoutValues;

/** A person who does not exist, for those who only want to see what happens next. */
const SAMPLE: CheckoutValues = {
  ...EMPTY,
  email: "robin.sample@example.com",
  firstName: "Robin",
  lastName: "Sample",
  address1: "12 Harbour Street",
  city: "Sydney",
  provinceCode: "NSW",
  zip: "2000",
  phone: "0412 345 678",
  cardNumber: "4242 4242 4242 4242",
  cardExpiry: "12/30",
  cardCode: "123",
  cardName: "Robin Sample",
};

/** Returns the form's first values: the signed-in customer's details, or the sample's when asked for. */
export function initialValues(customer: StoreCustomer | null, sample: boolean): CheckoutValues {
  const start = sample ? SAMPLE : EMPTY;
  if (!customer) return start;
  const address = customer.defaultAddress;
  return {
    ...start,
    email: customer.email ?? start.email,
    firstName: address?.firstName ?? customer.firstName ?? start.firstName,
    lastName: address?.lastName ?? customer.lastName ?? start.lastName,
    company: address?.company ?? "",
    address1: address?.address1 ?? start.address1,
    address2: address?.address2 ?? "",
    city: address?.city ?? start.city,
    provinceCode: address?.provinceCode ?? start.provinceCode,
    zip: address?.zip ?? start.zip,
    phone: customer.phone ?? address?.phone ?? start.phone,
  };
}

export function readValues(request: Request): CheckoutValues {
  return Object.fromEntries(FIELDS.map((name) => [name, field(request, name)])) as CheckoutValues;
}

/** Checks what Shopify's checkout checks, the card last: nobody is charged while something else is wrong. */
export function checkValues(values: CheckoutValues): { errors: CheckoutErrors; test: boolean } {
  const errors: CheckoutErrors = {};
  const need = (name: FieldName, message: string) => {
    if (values[name] === "") errors[name] = message;
  };
  if (!z.email().safeParse(values.email).success) errors.email = "Enter a valid email";
  need("lastName", "Enter a last name");
  need("address1", "Enter an address");
  need("city", "Enter a suburb");
  if (!STATES.some(([code]) => code === values.provinceCode)) {
    errors.provinceCode = "Select a state or territory";
  }
  if (!/^\d{4}$/.test(values.zip)) errors.zip = "Enter a valid postcode";
  if (!/^(0[1-9]|1[0-2])\s*\/\s*(\d{2}|\d{4})$/.test(values.cardExpiry)) {
    errors.cardExpiry = "Enter a valid expiry date";
  }
  if (!/^\d{3,4}$/.test(values.cardCode)) errors.cardCode = "Enter the security code";
  need("cardName", "Enter the name on the card");
  const charge = chargeTestCard(values.cardNumber);
  if (!charge.ok && (Object.keys(errors).length === 0 || values.cardNumber === "")) {
    errors.cardNumber = charge.message;
  }
  return { errors, test: charge.ok && charge.test };
}

export function toCheckoutInput(
  values: CheckoutValues,
  rest: Pick<CheckoutInput, "customerId" | "lines" | "test">,
): CheckoutInput {
  const { email, phone } = values;
  return {
    ...rest,
    email,
    phone: phone || null,
    address: {
      firstName: values.firstName,
      lastName: values.lastName,
      company: values.company || null,
      address1: values.address1,
      address2: values.address2 || null,
      city: values.city,
      provinceCode: values.provinceCode,
      zip: values.zip,
      countryCode: "AU",
      phone: phone || null,
    },
  };
}
