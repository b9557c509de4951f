/** Long because it goes through every field of the form and each of its faults. */
import { describe, expect, test } from "vitest";
import { readPatientDetails } from "./patient-details.ts";

const rules = { minimumAge: 18, needsMedicare: false, today: new Date("2026-11-20T00:00:00Z") };

const form = (changed: Record<string, unknown> = {}, address: Record<string, unknown> = {}) => ({
  firstName: "Ada",
  lastName: "Citizen",
  email: "ada@example.com",
  phone: "0412 345 678",
  dob: "1990-02-28",
  gender: "female",
  consent: true,
  address: {
    addressLine1: "1 High St",
    city: "Melbourne",
    state: "VIC",
    postCode: "3000",
    ...address,
  },
  ...changed,
});

const faults = (input: unknown, changed: Partial<typeof rules> = {}) => {
  const reading = readPatientDetails(input, { ...rules, ...changed });
  return reading.kind === "invalid" ? reading.errors.map((error) => error.field) : [];
};

const messages = (input: unknown, changed: Partial<typeof rules> = {}) => {
  const reading = readPatientDetails(input, { ...rules, ...changed });
  return reading.kind === "invalid"
    ? Object.fromEntries(reading.errors.map(({ field, message }) => [field, message]))
    : {};
};

test("good details are read, tidied, and say Australia", () => {
  const input = form(
    { firstName: "  Zoë ", phone: "(04) 1234-5678" },
    { state: "victoria", country: "AU" },
  );
  expect(readPatientDetails(input, rules)).toEqual({
    kind: "valid",
    patient: {
      firstName: "Zoë",
      lastName: "Citizen",
      email: "ada@example.com",
      phone: "0412345678",
      dob: "1990-02-28",
      gender: "female",
      address: {
        addressLine1: "1 High St",
        addressLine2: null,
        city: "Melbourne",
        state: "VIC",
        postCode: "3000",
        country: "Australia",
      },
    },
    medicare: null,
  });
});

test("answers that are nothing but accents are refused at once", () => {
  const accents = "\u0315\u0300".repeat(100_000);
  const beganAt = performance.now();
  const given = { firstName: accents, phone: accents, dob: accents, medicareCardNumber: accents };
  expect(faults(form(given, { city: accents }), { needsMedicare: true })).toEqual([
    ...["firstName", "dob", "phone", "address.city", "medicareCardNumber"],
  ]);
  expect(performance.now() - beganAt).toBeLessThan(2_000);
});

test("judges a field beside fields that cannot be read", () => {
  const input = form(
    { dob: "2020-01-01", gender: "", medicareCardNumber: "123" },
    { postCode: "0800", city: "" },
  );
  expect(faults(input, { needsMedicare: true })).toEqual([
    "dob",
    "gender",
    "address.city",
    "address.postCode",
    "medicareCardNumber",
  ]);
});

describe("a fault is named by its field", () => {
  test.each<[string, Record<string, unknown>]>([
    ["firstName", { firstName: "   " }],
    ["firstName", { firstName: undefined }],
    ["firstName", { firstName: 7 }],
    ["firstName", { firstName: "x".repeat(300) }],
    ["lastName", { lastName: "Citi\u0000zen" }],
    ["lastName", { lastName: "Citi\nzen" }],
    ["email", { email: "ada" }],
    ["email", { email: "ada@@example.com" }],
    ["email", { email: `${"a".repeat(300)}@example.com` }],
    ["phone", { phone: "12345" }],
    ["phone", { phone: "+1 202 555 0100" }],
    ["phone", { phone: "0412 345 67x" }],
    ["dob", { dob: "28/02/1990" }],
    ["dob", { dob: "1990-02-30" }],
    ["dob", { dob: "2990-01-01" }],
    ["dob", { dob: "1890-01-01" }],
    ["gender", { gender: "x" }],
    ["consent", { consent: false }],
    ["consent", { consent: "true" }],
    ["consent", { consent: undefined }],
    ["address", { address: undefined }],
    ["address", { address: "1 High St" }],
  ])("%s: %j", (field, changed) => {
    expect(faults(form(changed))).toEqual([field]);
  });

  test.each<[string, Record<string, unknown>]>([
    ["address.addressLine1", { addressLine1: "" }],
    ["address.city", { city: "M" }],
    ["address.state", { state: "Bavaria" }],
    ["address.state", { state: undefined }],
    ["address.postCode", { postCode: "300" }],
    ["address.postCode", { postCode: 3000 }],
    ["address.postCode", { postCode: "2000" }],
    ["address.country", { country: "New Zealand" }],
  ])("%s: %j", (field, address) => {
    expect(faults(form({}, address))).toEqual([field]);
  });

  test("all of them at once, each once, in the sequence of the form", () => {
    expect(faults({ address: {} }, { needsMedicare: true })).toEqual([
      ...["firstName", "lastName", "dob", "gender", "email", "phone"],
      ...["address.addressLine1", "address.city", "address.state", "address.postCode"],
      ...["medicareCardNumber", "consent"],
    ]);
    for (const nothing of [null, undefined, [], "text", 7]) expect(faults(nothing)).not.toEqual([]);
  });

  test("and the sentence does not repeat what was typed", () => {
    const reading = readPatientDetails(
      form({ phone: "SECRET", email: "SECRET", dob: "SECRET" }),
      rules,
    );
    expect(reading.kind).toBe("invalid");
    expect(JSON.stringify(reading)).not.toContain("SECRET");
  });
});

