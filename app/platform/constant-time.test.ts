import { expect, test } from "vitest";
import { equalSecrets } from "./constant-time.ts";

const equal = (given: string, expected: string) =>
  equalSecrets(Buffer.from(given), Buffer.from(expected));

test("takes only the same bytes for the same secret", () => {
  expect(equal("secret", "secret")).toBe(true);
  expect(equal("secreT", "secret")).toBe(false);
});

test("takes no beginning of a secret, nothing longer and nothing empty for it", () => {
  expect(equal("secre", "secret")).toBe(false);
  expect(equal("secrets", "secret")).toBe(false);
  expect(equal("", "secret")).toBe(false);
});
