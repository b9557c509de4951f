import { expect, test } from "vitest";
import { referralSnapshot } from "../../../test/database/snapshots.ts";
import { statesOtherForm } from "./form-facts.ts";

const KNOWN = {
  ...referralSnapshot(),
  ...{ medicareCardNumber: "21234567011", dvaNumber: "X123", expiresAt: "2027-11-27" },
  orderingPractitionerClinicalNotes: "Fasting",
  orderingPractitioner: { name: "Dr Who", address: "1 St", providerNumber: "2426621B" },
};
const person = (fields: object) => ({ ...KNOWN, person: { ...KNOWN.person, ...fields } });
const address = (fields: object) => person({ address: { ...KNOWN.person.address, ...fields } });

test.each<[string, object]>([
  ["a name", person({ lastName: "Other" })],
  ["a date of birth", person({ dob: "1980-01-01" })],
  ["a sex", person({ gender: KNOWN.person.gender === "male" ? "female" : "male" })],
  ["a phone number", person({ phone: "0499999999" })],
  ["an address", address({ addressLine1: "2 Low St" })],
  ["a test more", { ...KNOWN, tests: [...KNOWN.tests, "another"] }],
  ["a test less", { ...KNOWN, tests: [] }],
  ["a reference", { ...KNOWN, reference: "99999999" }],
  [
    "a practitioner",
    {
      ...KNOWN,
      orderingPractitioner: { ...KNOWN.orderingPractitioner, providerNumber: "2426621X" },
    },
  ],
  ["a Medicare card", { ...KNOWN, medicareCardNumber: "31234567011" }],
  ["a DVA number", { ...KNOWN, dvaNumber: "X124" }],
  ["clinical notes", { ...KNOWN, orderingPractitionerClinicalNotes: "Not fasting" }],
  ["an end", { ...KNOWN, expiresAt: "2026-12-24" }],
])("takes a form for another that has another form's facts: %s", (_, now) => {
  expect(statesOtherForm(KNOWN, now)).toBe(true);
  expect(statesOtherForm(now, KNOWN)).toBe(true);
});

test.each<[string, unknown]>([
  ["the same", structuredClone(KNOWN)],
  ["its tests in another order", { ...KNOWN, tests: KNOWN.tests.toReversed() }],
  ["its spaces and capitals", person({ firstName: ` ${KNOWN.person.firstName.toUpperCase()}  ` })],
  ["a phone number with spaces", person({ phone: [...(KNOWN.person.phone ?? "")].join(" ") })],
  // Interface §2.1: some lists leave these out.
  ["a part of the address that is left out", address({ addressLine2: undefined, country: null })],
  ["the address left out", person({ address: null })],
  ["when an email was sent", { ...KNOWN, emailSentAt: "2026-11-27T00:00:00Z" }],
  [
    "a status, its times and addresses",
    { ...KNOWN, status: "COMPLETE", updatedAt: "x", referralAttachment: "y" },
  ],
  ["our own metadata", { ...KNOWN, metadata: { order: 1 } }],
  ["a field that nobody knows", { ...KNOWN, lastViewedAt: "2026-11-27T00:00:00Z" }],
  ["advice that is told once", { ...KNOWN, routingMessage: "Set up routing" }],
  ["nothing that can be read", "?"],
])("takes a form for the same whatever else is said: %s", (_, now) => {
  expect(statesOtherForm(KNOWN, now)).toBe(false);
  expect(statesOtherForm(now, KNOWN)).toBe(false);
});
