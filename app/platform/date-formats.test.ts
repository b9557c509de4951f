import { expect, test } from "vitest";
import { dateFormat, zoneNameAt } from "./date-formats.ts";

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

test("names a time zone as its people do, and never by its distance from Greenwich", () => {
  const at = new Date("2026-11-27T16:00:00Z");
  const names = {
    "Australia/Sydney": "AEDT",
    "Australia/Perth": "AWST",
    "Pacific/Noumea": "New Caledonia Standard Time",
    "Indian/Christmas": "Christmas Island Time",
  };
  for (const [zone, name] of Object.entries(names)) expect(zoneNameAt(at, zone)).toBe(name);
  expect(zoneNameAt(new Date("2026-06-01T00:00:00Z"), "Australia/Sydney")).toBe("AEST");
});
