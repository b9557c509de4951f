import { type AlertKind, type AlertReader, addressesFor, CONTACT_ID } from "./alert.ts";

/** The name of each kind of alert, where people choose. */
export const ALERT_NAMES: Record<AlertKind, string> = {
  outage: "Outages",
  attention: "Orders that need attention",
  critical_held: "Held critical results",
  webhooks: "Failing webhooks",
  daily: "Daily summary",
};

/** When each is sent. */
export const ALERT_HELP: Record<AlertKind, string> = {
  outage: "When the referral service hasn’t answered for five minutes, and when it answers again.",
  attention:
    "What came up since the last email, with order numbers, at most once an hour. Also when products can’t be ordered any more as they are mapped.",
  critical_held:
    "When a critical result waits for its reviewer: at once, after 1 and after 4 hours. With the order number, never the result.",
  webhooks: "When events of the service or messages of Shopify are refused, once a day.",
  daily: "At 8:00, with the day before in numbers. No email when nothing happened.",
};

/** The words of the link at the end of such an email. */
export const STOP_ALERT: Record<AlertKind, string> = {
  outage: "Stop emails about outages",
  attention: "Stop emails about orders that need attention",
  // The email does not say that the result is critical.
  critical_held: "Stop emails about results to review",
  webhooks: "Stop emails about failing webhooks",
  daily: "Stop daily summaries",
};

/** Says that they have ended for one person. */
export const stoppedAlerts = (kind: AlertKind): string =>
  STOP_ALERT[kind].replace(/^Stop (.)/, (_, first: string) => `No more ${first}`);

/** Who hears of an outage; `isMissing`: nobody does, which the page must not keep to itself. */
export function sayWhoIsTold(readers: readonly AlertReader[]): {
  sentence: string;
  isMissing: boolean;
} {
  const told = addressesFor("outage", readers);
  const contact = readers.find(({ id }) => id === CONTACT_ID);
  if (told.length > 0)
    return { sentence: `Outages are emailed to ${told.join(", ")}.`, isMissing: false };
  return contact?.kinds.includes("outage") && !contact.address
    ? {
        sentence:
          "Nobody is emailed about outages yet. Pathway learns your shop’s contact address with the first order.",
        isMissing: true,
      }
    : { sentence: "Nobody is emailed about outages.", isMissing: true };
}
