import type { SettingsOverview } from "../../modules/reports/read-settings.ts";
import {
  ALERT_KINDS,
  CONTACT_CHOICES,
  CONTACT_ID,
  MAX_RECIPIENTS,
} from "../../modules/shops/alert.ts";
import { sayWhoIsTold } from "../../modules/shops/alert-words.ts";

export type AlertRecipientView = ReturnType<typeof presentAlerts>["recipients"][number];

/** Whom alerts are emailed to, in words. */
export function presentAlerts(readers: SettingsOverview["alerts"]) {
  return {
    ...sayWhoIsTold(readers),
    isFull: readers.length > MAX_RECIPIENTS,
    recipients: readers.map(({ id, address, kinds, stopped, isRefused }) => ({
      id: id === CONTACT_ID ? CONTACT_FORM_ID : id,
      address,
      isContact: id === CONTACT_ID,
      isRefused,
      kinds: (id === CONTACT_ID ? CONTACT_CHOICES : ALERT_KINDS).map((kind) => ({
        kind,
        isChosen: kinds.includes(kind),
        isStopped: stopped.includes(kind),
      })),
    })),
  };
}

/** The contact address, as its form names it. */
export const CONTACT_FORM_ID = "contact";