describe("phone numbers of Australia are taken in any usual form", () => {
  test.each([
    "0412345678",
    "+61412345678",
    "61412345678",
    "(02) 9374 4000",
    "03.9374.4000",
    "+61 2 9374 4000",
    "+61 (0)412 345 678",
    "0412\u2011345\u2011678",
    "0061 412 345 678",
    "0061 (0)2 9374 4000",
    // As a telephone's contacts copy it, and as another script's keyboard types it.
    "\u202a+61 412 345 678\u202c",
    "０４１２ ３４５ ６７８",
    "٠٤١٢٣٤٥٦٧٨",
  ])("%s", (phone) => {
    expect(faults(form({ phone }))).toEqual([]);
  });

  test("and are sent on as they are dialled", () => {
    const sent = (phone: string) => {
      const reading = readPatientDetails(form({ phone }), rules);
      return reading.kind === "valid" && reading.patient.phone;
    };
    expect(sent("+61 (0)412 345 678")).toBe("+61412345678");
    expect(sent("61 412 345 678")).toBe("61412345678");
    expect(sent("0061 (0)412 345 678")).toBe("+61412345678");
    expect(sent("\u2066０４１２ 345 678\u2069")).toBe("0412345678");
  });

  test.each(["0012345678", "0612345678", "1300 975 707", "+61 0412", "000", "+64412345678"])(
    "%s is none",
    (phone) => {
      expect(faults(form({ phone }))).toEqual(["phone"]);
    },
  );
});

test("a date of birth is kept without the space around it", () => {
  const input = form({ dob: " 1990-02-28\u00a0\n" });
  expect(readPatientDetails(input, rules)).toMatchObject({ patient: { dob: "1990-02-28" } });
});

test("digits of any keyboard are digits, in every field that is made of them", () => {
  const input = form(
    {
      dob: "１９９０-０２-２８",
      medicareCardNumber: "２１２３ ４５６７０ １",
      medicareIrn: "２\u200b",
    },
    { postCode: "３０００\ufeff" },
  );
  expect(readPatientDetails(input, { ...rules, needsMedicare: true })).toMatchObject({
    patient: { dob: "1990-02-28", address: { postCode: "3000" } },
    medicare: { medicareCardNumber: "21234567012" },
  });
});

test.each([
  [
    "ada@exam\u200bple.com",
    "There is a hidden character in the email address. Delete it and type it again.",
  ],
  [`${"a".repeat(300)}@example.com`, "An email address can have at most 254 characters."],
])("says what is wrong with an email address that looks right: %s", (email, message) => {
  expect(messages(form({ email }))).toEqual({ email: message });
});

