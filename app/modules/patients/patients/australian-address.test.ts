import { expect, test } from "vitest";
import { AUSTRALIAN_STATES, australianState, postcodeIsIn } from "./australian-address.ts";

test.each([
  [
    "NSW",
    ["1001", "2000", "2599", "2619", "2640", "2899", "2921"],
    ["2600", "2615", "2900", "3000"],
  ],
  ["ACT", ["0200", "2600", "2601", "2615", "2900", "2914"], ["2000", "2599", "2621", "2999"]],
  ["VIC", ["3000", "3999", "8001", "8999"], ["2999", "4000", "9000"]],
  ["QLD", ["4000", "4999", "9000", "9726"], ["3999", "5000"]],
  ["SA", ["5000", "5999"], ["4999", "6000"]],
  ["WA", ["6000", "6797", "6999"], ["5999", "7000"]],
  ["TAS", ["7000", "7999"], ["6999", "8000"]],
  ["NT", ["0800", "0909", "0999"], ["0799", "1000"]],
])("%s has its postcodes and no others", (state, inside, outside) => {
  for (const postCode of inside) expect(postcodeIsIn(postCode, state), postCode).toBe(true);
  for (const postCode of outside) expect(postcodeIsIn(postCode, state), postCode).toBe(false);
});

test.each([
  ["0872", ["NT", "SA", "WA"]],
  ["2620", ["ACT", "NSW"]],
  ["2618", ["ACT", "NSW"]],
  ["4383", ["NSW", "QLD"]],
  ["3644", ["NSW", "VIC"]],
  // Jervis Bay, Alpurrurulam and Mungindi.
  ["2540", ["ACT", "NSW"]],
  ["4825", ["NT", "QLD"]],
  ["2406", ["NSW", "QLD"]],
])("%s lies on a border", (postCode, states) => {
  expect(AUSTRALIAN_STATES.filter((state) => postcodeIsIn(postCode, state)).sort()).toEqual(states);
});

test("every postcode lies in at most three states, and most in one", () => {
  let several = 0;
  for (let number = 0; number <= 9999; number++) {
    const postCode = String(number).padStart(4, "0");
    const states = AUSTRALIAN_STATES.filter((state) => postcodeIsIn(postCode, state));
    expect(states.length).toBeLessThanOrEqual(3);
    if (states.length > 1) several++;
  }
  expect(several).toBeLessThan(30);
});

test.each(["", "200", "20000", "2OOO", " 2000", "-200", "2e3", "２０００"])(
  "%j is no postcode",
  (text) => {
    for (const state of AUSTRALIAN_STATES) expect(postcodeIsIn(text, state)).toBe(false);
  },
);

test.each([
  ["nsw", "NSW"],
  [" Victoria ", "VIC"],
  ["Australian Capital Territory", "ACT"],
  ["northern territory", "NT"],
  ["N.S.W.", null],
  ["Auckland", null],
  ["", null],
  ["constructor", null],
])("%j is %j", (text, state) => {
  expect(australianState(text)).toBe(state);
});
