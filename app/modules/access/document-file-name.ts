import type { DocumentKind } from "../referrals/document.ts";
import type { WhoseTest } from "./whose-test.ts";

/**
 * Names a PDF for whoever keeps it among others: what it is, whose, which of several, and which order of it. Never the test,
 * which would tell of somebody's health in a list of files. `referral-form-Ngaire-W-1-of-2-v1.pdf`
 */
export function documentFileName({
  kind,
  version,
  patientName,
  unit,
  replacement,
}: { kind: DocumentKind; version: number } & WhoseTest): string {
  return [
    kind === "referral" ? "referral-form" : "result-report",
    // Letters of every script: a name without its Đ or Ø is somebody else's. Nothing that a disk or an archive reads as more.
    ...(patientName ?? "")
      .normalize("NFC")
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean),
    ...(unit.of === null ? [unit.number] : unit.of > 1 ? [unit.number, "of", unit.of] : []),
    ...(replacement > 0 ? ["replacement"] : []),
    ...(replacement > 1 ? [replacement] : []),
    `v${version}`,
  ]
    .join("-")
    .concat(".pdf");
}
