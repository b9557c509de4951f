import type { PhoneToRing } from "../../modules/notifications/read-phones.ts";

/** Before the number of whoever bought a test with a result: it may be their partner's, and it may not have been read yet. */
const CUSTOMER_OF_RESULT =
  "Talk about a result to its patient alone. The customer, who may be somebody else:";

/** Says whom to ring about a unit, and that its mails are refused. Null where nobody is to be rung. */
export function describePhone(
  found: PhoneToRing | undefined,
): { text: string; phone: string | null } | null {
  if (!found) return null;
  const { text, phone } = ringing(found);
  return { text: found.why === "refused" ? `Emails can’t be delivered. ${text}` : text, phone };
}

function ringing(found: PhoneToRing): { text: string; phone: string | null } {
  switch (found.kind) {
    case "buyer":
      return {
        text: found.why === "result" ? CUSTOMER_OF_RESULT : "Ring the customer:",
        phone: found.phone,
      };
    case "patient":
      return { text: "Ring the patient:", phone: found.phone };
    case "not_shown":
      return {
        text: "A reviewer or manager can see the patient’s phone number here.",
        phone: null,
      };
    case "unknown":
      return {
        text: "Pathway knows no phone number. Look for one on the order in Shopify, or ask the customer.",
        phone: null,
      };
  }
}
