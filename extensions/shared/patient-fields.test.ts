import { expect, test } from "vitest";
import { detailsOf, errorsByField, fieldsOf, startingValues } from "./patient-fields.ts";

const complete = {
  ...startingValues(null),
  firstName: " Ann ",
  lastName: "Ng",
  dob: "1980-02-29",
  gender: "female",
  email: "ann@example.com",
  phone: "0412 345 678",
  "address.addressLine1": "1 High St",
  "address.city": "Carlton",
  "address.state": "VIC",
  "address.postCode": "3053",
  consent: true,
};

test("the body nests the address, trims, and leaves out what was not asked", () => {
  expect(detailsOf(complete, false)).toEqual({
    firstName: "Ann",
    lastName: "Ng",
    email: "ann@example.com",
    phone: "0412 345 678",
    dob: "1980-02-29",
    gender: "female",
    address: {
      addressLine1: "1 High St",
      addressLine2: null,
      city: "Carlton",
      state: "VIC",
      postCode: "3053",
      country: "Australia",
    },
    consent: true,
  });
});

test("one name is sent as one, and read back as one", () => {
  const values = { ...complete, firstName: "", lastName: "Suharto", hasOneName: true };
  expect(detailsOf(values, false)).toMatchObject({ lastName: "Suharto", hasOneName: true });
  const again = startingValues({
    ...{ firstName: "Onlyname", lastName: "Suharto", email: null, phone: null, address: null },
    medicareCardNumber: "21234567012",
  });
  expect(again).toMatchObject({ firstName: "", lastName: "Suharto", hasOneName: true });
  expect(again).toMatchObject({ medicareCardNumber: "2123456701", medicareIrn: "2" });
});

test("Medicare fields are asked for and sent only when the request needs them", () => {
  expect(fieldsOf(false)).not.toContain("medicareCardNumber");
  const withCard = { ...complete, medicareCardNumber: "2123 45670 1" };
  expect(detailsOf(withCard, true)).toMatchObject({ medicareCardNumber: "2123 45670 1" });
  expect(detailsOf(withCard, true)).not.toHaveProperty("dvaNumber");
  expect(detailsOf(withCard, false)).not.toHaveProperty("medicareCardNumber");
});

test("prefill never answers date of birth, sex or consent, and takes a known state only", () => {
  const values = startingValues({
    firstName: "Ann",
    lastName: null,
    email: null,
    phone: null,
    address: {
      addressLine1: "1 High St",
      addressLine2: null,
      city: "Carlton",
      state: "vic",
      postCode: "3053",
    },
  });
  expect(values).toMatchObject({
    firstName: "Ann",
    lastName: "",
    "address.state": "VIC",
    dob: "",
    gender: "",
  });
  expect(values.consent).toBe(false);
  expect(
    startingValues({
      firstName: null,
      lastName: null,
      email: null,
      phone: null,
      address: {
        addressLine1: null,
        addressLine2: null,
        city: null,
        state: "California",
        postCode: null,
      },
    })["address.state"],
  ).toBe("");
});

test("refusals stand at their fields; those of no visible field are kept apart; the first of a field wins", () => {
  expect(
    errorsByField(
      [
        { field: "address.postCode", message: "Postcode 3053 is in VIC" },
        { field: "address.postCode", message: "second" },
        { field: "consent", message: "Consent is needed" },
        { field: "address.country", message: "Only Australia" },
        { field: "medicareCardNumber", message: "not asked here" },
      ],
      false,
    ),
  ).toEqual({
    errors: { "address.postCode": "Postcode 3053 is in VIC", consent: "Consent is needed" },
    others: ["Only Australia", "not asked here"],
  });
});

test("a date of birth that was typed in parts is one date, and none where nothing is left of it", () => {
  const dobOf = (dob: string) => detailsOf({ ...startingValues(null), dob }, false).dob;
  expect(dobOf("1980-2-9")).toBe("1980-02-09");
  expect(dobOf("1980-02-29")).toBe("1980-02-29");
  expect(dobOf("1980--9")).toBe("1980--09");
  expect(dobOf("--")).toBe("");
});
