import { expect, test } from "vitest";
import { wireBiomarker, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../clients/referral-service/wire/result.ts";
import { alertOf } from "./result-alert.ts";

const resultOf = (critical: number | null, biomarkers: Record<string, unknown>[] = []) =>
  resultSchema.parse(
    wireResult({
      biomarkerSummary:
        critical === null ? null : { normal: 1, abnormal: 0, critical, total: 1 + critical },
      biomarkers: biomarkers.map((fields) => wireBiomarker(fields)),
    }),
  );
const word = (value: string, isAbnormal = true) => ({ value, valueType: "string", isAbnormal });

test("counts the critical values that the laboratory counted", () => {
  expect(alertOf(resultOf(2))).toEqual({ level: "critical", count: 2 });
});

test("says critical before positive", () => {
  expect(alertOf(resultOf(1, [word("Reactive")]))).toEqual({ level: "critical", count: 1 });
});

test.each(["Reactive", "POSITIVE", "Detected", "Weakly reactive", "Equivocal", "Present"])(
  "finds a flagged %s positive",
  (value) => {
    expect(alertOf(resultOf(0, [word(value)]))).toEqual({ level: "positive", count: 1 });
  },
);

test("finds what stands in the form for people where the value is blank", () => {
  const blank = { ...word(" "), formattedValue: "Reactive" };
  expect(alertOf(resultOf(0, [blank]))).toEqual({ level: "positive", count: 1 });
});

test.each([
  "Detected, no resistance mutation found",
  "Reactive (not confirmed)",
  "HIV Ag/Ab non-reactive; hepatitis C antibody reactive",
  "Chlamydia not detected and gonorrhoea detected",
  "No bacteria, yeasts present",
  "Negative for A. Positive for B",
  "Not typed - reactive",
])("finds what is there beside what is not in %s", (value) => {
  expect(alertOf(resultOf(0, [word(value)]))).toEqual({ level: "positive", count: 1 });
});

test.each([
  "No antibodies to hepatitis C detected",
  "DNA not present",
  "Negative (not detected)",
  "Non - reactive",
  "Neither detected nor equivocal",
  "None detected",
])("finds nothing in %s", (value) => {
  expect(alertOf(resultOf(0, [word(value)]))).toBeNull();
});

test.each([
  "Non-reactive",
  "Non  - reactive",
  "Non -\n\nreactive",
  "Not detected",
  "Negative",
  "Absent",
  "Nil",
  "No growth detected",
])("finds no alert in %s", (value) => {
  expect(alertOf(resultOf(0, [word(value)]))).toBeNull();
});

test("finds no alert in a word that the laboratory did not flag, such as a blood group", () => {
  expect(alertOf(resultOf(0, [word("O Rh(D) positive", false)]))).toBeNull();
});

test.each([
  "Neisseria gonorrhoeae isolated",
  "Presumptive",
  "Inconclusive",
  "+ve",
  "Heavy growth of Escherichia coli",
  "Gram negative diplococci seen",
  "Chlamydia DETECTED Gonorrhoea NOT DETECTED",
  "HIV-1 negative HIV-2 positive",
])("finds a flagged %s positive, as laboratories print it", (value) => {
  expect(alertOf(resultOf(0, [word(value)]))).toEqual({ level: "positive", count: 1 });
});

test("finds words positive that stand in the place of a number, or beside an empty value", () => {
  const load = { value: "Detected, <20 copies/mL", valueType: "numeric", isAbnormal: true };
  const shown = { value: "", formattedValue: "Reactive", isAbnormal: true };
  expect(alertOf(resultOf(0, [load, shown]))).toEqual({ level: "positive", count: 2 });
});

test("finds no alert in a number outside its range", () => {
  const number = { value: "12.5", valueType: "numeric", isAbnormal: true };
  expect(alertOf(resultOf(null, [number]))).toBeNull();
});
