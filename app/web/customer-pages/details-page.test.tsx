import { describe, expect, test } from "vitest";
import { errorsByField, startingValues } from "../../../extensions/shared/patient-fields.ts";
import { readPatientDetails } from "../../modules/patients/patient-details.ts";
import { detailsPage } from "./details-page.tsx";
import { hostedPage, NO_SHOP } from "./page-response.tsx";
import { detailsToSave, readDetailsForm } from "./read-details-form.ts";
import { foreignClasses } from "./testing/foreign-classes.ts";

const FACTS = { title: "Iron studies", needsMedicare: true, notice: null };
const RULES = { minimumAge: 18, needsMedicare: true, today: new Date("2026-11-20T00:00:00Z") };

/** The page without its style, which names attributes too. */
async function pageOf(form: Parameters<typeof detailsPage>[0]): Promise<string> {
  const page = detailsPage(form, {
    base: "/visit/x",
    formToken: "t",
    timeZone: "Australia/Sydney",
  });
  const markup = await hostedPage(page, { help: NO_SHOP }).text();
  expect(foreignClasses(markup)).toEqual([]);
  return markup.replace(/<style>.*<\/style>/s, "");
}

/** What a browser without script gets after it sent these fields. */
function sent(typed: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(typed)) form.set(name, value);
  const values = readDetailsForm(form);
  const reading = readPatientDetails(detailsToSave(values, true), RULES);
  const faults = errorsByField(reading.kind === "invalid" ? reading.errors : [], true);
  return { values, ...faults };
}

const BAD = {
  ...{ lastName: "李", "dob.day": "3", "dob.month": "", "dob.year": "1990" },
  ...{ medicareCardNumber: "2123 45671 1", medicareIrn: "0" },
};

describe("a form with faults", () => {
  const markup = () => pageOf({ ...FACTS, ...sent(BAD), status: 422 });
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, one]) => one);

  test("lists them in the sequence of the fields, each leading to a field that exists", async () => {
    const page = await markup();
    const [summary = ""] = page.match(/<section[^>]*role="alert".*?<\/section>/s) ?? [];
    const targets = all(summary, /href="#([^"]+)"/g);
    expect(targets).toEqual([
      ...["firstName", "lastName", "dob-month", "gender", "email", "phone"],
      ...["address.addressLine1", "address.city", "address.state", "address.postCode"],
      ...["medicareCardNumber", "medicareIrn", "consent"],
    ]);
    const at = targets.map((id) => page.indexOf(`id="${id}"`));
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    expect(at.every((place) => place > 0)).toBe(true);
  });

  test("takes the focus to the list, and says so in its title", async () => {
    const page = await markup();
    expect(page).toMatch(/<section[^>]*tabindex="-1"[^>]*autofocus=""/);
    expect(page).toContain("<title>Error: Patient details · ");
  });

  test("describes each field with what is there", async () => {
    const page = await markup();
    const ids = new Set(all(page, / id="([^"]+)"/g));
    const described = all(page, /aria-describedby="([^"]+)"/g).flatMap((one) => one?.split(" "));
    expect(described.filter((id) => !ids.has(id))).toEqual([]);
    for (const id of ["lastName", "dob-month", "medicareIrn", "consent"])
      expect(page).toMatch(new RegExp(`<input[^>]*id="${id}"[^>]*aria-invalid="true"`));
    expect(page).not.toMatch(/id="dob-day"[^>]*aria-invalid/);
  });

  test("keeps what was typed", async () => {
    const page = await markup();
    for (const value of ["李", "1990", "2123 45671 1"]) expect(page).toContain(`value="${value}"`);
  });
});

test("a new form has no faults, numeric keys and names for what a browser fills in", async () => {
  const page = await pageOf({
    ...{ ...FACTS, values: startingValues(null), errors: {}, others: [], status: 200 },
  });
  expect(page).not.toMatch(/role="alert"|autofocus|aria-invalid|<title>Error/);
  const attributes = (id: string) => page.match(new RegExp(`<[^>]* id="${id}"[^>]*>`))?.[0];
  for (const [id, token] of [
    ["firstName", "given-name"],
    ["lastName", "family-name"],
    ["dob-day", "bday-day"],
    ["dob-month", "bday-month"],
    ["dob-year", "bday-year"],
    ["email", "email"],
    ["phone", "tel"],
    ["address.addressLine1", "address-line1"],
    ["address.city", "address-level2"],
    ["address.state", "address-level1"],
    ["address.postCode", "postal-code"],
  ] as const)
    expect(attributes(id)).toContain(`autoComplete="${token}"`);
  for (const id of ["dob-day", "address.postCode", "medicareCardNumber", "medicareIrn"])
    expect(attributes(id)).toContain('inputMode="numeric"');
  expect(page).toMatch(/<svg[^>]*role="img"[^>]*aria-label="Sketch of a Medicare card/);
});

test("says what to do when no answer comes: sending the same again saves it once", async () => {
  const form = { ...FACTS, ...sent({}), errors: {}, others: [], status: 200 };
  expect(await pageOf(form)).toContain("save again: we keep the details once");
});
