import type { Words } from "../kernel/words.ts";
import { countOf } from "../kernel/words.ts";

const FAULTS: Record<string, Words> = {
  INVALID_PROVIDER_NUMBER: {
    sentence: "The service doesn’t know this provider number for your organisation.",
    nextStep:
      "Register it in the service’s web application (Settings, Provider Numbers), then press “Recheck”. Or choose another practitioner in the product’s mapping.",
  },
  MISSING_PROVIDER_SIGNATURE: {
    sentence: "The service has no signature on file for this provider number.",
    nextStep:
      "Capture the signature in the service’s web application (Settings, Provider Numbers), then press “Recheck”. Or choose another practitioner in the product’s mapping.",
  },
  NOT_IN_REGISTRY: {
    sentence: "This practitioner isn’t in your list any more.",
    nextStep: "Choose another practitioner for the mapping.",
  },
};

/** Describes the service's refusal of a provider number, and what to do. */
export function describePractitionerFault(code: string): Words {
  const known = Object.hasOwn(FAULTS, code) ? FAULTS[code] : undefined;
  return (
    known ?? {
      sentence: `The service refused this provider number (${code}).`,
      nextStep:
        "Check it in the service’s web application, then press “Recheck”. Or choose another practitioner in the product’s mapping.",
    }
  );
}

/** How many tests go out again now that their practitioner was put right; "" for none. */
export function describeSentAgain(count: number): string {
  if (count === 0) return "";
  return `${countOf(count, "refused test")} ${count === 1 ? "is" : "are"} being sent again.`;
}

export const PROVIDER_NUMBER_HELP =
  "Check the provider number: six digits, a digit or letter for the practice, and a check letter, for example 2426621B.";
