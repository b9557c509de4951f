import { expect, test } from "vitest";
import { longMoment } from "./show-date.ts";

test("tells a time of day with its zone, in summer and in winter", () => {
  const summer = new Date("2026-01-02T03:00:00Z");
  expect(longMoment(summer, "Australia/Sydney")).toBe("2 January 2026 at 2:00 pm AEDT");
  expect(longMoment(summer, "Australia/Perth")).toBe("2 January 2026 at 11:00 am AWST");
  const winter = new Date("2026-07-02T03:00:00Z");
  expect(longMoment(winter, "Australia/Sydney")).toBe("2 July 2026 at 1:00 pm AEST");
});
