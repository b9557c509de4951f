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
  const person = (patientName ?? "").normalize("NFKD").replace(/\p{M}/gu, "");
  return [
    kind === "referral" ? "referral-form" : "result-report",
    // Letters outside ASCII that have no plain form are left out: a header can't carry them.
    ...person.split(/[^A-Za-z0-9]+/).filter(Boolean),
    ...(unit.of > 1 ? [unit.number, "of", unit.of] : []),
    `v${version}`,
  ]
    .join("-")
    .concat(".pdf");
}
