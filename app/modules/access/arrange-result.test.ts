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
