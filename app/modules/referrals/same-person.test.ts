import { expect, test } from "vitest";
import type { PatientOnRequest } from "./request-repository.ts";
import {
  hasBecomeOther,
  isOtherPerson,
  isOtherThanMeant,
  namedSince,
  orderedFor,
  statesAll,
} from "./same-person.ts";

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
  ["a title", { ...ordered, firstName: "Ms. Zoë" }],
  ["a middle name", { ...ordered, firstName: "Zoë Anne" }],
  ["an initial", { ...ordered, firstName: "Z." }],
  ["the names the other way round", { ...ordered, firstName: "O'Brien-Smith", lastName: "Zoë" }],
  ["the whole name in one field", { ...ordered, firstName: "", lastName: "Zoë O’Brien Smith" }],
  [
    "the whole name in one field, the family name in one word",
    { ...ordered, firstName: "", lastName: "Zoë OBrienSmith" },
  ],
  [
    "a middle name and the family name in one word",
    { ...ordered, firstName: "Zoë Anne", lastName: "OBRIENSMITH" },
  ],
  ["the day of birth before the month", { ...ordered, dob: "17/04/1988" }],
  ["the day of birth among blanks", { ...ordered, dob: " 1988-04-17 " }],
  ["the day of birth with dots", { ...ordered, dob: "17.4.88" }],
  ["the day of birth without marks", { ...ordered, dob: "19880417" }],
  ["midnight here as a moment of UTC", { ...ordered, dob: "1988-04-16T14:00:00Z" }],
  ["midnight here with its offset", { ...ordered, dob: "1988-04-17T00:00:00+10:00" }],
  ["a date of birth that nobody can read", { ...ordered, dob: "577238400000" }],
  ["a day of birth that no calendar has", { ...ordered, dob: "1988-02-30" }],
  ["a date of birth as eight digits of seconds", { ...ordered, dob: "57723840" }],
  ["a year of birth of five digits", { ...ordered, dob: "01988-04-18" }],
  ["a year of birth of five digits at the end", { ...ordered, dob: "18/04/19880" }],
  ["midnight here with a space and hours alone", { ...ordered, dob: "1988-04-17 00:00:00+10" }],
])("accepts a result that names %s", (_what, named) => {
  expect(isOtherPerson(named, ordered)).toBe(false);
});

test("accepts a date of birth where none was given with the order", () => {
  expect(isOtherPerson(ordered, { ...ordered, dob: null })).toBe(false);
});

test("accepts a day and a month of birth of one digit each", () => {
  const person = { ...ordered, dob: "1988-04-07" };
  expect(isOtherPerson({ ...person, dob: "7.4.88" }, person)).toBe(false);
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
  ["Ðorri", "DORRI"],
  ["Ħal", "HAL"],
  ["Ŧor", "TOR"],
  ["Œhler", "OEHLER"],
  ["Þór", "THOR"],
  ["STRAUẞ", "STRAUSS"],
])("accepts %s that a laboratory prints as %s", (given, printed) => {
  const person = { ...ordered, lastName: given };
  expect(isOtherPerson({ ...person, lastName: printed }, person)).toBe(false);
});

test.each([
  ["first name", { ...ordered, firstName: "Chloe" }],
  ["last name", { ...ordered, lastName: "O'Brien" }],
  ["date of birth", { ...ordered, dob: "1988-04-18" }],
  ["day of birth before the month", { ...ordered, dob: "18/04/1988" }],
  ["day of birth with a short year", { ...ordered, dob: "18.4.88" }],
  ["day of birth without marks", { ...ordered, dob: "19880418" }],
  ["day of birth among blanks", { ...ordered, dob: " 1988-04-18 " }],
  ["moment of birth", { ...ordered, dob: "1988-04-20T14:00:00Z" }],
  ["date of birth late in its day", { ...ordered, dob: "1988-04-16T23:30:00" }],
  ["century of birth", { ...ordered, dob: "17/04/1888" }],
])("finds another %s", (_what, named) => {
  expect(isOtherPerson(named, ordered)).toBe(true);
});

