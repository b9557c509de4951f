import { dialAddress } from "../../platform/dial-address.ts";
import type { ClinicalContact } from "../shops/shop.ts";
import type { ResultAlert } from "./result-alert.ts";

/** Changes with every text below, so that whoever accepted the texts is asked again. */
export const CLINICAL_TEXTS_VERSION = "2026-11-29";

/** Every sentence that tells a patient what to do about a result, with its source, as far as one was confirmed. */
export const CLINICAL_TEXTS = {
  critical_one: {
    text: "The laboratory marked 1 result as critical. See a doctor today and show them the report. For severe symptoms (chest pain, trouble breathing, fainting) call 000. Healthdirect 1800 022 222, 24 hours.",
    source: "source still to be confirmed",
  },
  critical_many: {
    text: "The laboratory marked {count} results as critical. See a doctor today and show them the report. For severe symptoms (chest pain, trouble breathing, fainting) call 000. Healthdirect 1800 022 222, 24 hours.",
    source: "source still to be confirmed",
  },
  positive_one: {
    text: "The laboratory marked 1 finding, with a word such as reactive, positive, detected or equivocal. The word describes a test, not a diagnosis. Such a finding often needs a second test to confirm it. Show the report to a doctor soon. Healthdirect 1800 022 222, 24 hours.",
    source: "source still to be confirmed",
  },
  positive_many: {
    text: "The laboratory marked {count} findings, with words such as reactive, positive, detected or equivocal. The words describe tests, not diagnoses. Such findings often need a second test to confirm them. Show the report to a doctor soon. Healthdirect 1800 022 222, 24 hours.",
    source: "source still to be confirmed",
  },
  when_unanswered: {
    text: "If nobody answers or you feel unwell, call Healthdirect on 1800 022 222, day or night. In an emergency call 000.",
    source: "source still to be confirmed",
  },
} as const;

const HEALTHDIRECT = "1800 022 222";
const EMERGENCY = "000";

/** The numbers in a text that asks to ring today, with that of whom the shop named. */
export const phonesToRing = (contact: ClinicalContact | null): string[] => [
  ...(contact ? [contact.phone] : []),
  HEALTHDIRECT,
  EMERGENCY,
];

export interface AlertView extends ResultAlert {
  heading: string;
  text: string;
  /** Whom to call; without an address where what the shop wrote is not clearly one number. */
  actions: { label: string; href: string | null }[];
}

/** How to ring whom the shop named for results; empty where it named nobody. */
export const callOf = (contact: ClinicalContact | null): AlertView["actions"] =>
  contact
    ? [{ label: `Call ${contact.name}: ${contact.phone}`, href: dialAddress(contact.phone) }]
    : [];

/** The alert as a patient reads it, in every rendering and in the customer interface. */
export function presentAlert(
  alert: ResultAlert | null,
  contact: ClinicalContact | null,
): AlertView | null {
  if (!alert) return null;
  const { level, count } = alert;
  const { text } = CLINICAL_TEXTS[`${level}_${count === 1 ? "one" : "many"}`];
  const healthdirect = {
    label: `Call Healthdirect: ${HEALTHDIRECT}`,
    href: dialAddress(HEALTHDIRECT),
  };
  return {
    ...alert,
    heading: level === "critical" ? "See a doctor today" : "Talk to a doctor about this result",
    text: text.replace("{count}", String(count)),
    actions: [
      ...(level === "critical"
        ? [{ label: "Call 000 in an emergency", href: dialAddress(EMERGENCY) }]
        : []),
      ...callOf(contact),
      healthdirect,
    ],
  };
}
