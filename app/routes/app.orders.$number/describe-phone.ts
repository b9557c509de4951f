import type { PhoneToRing } from "../../modules/notifications/read-phones.ts";

/** Says that a unit's mails are refused, and whom to ring. Null when mails arrive. */
export function describePhone(
  found: PhoneToRing | undefined,
): { text: string; phone: string | null } | null {
  if (!found) return null;
  switch (found.kind) {
    case "buyer":
      return { text: "Emails can’t be delivered. Ring the customer:", phone: found.phone };
    case "patient":
      return { text: "Emails can’t be delivered. Ring the patient:", phone: found.phone };
    case "not_shown":
      return {
        text: "Emails can’t be delivered. A reviewer or manager can see the patient’s phone number here.",
        phone: null,
      };
    case "unknown":
      return {
        text: "Emails can’t be delivered, and Pathway knows no phone number. Look for one on the order in Shopify, or ask the customer.",
        phone: null,
      };
  }
}