test.each([
  ["Mary Ann", "Ann Mary", false],
  ["Mary Ann", "Mary-Ann", false],
  ["Mary Ann", "Maryann", false],
  ["Mary Ann", "Mary Louise", true],
  ["Onlyname", "", false],
  ["D'Arcy", "Darcy James", false],
  ["Zoë Anne", "Zoë", false],
  ["Zoë Anne", "Ms Zoë", false],
  ["Ann Mary", "Ann Ann", true],
  ["Ann Ann", "Ann Mary", true],
  ["Zoë", "Dame", true],
])("%s that is told as %s is another: %s", (given, told, isOther) => {
  const person = { ...ordered, firstName: given };
  expect(isOtherPerson({ ...person, firstName: told }, person)).toBe(isOther);
});

test.each([
  ["Ann", "Anna"],
  ["Zoë", "Z."],
])("takes %s that is told as %s for the same only with the same date of birth", (given, told) => {
  const person = { ...ordered, firstName: given };
  const named = { ...person, firstName: told };
  expect(isOtherPerson(named, person)).toBe(false);
  expect(isOtherPerson({ ...named, dob: null }, person)).toBe(true);
  expect(isOtherPerson(named, { ...person, dob: null })).toBe(true);
});

test.each([
  ["Zoë Anne", "Zoë", ""],
  ["Zoë Anne", "Zoë", "Smith"],
  ["Mary Ann", "Maryann", ""],
  ["Maryann", "Mary Ann", ""],
])("takes %s that is told as %s for the same without a date of birth", (given, told, lastName) => {
  const person = { ...ordered, firstName: given, lastName: "Smith" };
  expect(isOtherPerson({ firstName: told, lastName, dob: null }, person)).toBe(false);
});

test.each([
  ["a family name after a wedding", { lastName: "Smith" }, false],
  ["a date of birth put right", { dob: "1988-04-18" }, false],
  ["two facts", { lastName: "Smith", dob: "1988-04-18" }, true],
  ["both names", { firstName: "Chloe", lastName: "Smith" }, true],
])("a referral that changes %s becomes another person's: %s", (_what, change, isOther) => {
  const whose = { meant: ordered, ordered };
  expect(hasBecomeOther({ ...ordered, ...change }, whose)).toBe(isOther);
});

const NOBODY = { firstName: "", lastName: "", dob: null };

test("takes a reading that named nobody for no word about who is named since", () => {
  const whose = { meant: NOBODY, ordered };
  expect(hasBecomeOther(ordered, whose)).toBe(false);
  for (const change of [{ firstName: "Chloe" }, { lastName: "Smith" }, { dob: "1988-04-18" }]) {
    expect(hasBecomeOther({ ...ordered, ...change }, whose)).toBe(true);
    expect(isOtherThanMeant({ ...ordered, ...change }, whose)).toBe(true);
  }
});

test("finds another person whose facts came one after the other", () => {
  const meant = { ...ordered, lastName: "Smith" };
  expect(hasBecomeOther(meant, { meant, ordered })).toBe(false);
  expect(hasBecomeOther({ ...meant, lastName: "Smyth" }, { meant, ordered })).toBe(false);
  expect(hasBecomeOther({ ...meant, dob: "1988-04-18" }, { meant, ordered })).toBe(true);
});

test("finds another person who takes one change back and brings another", () => {
  const meant = { ...ordered, lastName: "Smith", dob: null };
  const named = { ...ordered, dob: "1988-04-18" };
  expect(hasBecomeOther(named, { meant, ordered })).toBe(true);
});

test("knows whom a referral means that has the whole name in one field", () => {
  const meant = { ...NOBODY, lastName: "Zoë Married" };
  const named = { ...ordered, lastName: "Married" };
  expect(isOtherThanMeant(named, { meant, ordered })).toBe(false);
  expect(isOtherThanMeant({ ...named, firstName: "Chloe" }, { meant, ordered })).toBe(true);
});

