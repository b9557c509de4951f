import { expect, test } from "vitest";
import { wireBiomarker, wireResult } from "../../clients/referral-service/testing/wire-samples.ts";
import { resultSchema } from "../../clients/referral-service/wire/result.ts";
import { arrange } from "./open-result.ts";

test("two values of one marker have names of their own, on which a page can lead to each", () => {
  const twice = ["5.1", "9.4"].map((value) => wireBiomarker({ id: "glucose", value }));
  const snapshot = resultSchema.parse(wireResult({ biomarkers: twice }));
  const { categories } = arrange(snapshot, {
    ...{ title: "Glucose tolerance", partial: false, timeZone: "Australia/Sydney" },
  });
  const shown = categories.flatMap(({ biomarkers }) => biomarkers);
  expect(shown.map(({ id, value }) => [id, value])).toEqual([
    ["glucose", "5.1"],
    ["glucose-2", "9.4"],
  ]);
});

test.each([
  [{ value: "5.4", unit: "mmol/L", formattedValue: null }, "5.4 mmol/L"],
  [{ value: "<0.1", unit: "mmol/L", formattedValue: "0.1 mmol/L" }, "<0.1 mmol/L"],
  [{ value: ">1000", unit: "ug/L", formattedValue: "> 1,000 ug/L" }, "> 1,000 ug/L"],
  [{ value: "1200", unit: "ug/L", formattedValue: "1,200 ug/L" }, "1,200 ug/L"],
])("the value %j is written %s", (fields, written) => {
  const snapshot = resultSchema.parse(wireResult({ biomarkers: [wireBiomarker(fields)] }));
  const { categories } = arrange(snapshot, {
    ...{ title: "Check", partial: false, timeZone: "Australia/Sydney" },
  });
  expect(categories[0]?.biomarkers[0]?.formattedValue).toBe(written);
});

test("values stand under the name of their own category, also where categories have no id, or no name", () => {
  const of = (id: string, category: unknown) => wireBiomarker({ id, category });
  const biomarkers = [
    of("ferritin", { name: "Iron" }),
    of("alt", { name: "Liver" }),
    of("iron", { name: "Iron" }),
    of("film", null),
  ];
  const { categories } = arrange(resultSchema.parse(wireResult({ biomarkers })), {
    ...{ title: "Check", partial: false, timeZone: "Australia/Sydney" },
  });
  expect(categories.map(({ name, biomarkers }) => [name, biomarkers.map(({ id }) => id)])).toEqual([
    ["Iron", ["ferritin", "iron"]],
    ["Liver", ["alt"]],
    ["Other", ["film"]],
  ]);
  expect(new Set(categories.map(({ id }) => id)).size).toBe(3);
});
