import type { NewCustomer } from "../customers/create-customer.ts";

const australia = { company: null, address2: null, country: "Australia", countryCode: "AU" };

export const seededCustomers: NewCustomer[] = [
  {
    email: "ava.nguyen@example.com",
    firstName: "Ava",
    lastName: "Nguyen",
    phone: "+61491570156",
    addresses: [
      {
        ...australia,
        firstName: "Ava",
        lastName: "Nguyen",
        address1: "27 Beach Road",
        city: "Bondi Beach",
        province: "New South Wales",
        provinceCode: "NSW",
        zip: "2026",
        phone: "+61491570156",
      },
    ],
  },
  {
    email: "liam.oconnor@example.com",
    firstName: "Liam",
    lastName: "O'Connor",
    phone: "+61491570157",
    addresses: [
      {
        ...australia,
        firstName: "Liam",
        lastName: "O'Connor",
        address1: "4/118 Lygon Street",
        city: "Carlton",
        province: "Victoria",
        provinceCode: "VIC",
        zip: "3053",
        phone: "+61491570157",
      },
    ],
  },
  {
    email: "grace.walker@example.com",
    firstName: "Grace",
    lastName: "Walker",
    phone: null,
    addresses: [
      {
        ...australia,
        firstName: "Grace",
        lastName: "Walker",
        address1: "9 Mitchell Street",
        city: "Darwin City",
        province: "Northern Territory",
        provinceCode: "NT",
        zip: "0800",
        phone: null,
      },
    ],
  },
];
