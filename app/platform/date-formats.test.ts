import { expect, test } from "vitest";
import { dateFormat } from "./date-formats.ts";

test("one format is made for a locale, a time zone and a style", () => {
  const sydney = dateFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" });
  expect(dateFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Sydney" })).toBe(sydney);

  const moment = new Date("2026-11-24T14:00:00Z");
  expect(sydney.format(moment)).toBe("25 November 2026");
  const perth = dateFormat("en-AU", { dateStyle: "long", timeZone: "Australia/Perth" });
  expect(perth.format(moment)).toBe("24 November 2026");
});

test("a time zone that does not exist is an error each time", () => {
  const ask = () => dateFormat("en-AU", { timeZone: "Nowhere/Land" });
  expect(ask).toThrow(RangeError);
  expect(ask).toThrow(RangeError);
});
