import fc from "fast-check";
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

test("keeps as it was said what reads otherwise, at the place where it was said", () => {
  const address = { line1: "1 High St", floor: 3 };
  const { whole, ...read } = referralSchema.parse(
    wireReferral({
      tests: [{ id: "fbc", name: "Full blood count" }],
      person: { firstName: "Ada", lastName: "Citizen", dob: { year: 1990 }, address: "1 High St" },
      orderingPractitioner: { name: "Dr Who", address, providerNumber: 12 },
      metadata: '{"requestId":"r-1"}',
      status: "issued",
    }),
  );
  expect(whole).toMatchObject({
    ...{ tests: [], status: "ISSUED", metadata: { requestId: "r-1" } },
    person: { dob: null, address: null, said: { dob: { year: 1990 }, address: "1 High St" } },
    orderingPractitioner: { address: "1 High St", said: { address } },
    said: {
      tests: [{ id: "fbc", name: "Full blood count" }],
      ...{ status: "issued", metadata: '{"requestId":"r-1"}' },
    },
  });
  expect(read).not.toHaveProperty("said");
  const result = resultSchema.parse(
    wireResult({ resultDate: "12/03/2026", said: "their own", reviewed: "by Dr Who" }),
  );
  expect(result.whole).toMatchObject({
    ...{ resultDate: null, reviewed: false },
    said: { resultDate: "12/03/2026", said: "their own", reviewed: "by Dr Who" },
  });
});

test("keeps an ordinary answer with no byte more, in other writings too", () => {
  const referral = wireReferral({
    uuid: "0B9D7A86-5C1E-4C5E-9F0C-1F8F3C1D2A01",
    ...{ medicare: 1, reference: 12345678, tests: ["fbc", 7], deletedAt: "", metadata: [] },
    person: { firstName: "Ada", lastName: "Citizen", address: { postCode: 3000 } },
  });
  const result = wireResult({
    resultDate: "2026-11-20T00:00:00.000Z",
    biomarkers: [wireBiomarker({ value: 40, refIntervalLow: "30", isAbnormal: "false" })],
    biomarkerSummary: { normal: "1", abnormal: 0, critical: 0, total: 1 },
  });
  for (const said of [referral, wireReferral(), wireReferral({ medicareCardNumber: "2123456701" })])
    expect(JSON.stringify(referralSchema.parse(said).whole)).not.toContain('"said"');
  for (const said of [result, wireResult(), wireResult({ person: null, biomarkers: null })])
    expect(JSON.stringify(resultSchema.parse(said).whole)).not.toContain('"said"');
});

test("keeps no signed address, in whatever form it came", () => {
  const link = { url: "https://files.example/signed", until: "noon" };
  const referral = referralSchema.parse(wireReferral({ referralAttachment: link }));
  expect(referral.referralAttachment).toBe(link.url);
  expect(referral.whole).not.toHaveProperty("said");
  const result = resultSchema.parse(wireResult({ resultAttachment: ["", link] }));
  expect(result.whole).not.toHaveProperty("said");
});

/** Answers in whatever shape, whose values are each found nowhere else. */
const anything = (() => {
  let next = 0;
  const mark = fc.constantFrom("text", "number", "padded").map((kind) => {
    const number = 1_000_000 + next++;
    return kind === "number" ? number : kind === "padded" ? `  mark ${number} ` : `Mark-${number}`;
  });
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      mark,
      fc.constantFrom(null, true, false, 0, "", "2026-02-03"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom("said", "whole", "name", "address", "firstName", "city", "id", "new"),
        tie("value"),
        { maxKeys: 4 },
      ),
    ),
  })).value;
})();

/** Everything that an answer says, but yes, no and nothing. */
function marksIn(said: unknown): string[] {
  if (typeof said === "object" && said !== null) return Object.values(said).flatMap(marksIn);
  return /mark|\d{7}/i.test(String(said)) ? [JSON.stringify(said)] : [];
}

const fieldsOf = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), anything, { maxKeys: 6 });

test.each([
  [
    "referral",
    (fields: object) => referralSchema.safeParse(wireReferral({ ...fields })),
    fieldsOf([
      ...["tests", "productId", "productName", "origin", "reference", "emailSentAt", "resultsUuid"],
      ...["createdAt", "updatedAt", "status", "orderingPractitioner", "medicareCardNumber"],
      ...["routingMessage", "metadata", "unread", "said", "new"],
    ]),
    fieldsOf(["email", "phone", "dob", "gender", "address", "said", "new"]),
  ],
  [
    "result",
    (fields: object) => resultSchema.safeParse(wireResult({ ...fields })),
    fieldsOf([
      ...["reference", "productId", "resultDate", "createdAt", "updatedAt", "reviewedBy"],
      ...["reviewed", "metadata", "unread", "said", "new"],
    ]),
    fieldsOf(["dob", "said", "new"]),
  ],
] as const)("loses nothing that a %s says, in whatever shape", (_, parse, ofAnswer, ofPerson) => {
  let read = 0;
  fc.assert(
    fc.property(ofAnswer, ofPerson, (fields, person) => {
      const said = { ...fields, person: { firstName: "Ada", lastName: "Citizen", ...person } };
      const { data } = parse(said);
      if (!data) return;
      read++;
      const kept = JSON.stringify(data.whole);
      for (const mark of marksIn(said)) expect(kept).toContain(mark.replaceAll('"', ""));
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(200);
});
