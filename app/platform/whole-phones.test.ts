import { expect, test } from "vitest";
import { wholePhones } from "./whole-phones.ts";

test.each([
  ["Call Dr Robin Reader: 02 5550 1234", "Call Dr Robin Reader: 02_5550_1234"],
  ["Healthdirect 1800 022 222, 24 hours.", "Healthdirect 1800_022_222, 24 hours."],
  ["Ring (03) 9000 0000 or +61 412 345 678.", "Ring (03)_9000_0000 or +61_412_345_678."],
  ["Lifeline 13 11 14", "Lifeline 13_11_14"],
  ["call 000.", "call 000."],
  ["Within 14 days, 29 Nov 2026", "Within 14 days, 29 Nov 2026"],
])("keeps telephone numbers whole in %s", (text, whole) => {
  expect(wholePhones(text)).toBe(whole.replaceAll("_", "\u00a0"));
});
