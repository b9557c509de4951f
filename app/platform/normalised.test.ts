import { expect, test } from "vitest";
import { normalised } from "./normalised.ts";

test.each([
  ["NFC", "Ngai\u0308re", "Ngaïre"],
  ["NFC", "Nguye\u0302\u0303n", "Nguyễn"],
  ["NFKC", "０４１２ ｶﾞ", "0412 ガ"],
  ["NFKD", "Đặng", "Đa\u0323\u0306ng"],
] as const)("writes text in %s as Unicode does: %j", (form, text, written) => {
  expect(normalised(text, form)).toBe(written);
});

test("keeps thirty marks on one sign, and each sign's own", () => {
  const marks = "\u0300".repeat(30);
  expect(normalised(`q${marks}x${marks}`, "NFC")).toBe(`q${marks}x${marks}`);
  expect(normalised(`q${marks}\u0300x`, "NFC")).toBe(`q${marks}x`);
});

test.each(["\u0315\u0300", "\uff9e\u0300", "\u0f73\u0300", "\u0344\u0315"])(
  "is done with a text of nothing but %j at once",
  (marks) => {
    const beganAt = performance.now();
    for (const form of ["NFC", "NFKC", "NFKD"] as const) normalised(marks.repeat(500_000), form);
    expect(performance.now() - beganAt).toBeLessThan(2_000);
  },
);
