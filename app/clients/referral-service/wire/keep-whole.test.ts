import { expect, test } from "vitest";
import { wireBiomarker, wireReferral, wireResult } from "../testing/wire-samples.ts";
import { referralSchema } from "./referral.ts";
import { resultSchema } from "./result.ts";

test("keeps the fields of a result that this version does not know, at every depth", () => {
  const said = wireResult({
    novelty: { deep: [1] },
    person: { firstName: "Ada", lastName: "Citizen", dob: null, suffix: "OAM" },
    reviewedBy: { name: "Dr Who" },
    biomarkers: [wireBiomarker({ flag: "H", category: { id: "c", name: "n", colour: "red" } })],
  });
  const { whole, ...read } = resultSchema.parse(said);
  expect(whole).toMatchObject({
    novelty: { deep: [1] },
    person: { suffix: "OAM" },
    reviewedBy: { name: "Dr Who" },
    biomarkers: [{ flag: "H", category: { colour: "red", description: "" } }],
  });
  expect(JSON.stringify(read)).not.toMatch(/novelty|suffix|flag|colour|Dr Who/);
});

test("keeps what a Medicare referral says of the card, and reads its number alone, to compare it", () => {
  const said = wireReferral({ medicareCardNumber: "2123456701", unknownYet: null });
  const { whole, ...read } = referralSchema.parse(said);
  expect(whole).toMatchObject({ medicareCardNumber: "2123456701", unknownYet: null });
  expect(read.medicareCardNumber).toBe("2123456701");
  expect(JSON.stringify(read)).not.toMatch(/unknownYet/);
});

test("names the place that does not fit", () => {
  const parsed = resultSchema.safeParse(wireResult({ biomarkers: [{ id: [7] }] }));
  expect(parsed.error?.issues.map(({ path }) => path.join("."))).toContain("biomarkers.0.id");
});
