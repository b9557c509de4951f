import { expect, test } from "vitest";
import { sampleResult } from "../../../test/samples/facts.ts";
import { heldVersion } from "./held-version.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 0, 0, second));
const one = sampleResult({ uuid: "a", serviceUpdatedAt: at(1), figuresAt: at(2) });
const other = sampleResult({ uuid: "b", serviceUpdatedAt: at(1), figuresAt: at(2) });

test("is the same for the same held results in any sequence", () => {
  expect(heldVersion([one, other])).toBe(heldVersion([other, one]));
  expect(heldVersion([one, sampleResult({ uuid: "c", releasedAt: at(3) })])).toBe(
    heldVersion([one]),
  );
});

test("is another for other figures, also of one moment of the service", () => {
  expect(heldVersion([{ ...one, figuresAt: at(3) }])).not.toBe(heldVersion([one]));
  expect(heldVersion([{ ...one, serviceUpdatedAt: at(2) }])).not.toBe(heldVersion([one]));
});
