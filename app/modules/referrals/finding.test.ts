import { expect, test } from "vitest";
import { isFinding, saysNothing } from "./finding.ts";

test.each([
  "Reactive",
  "POS",
  "+ve",
  "Presumptive",
  "Inconclusive",
  "Heavy growth of Escherichia coli",
  "Neisseria gonorrhoeae isolated",
  "Gram negative diplococci seen",
  "Chlamydia DETECTED Gonorrhoea NOT DETECTED",
  "Chlamydia NOT DETECTED Gonorrhoea DETECTED",
  "HIV-1 negative HIV-2 positive",
  "Detected, <20 copies/mL",
])("finds something in %s", (answer) => {
  expect(isFinding(answer)).toBe(true);
});

test.each([
  "Non Reactive",
  "Nonreactive",
  "Undetectable",
  "Not detected",
  "-ve",
  "Negative",
  "No growth",
  "No growth detected",
  "Nil organisms seen or grown",
  "Neither Chlamydia nor gonorrhoea detected",
  "No mutation identified",
  "1:640",
  "12.5",
  "",
])("finds nothing in %s", (answer) => {
  expect(isFinding(answer)).toBe(false);
});

test.each([
  "",
  " ",
  "-",
  "--",
  "Haemolysed – not reported",
  "Insufficient sample",
  "See comment",
  "Refer to attached report",
  "Pending",
  "To follow",
  "Not tested",
  "N/A",
  "QNS",
])("takes %j for no answer", (value) => {
  expect(saysNothing(value)).toBe(true);
});

test.each(["5.4", "<0.1", "Not detected", "Unremarkable", "Nil", "1:640", "Yellow", "Seen"])(
  "takes %j for an answer",
  (value) => {
    expect(saysNothing(value)).toBe(false);
  },
);