test.each([
  ["everything", {}, true],
  ["the whole name in one field", { firstName: "", lastName: "Zoë O'Brien-Smith" }, true],
  ["another given name", { firstName: "Chloe" }, true],
  ["no given name", { firstName: "" }, false],
  ["no family name", { lastName: "" }, false],
  ["a date of birth among blanks", { dob: " 1988-04-17 " }, true],
  ["no name", { firstName: "-", lastName: "" }, false],
  ["no date of birth", { dob: null }, false],
  ["a date of birth that nobody can read", { dob: "577238400000" }, false],
])("a reading with %s states all of the patient: %s", (_what, change, isAll) => {
  expect(statesAll({ ...ordered, ...change }, ordered)).toBe(isAll);
});

test("knows somebody with one name, in whatever field it stands", () => {
  const one = { ...ordered, firstName: "Onlyname", lastName: "Suharto" };
  expect(isOtherPerson({ ...one, firstName: "Suharto", lastName: "" }, one)).toBe(false);
  expect(isOtherPerson({ ...one, firstName: "Sukarno", lastName: "" }, one)).toBe(true);
});

test.each([
  ["2123 45670 1", "2123456701", false],
  ["21234567011", "2123456701", false],
  ["2123456701", "21234567011", false],
  ["******6701", "2123456701", false],
  [null, "2123456701", false],
  ["2123456701", null, false],
  ["21234567011", "21234567012", true],
  ["5123456701", "2123456701", true],
])("card %s where %s was given is another: %s", (told, given, isOther) => {
  const card = { ...ordered, medicareCardNumber: told };
  expect(isOtherPerson(card, { ...ordered, medicareCardNumber: given })).toBe(isOther);
});

const CARD = "2123456701";

test.each([
  ["the card", true, CARD, CARD],
  ["a masked card", true, CARD, "******6701"],
  ["no card", false, CARD, null],
  ["no card where none was given", true, null, null],
])("a reading with %s states all of a card: %s", (_what, isAll, given, told) => {
  const person = { ...ordered, medicareCardNumber: given };
  expect(statesAll({ ...person, medicareCardNumber: told }, person)).toBe(isAll);
});

test("a reading without a date of birth states all where none was given", () => {
  expect(statesAll({ ...ordered, dob: null }, { ...ordered, dob: null })).toBe(true);
});

const BEFORE = {
  firstName: "Chloe",
  lastName: "Smith",
  dob: "1990-01-01",
  medicareCardNumber: "5123456701",
};

test.each([
  ["nobody", null, {}],
  ["no fact at all", NOBODY, {}],
  ["a given name", { ...NOBODY, firstName: "Zoë" }, { firstName: "Zoë" }],
  ["a family name", { ...NOBODY, lastName: "O'Brien" }, { lastName: "O'Brien" }],
  ["a date of birth", { ...NOBODY, dob: " 1988-04-17 " }, { dob: " 1988-04-17 " }],
  ["a date of birth that nobody can read", { ...NOBODY, dob: "577238400000" }, {}],
  ["a card", { ...NOBODY, medicareCardNumber: CARD }, { medicareCardNumber: CARD }],
  ["a masked card", { ...NOBODY, medicareCardNumber: "******6701" }, {}],
  [
    "the patient's whole name in one field",
    { ...NOBODY, lastName: "Zoë O'Brien-Smith" },
    { firstName: "", lastName: "Zoë O'Brien-Smith" },
  ],
])("a result that names %s since keeps what it named before beside that", (_what, named, since) => {
  expect(namedSince(named, { before: BEFORE, ordered })).toEqual({ ...BEFORE, ...since });
});

test.each([
  ["with its card", { medicareCardNumber: CARD, dvaNumber: null }, CARD],
  ["without a card", null, null],
])("a unit is ordered for its patient, %s", (_what, medicare, medicareCardNumber) => {
  const details = { patient: ordered, medicare } as PatientOnRequest;
  expect(orderedFor(details)).toEqual({ ...ordered, medicareCardNumber });
});