describe("a name is taken as its owner writes it", () => {
  test.each([
    "O’Brien",
    "D'Souza",
    "Nguyễn",
    "van der Berg-Smith",
    "Ōtani",
    "Łukasz",
    "Παπαδοπούλου",
    "Іваненко",
  ])("%s", (lastName) => {
    expect(faults(form({ lastName }))).toEqual([]);
  });

  test.each([
    [
      "李娜",
      "We can’t print “李”, “娜” in the last name. Write it in Latin letters, as on a passport or Medicare card.",
    ],
    [
      "نیما",
      "We can’t print “ن”, “ی”, “م”, “ا” in the last name. Write it in Latin letters, as on a passport or Medicare card.",
    ],
    ["Ng 😀", "We can’t print “😀” in the last name. Leave it out."],
    [
      "Ng\u202e",
      "We can’t print a hidden character in the last name. Delete it and type it again.",
    ],
  ])("but a sign that no form prints is refused by name: %s", (lastName, message) => {
    expect(messages(form({ lastName }))).toEqual({ lastName: message });
  });

  test("and signs that look alike become the one that is printed", () => {
    const reading = readPatientDetails(form({ lastName: "O\u02bcBrien\u2011Smith" }), rules);
    expect(reading).toMatchObject({ patient: { lastName: "O’Brien-Smith" } });
  });

  test("and letters, digits and spaces of a wide keyboard are the plain ones, in an address too", () => {
    const input = form(
      { firstName: "Ｌｉ　Ｎａ", lastName: "Ｏ＇Ｂｒｉｅｎ－Ｎｇ\u00a0Ho" },
      { addressLine1: "１２／３ High\u2003St" },
    );
    expect(readPatientDetails(input, rules)).toMatchObject({
      patient: {
        firstName: "Li Na",
        lastName: "O'Brien-Ng Ho",
        address: { addressLine1: "12/3 High St" },
      },
    });
  });

  test("and however its accents were typed it is one name", () => {
    const reading = readPatientDetails(form({ firstName: "Zoe\u0308" }), rules);
    expect(reading).toMatchObject({ patient: { firstName: "Zo\u00eb" } });
  });

  test.each([
    ["text that is turned round", "Citi\u202ezen"],
    ["a space that nobody sees", "Citi\u200bzen"],
    ["a second line", "Citi\u2028zen"],
    ["half a sign", "Citi\ud800zen"],
  ])("without %s", (_, lastName) => {
    expect(faults(form({ lastName }))).toEqual(["lastName"]);
  });
});

describe("a date of birth is told plainly", () => {
  test.each([
    ["1990-02-30", "February 1990 had only 28 days."],
    ["1988-02-30", "February 1988 had only 29 days."],
    ["1990-04-31", "April 1990 had only 30 days."],
    ["1990-04-32", "The day of birth must be a number from 1 to 31."],
    ["1990-13-01", "The month of birth must be a number from 1 to 12."],
    ["1990-00-01", "The month of birth must be a number from 1 to 12."],
    ["90-04-01", "The year of birth needs four digits, for example 1985."],
    ["1990--01", "Date of birth must include a month."],
    ["1990--", "Date of birth must include a day and a month."],
    ["1990-x-01", "Enter the date of birth in numbers: day, month and year."],
    ["28/02/1990", "Enter the date of birth in numbers: day, month and year."],
    ["1990-2-3", "Enter the date of birth in numbers: day, month and year."],
    ["", "Enter the date of birth."],
    [undefined, "Enter the date of birth."],
    ["2990-01-01", "Date of birth can’t be in the future."],
    ["1890-01-01", "Check the year of birth."],
    // A slip of the finger in 1985 or 1998: nobody is under age for it.
    ["0085-01-01", "Check the year of birth."],
    ["0198-01-01", "Check the year of birth."],
    ["0000-01-01", "Check the year of birth."],
  ])("%j", (dob, message) => {
    expect(messages(form({ dob }))).toEqual({ dob: message });
  });
});

describe("somebody with one name", () => {
  const named = (names: Record<string, unknown>) => form({ ...names, hasOneName: true });

  test.each([
    { firstName: undefined, lastName: "Suharto" },
    { firstName: "Suharto", lastName: "" },
    { firstName: null, lastName: " Suharto " },
  ])("has it as the last name, wherever it was typed: %o", (names) => {
    expect(readPatientDetails(named(names), rules)).toMatchObject({
      patient: { firstName: "Onlyname", lastName: "Suharto" },
    });
  });

  test("has one, and needs to say so", () => {
    expect(faults(named({ firstName: "", lastName: "" }))).toEqual(["lastName"]);
    expect(faults(named({ firstName: "Haji", lastName: "Suharto" }))).toEqual(["lastName"]);
    expect(faults(named({ firstName: "", lastName: "李" }))).toEqual(["lastName"]);
    expect(faults(form({ firstName: "", lastName: "Suharto" }))).toEqual(["firstName"]);
  });
});

