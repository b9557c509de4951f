import { expect, test } from "vitest";
import type { ReferralOrder } from "../../modules/referrals/referral-service.ts";
import { createBody } from "./create-body.ts";

const practitioner = { name: "Dr Who", address: "1 St", providerNumber: "2426621B" };
const address = {
  ...{ addressLine1: "1 High St", city: "Perth", state: "WA", postCode: "6000", country: "AU" },
};
const ORDER: ReferralOrder = {
  patient: {
    ...{ firstName: "Ada", lastName: "Citizen", email: "ada@example.com", phone: "+61400000000" },
    ...{ dob: "1990-01-31", gender: "female", address: { ...address, addressLine2: null } },
  },
  items: { bundleId: null, tests: ["fbc"], medicareTests: [], practitioner: null },
  medicare: null,
  clinicalNotes: null,
  referenceNumber: "PW1-ABC",
  metadata: { generation: 1 },
  emailReferralToCustomer: false,
};
const CARD = { medicareCardNumber: "2123456701", dvaNumber: null };
const body = (order: Partial<ReferralOrder> = {}) => createBody({ ...ORDER, ...order });
const MEDICARE = { ...ORDER.items, medicareTests: ["m"], practitioner };

test("sends everything of a patient, and of a private order nothing that Medicare asks for", () => {
  const plain = {
    ...{ ...ORDER.patient, address },
    ...{ tests: ["fbc"], referenceNumber: "PW1-ABC" },
    ...{ metadata: { generation: 1 }, emailReferralToCustomer: false },
  };
  expect(body()).toEqual(plain);
  expect(body({ medicare: CARD, clinicalNotes: "Tired" })).toEqual(plain);
});

test("sends a bundle, and no empty list, which would make another kind of order", () => {
  const sent = body({ items: { ...ORDER.items, bundleId: "b", tests: [] } });
  expect(sent).toMatchObject({ bundleId: "b" });
  expect(sent).not.toHaveProperty("tests");
  expect(sent).not.toHaveProperty("medicareTests");
  expect(body()).not.toHaveProperty("bundleId");
});

test("sends with Medicare tests the practitioner, the card and the notes, as far as there are some", () => {
  const whole = { items: MEDICARE, medicare: CARD, clinicalNotes: "Tired" };
  expect(body(whole)).toMatchObject({
    ...{ tests: ["fbc"], medicareTests: ["m"], orderingPractitioner: practitioner },
    ...{ medicareCardNumber: "2123456701", clinicalNotes: "Tired" },
  });
  expect(body(whole)).not.toHaveProperty("dvaNumber");
  expect(body({ ...whole, medicare: { ...CARD, dvaNumber: "NX1" } })).toMatchObject({
    dvaNumber: "NX1",
  });
  const bare = body({ items: { ...MEDICARE, practitioner: null } });
  expect(bare).toMatchObject({ medicareTests: ["m"] });
  for (const name of ["orderingPractitioner", "medicareCardNumber", "dvaNumber", "clinicalNotes"])
    expect(bare).not.toHaveProperty(name);
});

test("sends the second line of an address only where there is one", () => {
  const living = (addressLine2: string | null) =>
    body({ patient: { ...ORDER.patient, address: { ...address, addressLine2 } } }).address;
  expect(living("Unit 2")).toEqual({ ...address, addressLine2: "Unit 2" });
  for (const none of ["", null]) expect(living(none)).toEqual(address);
});
