import type { PatientDetails } from "../drivers/customer-api.ts";
import type { NewCustomer } from "../drivers/store-control.ts";

/** The shopper of the demo. `run` keeps the addresses of several runs on the same data apart. */
export function shopper(run: string): NewCustomer {
  return {
    email: `mia.thompson+${run}@example.com`,
    firstName: "Mia",
    lastName: "Thompson",
    phone: "+61412345678",
  };
}

/** Somebody else who has an account in the same shop, and no business with the shopper's results. */
export function stranger(run: string): NewCustomer {
  return {
    email: `liam.walker+${run}@example.com`,
    firstName: "Liam",
    lastName: "Walker",
    phone: "+61423456789",
  };
}

/** Where the shopper lives, as Shopify's checkout asks for it. */
export const SHIPPING_ADDRESS = {
  firstName: "Mia",
  lastName: "Thompson",
  address1: "8 Banksia Avenue",
  city: "Brunswick",
  province: "Victoria",
  provinceCode: "VIC",
  zip: "3056",
  country: "Australia",
  countryCode: "AU",
  phone: "+61412345678",
};

const address = {
  addressLine1: "8 Banksia Avenue",
  city: "Brunswick",
  state: "VIC",
  postCode: "3056",
  country: "Australia",
};

/** One patient per unit bought: the shopper and her partner. */
export function patients(run: string): [PatientDetails, PatientDetails] {
  return [
    {
      firstName: "Mia",
      lastName: "Thompson",
      email: `mia.thompson+${run}@example.com`,
      phone: "+61412345678",
      dob: "1988-04-17",
      gender: "female",
      address,
      consent: true,
    },
    {
      firstName: "Oliver",
      lastName: "Bennett",
      email: `oliver.bennett+${run}@example.com`,
      phone: "+61434567890",
      dob: "1985-11-02",
      gender: "male",
      address,
      consent: true,
    },
  ];
}
