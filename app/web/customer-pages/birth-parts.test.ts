import { expect, test } from "vitest";
import { faultyBirthParts, joinBirthParts, splitBirthParts } from "./birth-parts.ts";

test.each([
  [{ day: "3", month: "2", year: "1990" }, "1990-02-03"],
  [{ day: " 03 ", month: "February", year: "1990" }, "1990-02-03"],
  [{ day: "31", month: "SEPT", year: "1990" }, "1990-09-31"],
  [{ day: "3", month: "", year: "1990" }, "1990--03"],
  [{ day: "1-2", month: "x", year: "90" }, "90-x-1/2"],
  [{ day: "３", month: "２", year: "１９９０" }, "1990-02-03"],
  [{ day: " ", month: "", year: "" }, ""],
])("joins %o", (typed, date) => {
  expect(joinBirthParts(typed)).toBe(date);
});

test("splits what it joined", () => {
  expect(splitBirthParts("1990-02-03")).toEqual({ day: "3", month: "2", year: "1990" });
  expect(splitBirthParts("1990--00")).toEqual({ day: "0", month: "", year: "1990" });
  expect(splitBirthParts("")).toEqual({ day: "", month: "", year: "" });
});

test("names the empty fields, or all where the date as a whole is wrong", () => {
  expect(faultyBirthParts("1990--03")).toEqual(["month"]);
  expect(faultyBirthParts("")).toEqual(["day", "month", "year"]);
  expect(faultyBirthParts("1990-02-31")).toEqual(["day", "month", "year"]);
});
