import { expect, test } from "vitest";
import {
  isResultReason,
  isSameReason,
  parseReasonKey,
  plainReason,
  RESULT_REASONS,
  REVIEW_CODES,
  reasonKey,
} from "./review-reason.ts";

test("knows each code once, those with a detail as well", () => {
  expect(REVIEW_CODES).toEqual(expect.arrayContaining(["ambiguous", "held", "rejected"]));
  expect(new Set(REVIEW_CODES).size).toBe(REVIEW_CODES.length);
});

test("reads a reason from the key that it is told by, whatever its detail holds", () => {
  for (const code of REVIEW_CODES) expect(parseReasonKey(code)).toEqual({ code, detail: null });
  for (const detail of ["INVALID_PAYLOAD", "files.example:8443", "a::b", ""]) {
    const reason = { code: "rejected", detail } as const;
    expect(parseReasonKey(reasonKey(reason))).toEqual(reason);
  }
  expect(reasonKey(plainReason("ambiguous"))).toBe("ambiguous");
  expect(reasonKey({ code: "rejected", detail: "115" })).toBe("rejected:115");
});

test("keeps a code of a later version as it stands", () => {
  expect(parseReasonKey("a_later_one:x")).toEqual({ code: "a_later_one", detail: "x" });
});

test("takes two reasons for the same by code and detail", () => {
  const refused = { code: "rejected", detail: "115" } as const;
  expect(isSameReason(refused, { ...refused })).toBe(true);
  expect(isSameReason(refused, { ...refused, detail: "116" })).toBe(false);
  expect(isSameReason(refused, { ...refused, code: "half_rejected" })).toBe(false);
  expect(isSameReason(refused, plainReason("rejected"))).toBe(false);
  expect(isSameReason(refused, null)).toBe(false);
  expect(isSameReason(null, plainReason("held"))).toBe(false);
  expect(isSameReason(null, null)).toBe(true);
});

test("tells why somebody has to see to a result from everything else", () => {
  for (const code of REVIEW_CODES)
    expect(isResultReason(code)).toBe(RESULT_REASONS.some((one) => one === code));
  expect(isResultReason(null)).toBe(false);
});
