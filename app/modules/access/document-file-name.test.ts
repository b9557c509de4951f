import { expect, test } from "vitest";
import { pdfResponse } from "../../web/customer-interface/pdf-response.ts";
import { documentFileName } from "./document-file-name.ts";

const nameOf = (patientName: string | null, unit = { number: 1, of: 1 }, replacement = 0) =>
  documentFileName({ kind: "referral", version: 1, patientName, unit, replacement });

test("the file of a test that was ordered again says so: the former form must not be used", () => {
  const one = { number: 1, of: 1 };
  expect(nameOf("Ann N.", one, 1)).toBe("referral-form-Ann-N-replacement-v1.pdf");
  expect(nameOf("Ann N.", one, 2)).toBe("referral-form-Ann-N-replacement-2-v1.pdf");
});

test.each([
  ["Ngaire W.", "referral-form-Ngaire-W-v1.pdf"],
  ["Đặng N.", "referral-form-Đặng-N-v1.pdf"],
  ["Søren Ł.", "referral-form-Søren-Ł-v1.pdf"],
  ["Иван П.", "referral-form-Иван-П-v1.pdf"],
  ['A/B\\C"..D.', "referral-form-A-B-C-D-v1.pdf"],
  ["Ann 😀 N.", "referral-form-Ann-N-v1.pdf"],
  [null, "referral-form-v1.pdf"],
])("the file of %s bears the whole name, and no sign that a disk refuses", (name, file) => {
  expect(nameOf(name)).toBe(file);
});

test.each([
  ["Ngaire W.", 'inline; filename="referral-form-Ngaire-W-v1.pdf"'],
  [
    "Søren Ł.",
    "inline; filename=\"referral-form-Soren-L-v1.pdf\"; filename*=UTF-8''referral-form-S%C3%B8ren-%C5%81-v1.pdf",
  ],
  [
    "Đặng N.",
    "inline; filename=\"referral-form-Dang-N-v1.pdf\"; filename*=UTF-8''referral-form-%C4%90%E1%BA%B7ng-N-v1.pdf",
  ],
  [
    "Иван П.",
    "inline; filename=\"referral-form-v1.pdf\"; filename*=UTF-8''referral-form-%D0%98%D0%B2%D0%B0%D0%BD-%D0%9F-v1.pdf",
  ],
])("a browser is told the name of the file of %s (RFC 6266)", (name, header) => {
  const response = pdfResponse({ fileName: nameOf(name), pdf: Buffer.from("%PDF") });
  expect(response.headers.get("content-disposition")).toBe(header);
});
