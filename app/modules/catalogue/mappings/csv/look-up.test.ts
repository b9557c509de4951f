import { expect, test } from "vitest";
import { lookUpIn } from "./look-up.ts";

const things = [
  { id: "aB3", name: "Iron studies", shortName: "Fe" },
  { id: "Ab3", name: "HIV antibodies", shortName: "HIV" },
  { id: "TSH", name: "Thyroid", shortName: "T" },
];

test("finds an id as it is written, in any case where only one thing has it", () => {
  const lookUp = lookUpIn(things);
  expect(lookUp("aB3")).toEqual({ kind: "found", id: "aB3" });
  expect(lookUp("Ab3")).toEqual({ kind: "found", id: "Ab3" });
  expect(lookUp("tsh")).toEqual({ kind: "found", id: "TSH" });
});

test("takes none of two things whose ids differ in their letters' case alone", () => {
  expect(lookUpIn(things)("AB3")).toEqual({ kind: "several" });
});
