import type { DocumentKind } from "../referrals/document.ts";
import type { WhoseTest } from "./whose-test.ts";

/**
 * Names a PDF for whoever keeps it among others: what it is, whose, and which of several. Never the test, which would tell
 * of somebody's health in a list of files. `referral-form-Ngaire-W-1-of-2-v1.pdf`
 */
export function documentFileName({
  kind,
  version,
  patientName,
  unit,
}: { kind: DocumentKind; version: number } & WhoseTest): string {
  return [
    kind === "referral" ? "referral-form" : "result-report",
    // Letters of every script: a name without its Đ or Ø is somebody else's. Nothing that a disk or an archive reads as more.
    ...(patientName ?? "")
      .normalize("NFC")
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter(Boolean),
    ...(unit.of > 1 ? [unit.number, "of", unit.of] : []),
    `v${version}`,
  ]
    .join("-")
    .concat(".pdf");
}