describe("the minimum age", () => {
  test("is reached on the birthday, where the patient lives", () => {
    // It is 11 a.m. on the 20th in Melbourne.
    expect(faults(form({ dob: "2008-11-20" }))).toEqual([]);
    expect(faults(form({ dob: "2008-11-21" }))).toEqual(["dob"]);
    // And already the 21st there, when it is still the 20th in Greenwich.
    const evening = { today: new Date("2026-11-20T14:00:00Z") };
    expect(faults(form({ dob: "2008-11-21" }), evening)).toEqual([]);
  });

  test.each([
    // Summer time in the south-east: the day begins at 13:00 in Greenwich.
    ["VIC", "3000", "2026-11-20T12:59:59Z", "2026-11-20T13:00:00Z"],
    ["QLD", "4000", "2026-11-20T13:59:59Z", "2026-11-20T14:00:00Z"],
    ["SA", "5000", "2026-11-20T13:29:59Z", "2026-11-20T13:30:00Z"],
    ["NT", "0800", "2026-11-20T14:29:59Z", "2026-11-20T14:30:00Z"],
    ["WA", "6000", "2026-11-20T15:59:59Z", "2026-11-20T16:00:00Z"],
  ])("is reached at midnight in %s, to the second", (state, postCode, before, after) => {
    const born = form({ dob: "2008-11-21" }, { state, postCode });
    expect(faults(born, { today: new Date(before) })).toEqual(["dob"]);
    expect(faults(born, { today: new Date(after) })).toEqual([]);
  });

  test("is the shop's own", () => {
    expect(faults(form({ dob: "2009-11-20" }), { minimumAge: 16 })).toEqual([]);
    expect(faults(form({ dob: "1990-01-01" }), { minimumAge: 40 })).toEqual(["dob"]);
  });

  test("of somebody born on 29 February is reached by 1 March", () => {
    const born = { dob: "2008-02-29" };
    expect(faults(form(born), { today: new Date("2026-02-28T00:00:00Z") })).toEqual(["dob"]);
    expect(faults(form(born), { today: new Date("2026-03-01T00:00:00Z") })).toEqual([]);
  });
});

describe("a Medicare card", () => {
  const needsMedicare = true;

  test("is asked for only when tests are ordered under Medicare", () => {
    expect(faults(form({ medicareCardNumber: "nonsense" }))).toEqual([]);
    expect(faults(form(), { needsMedicare })).toEqual(["medicareCardNumber"]);
    expect(faults(form({ medicareCardNumber: "2123456711" }), { needsMedicare })).toEqual([
      "medicareCardNumber",
    ]);
  });

  test("is read with spaces, and kept only when it is needed", () => {
    const input = form({ medicareCardNumber: "2123 45670 1", dvaNumber: "NX123456" });
    expect(readPatientDetails(input, { ...rules, needsMedicare })).toMatchObject({
      medicare: { medicareCardNumber: "2123456701", dvaNumber: "NX123456" },
    });
    expect(readPatientDetails(input, rules)).toMatchObject({ medicare: null });
  });

  test.each<[string, string | undefined, string]>([
    ["2123 45670 1", "2", "21234567012"],
    ["2123 45670 1", " ", "2123456701"],
    ["2123 45670 1", undefined, "2123456701"],
    ["2123 45670 1 2", "2", "21234567012"],
  ])("is sent with its reference number: %s and %s", (medicareCardNumber, medicareIrn, sent) => {
    const input = form({ medicareCardNumber, medicareIrn });
    expect(readPatientDetails(input, { ...rules, needsMedicare })).toMatchObject({
      medicare: { medicareCardNumber: sent },
    });
  });

  test.each(["0", "12", "x"])("has no reference number %s", (medicareIrn) => {
    const card = { medicareCardNumber: "2123456701", medicareIrn };
    expect(faults(form(card), { needsMedicare })).toEqual(["medicareIrn"]);
    expect(faults(form(card))).toEqual([]);
  });

  test("has one reference number", () => {
    const card = { medicareCardNumber: "21234567011", medicareIrn: "2" };
    expect(faults(form(card), { needsMedicare })).toEqual(["medicareIrn"]);
  });

  test.each(["2123 45670 1", "2123-45670-1", "2123 45670 1 / 1", "2123.45670.1"])(
    "is read as it is printed: %s",
    (medicareCardNumber) => {
      expect(faults(form({ medicareCardNumber }), { needsMedicare })).toEqual([]);
    },
  );

  test.each(["NX123456", "nx 123456", "QSM12345A", "V 1234", "WKM1234", "", "  "])(
    "may have a DVA file number beside it: %j",
    (dvaNumber) => {
      const card = { medicareCardNumber: "2123456701", dvaNumber };
      expect(faults(form(card), { needsMedicare })).toEqual([]);
    },
  );

  test.each(["123456", "XX123456", "NX", "NX1234567890", "N/A", "none"])(
    "is not saved with what is no DVA file number: %j",
    (dvaNumber) => {
      const card = { medicareCardNumber: "2123456701", dvaNumber };
      expect(faults(form(card), { needsMedicare })).toEqual(["dvaNumber"]);
      // Nobody asks for it where nothing is ordered under Medicare.
      expect(faults(form({ dvaNumber }))).toEqual([]);
    },
  );
});
