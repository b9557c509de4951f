import type { PractitionerEntry } from "../../modules/catalogue/keep-practitioners.ts";
import { NAMELESS_PRODUCT } from "../../modules/catalogue/mapping-words.ts";
import { describePractitionerFault } from "../../modules/catalogue/practitioner-words.ts";
import { gidNumber } from "../../modules/kernel/ids.ts";

/** The shop's practitioners as the page shows them: who, what the service said of the number, which products. */
export function presentPractitioners(all: readonly PractitionerEntry[]) {
  return all.map(({ label, name, address, providerNumber, fault, faultAt, uses }) => ({
    label,
    name,
    address,
    providerNumber,
    fault: fault === null ? null : describePractitionerFault(fault),
    faultAt: faultAt?.toISOString() ?? null,
    uses: uses.map((use) => ({
      number: use.variantId && gidNumber(use.variantId),
      title: use.title || NAMELESS_PRODUCT,
    })),
  }));
}

export type PractitionerView = ReturnType<typeof presentPractitioners>[number];
