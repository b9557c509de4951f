import type { Environment, SigningScheme } from "../domain/connections/connection.ts";
import type { ReferralServiceFailure } from "../lib/errors.ts";
import type { DescribeFailure, Words } from "./words.ts";

export const ENVIRONMENT_NAMES: Record<Environment, string> = {
  staging: "Staging",
  production: "Production",
};

export const ENVIRONMENT_NOTES: Record<Environment, string> = {
  staging: "For trying things out. No patient, no laboratory and no bill is real here.",
  production: "For real patients. The service bills your organisation for each referral.",
};

export const SIGNING_SCHEME_NAMES: Record<SigningScheme, string> = {
  "standard-webhooks": "Standard Webhooks",
  "hmac-hex": "HMAC-SHA256, hexadecimal",
  "hmac-base64": "HMAC-SHA256, Base64",
  "shared-secret": "Shared secret in a header",
  none: "Not signed",
};

const FAILURE_PREFIX = "referral_service_";

/** Words for a stored outcome of "Test connection"; null when it passed or was never run. */
export function describeTestOutcome(
  outcome: string | null,
  describeFailure: DescribeFailure,
): Words | null {
  if (outcome === null || outcome === "ok") return null;
  if (!outcome.startsWith(FAILURE_PREFIX)) return describeFailure({ serviceCode: outcome });
  return describeFailure({
    failure: outcome.slice(FAILURE_PREFIX.length) as ReferralServiceFailure,
  });
}

/** The toast after a test. */
export function testToast(
  outcome:
    | { kind: "ok"; tests: number; bundles: number }
    | { kind: "failed" }
    | { kind: "no_connection" },
): { toast: string; toastIsError: boolean } {
  switch (outcome.kind) {
    case "ok":
      return {
        toast: `Connection works: ${outcome.tests} tests and ${outcome.bundles} bundles`,
        toastIsError: false,
      };
    case "failed":
      return { toast: "The connection test failed", toastIsError: true };
    case "no_connection":
      return { toast: "Save the connection first", toastIsError: true };
  }
}
