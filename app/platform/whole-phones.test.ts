import { expect, test } from "vitest";
import { wholePhones } from "./whole-phones.ts";

test.each([
  ["Call Dr Robin Reader: 02 5550 1234", "Call Dr Robin Reader: 02_5550_1234"],
  ["Healthdirect 1800 022 222, 24 hours.", "Healthdirect 1800_022_222, 24 hours."],
  ["Ring (03) 9000 0000 or +61 412 345 678.", "Ring (03)_9000_0000 or +61_412_345_678."],
  ["Ring +61 (0)2 5550 1234 or +64 (4) 555 0000.", "Ring +61_(0)2_5550_1234 or +64_(4)_555_0000."],
  ["2 tests (1 critical)", "2 tests (1 critical)"],
  ["In 2026 (2 tests)", "In 2026 (2 tests)"],
  ["Lifeline 13 11 14", "Lifeline 13_11_14"],
  ["call 000.", "call 000."],
  ["Within 14 days, 29 Nov 2026", "Within 14 days, 29 Nov 2026"],
])("keeps telephone numbers whole in %s", (text, whole) => {
  expect(wholePhones(text)).toBe(whole.replaceAll("_", "\u00a0"));
});
