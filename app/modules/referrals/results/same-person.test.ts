import { expect, test } from "vitest";
import { isOtherPerson } from "./same-person.ts";

const ordered = { firstName: "Zoë", lastName: "O'Brien-Smith", dob: "1988-04-17" };

test.each([
  ["the same", ordered],
  [
    "without accent, apostrophe and hyphen",
    { ...ordered, firstName: "ZOE", lastName: "OBRIEN SMITH" },
  ],
  ["a time after the date of birth", { ...ordered, dob: "1988-04-17T00:00:00.000Z" }],
  ["nothing", { firstName: "", lastName: "", dob: null }],
  ["an empty date of birth", { ...ordered, dob: "" }],
  ["no person", null],
])("accepts a result that names %s", (_what, named) => {
  expect(isOtherPerson(named, ordered)).toBe(false);
});

test("accepts a date of birth where none was given with the order", () => {
  expect(isOtherPerson(ordered, { ...ordered, dob: null })).toBe(false);
});

test("accepts a name in capitals that has letters without a capital", () => {
  const strauss = { ...ordered, lastName: "Strauß" };
  expect(isOtherPerson({ ...strauss, lastName: "STRAUSS" }, strauss)).toBe(false);
});

test.each([
  ["Đặng", "DANG"],
  ["Sørensen", "SORENSEN"],
  ["Wałęsa", "WALESA"],
  ["Ægir", "AEGIR"],
])("accepts %s that a laboratory prints as %s", (given, printed) => {
  const person = { ...ordered, lastName: given };
  expect(isOtherPerson({ ...person, lastName: printed }, person)).toBe(false);
});

test.each([
  ["first name", { ...ordered, firstName: "Chloe" }],
  ["last name", { ...ordered, lastName: "O'Brien" }],
  ["date of birth", { ...ordered, dob: "1988-04-18" }],
])("finds another %s", (_what, named) => {
  expect(isOtherPerson(named, ordered)).toBe(true);
});
