import { isPractitionerRefused } from "../referrals/retry-refused.ts";
import { FORMER_ALIVE } from "../referrals/review-reason.ts";
import { CONNECTION_UNREADABLE } from "../shops/connection.ts";
import type { AttentionReason } from "./attention-item.ts";

/** The one thing to do about a reason: something that the list itself can do, or a place to do it. */
export type AttentionAction =
  | { kind: "do"; action: "retry" | "release"; label: string }
  | { kind: "go"; to: "order" | "mapping" | "settings" | "shopify" | "import"; label: string };

/** The action of a reason that an order or request carries (app/modules/reports/attention-words.ts has its words). */
export function actionOf(reason: AttentionReason): AttentionAction {
  // Sent again as it is it would be refused again; who has changed who orders need not ask for it.
  if (isPractitionerRefused(reason))
    return { kind: "go", to: "mapping", label: "Change practitioner" };
  const { code, detail } = reason;
  switch (code) {
    case "rejected":
    case "ambiguous":
      return { kind: "do", action: "retry", label: "Retry" };
    case "not_sent":
      if (detail === FORMER_ALIVE) return OPEN;
      return ofConnection(detail);
    case "unresolved":
      return detail === "contract_mismatch" ? OPEN : ofConnection(detail);
    case "held":
    case "high_risk":
    case "risk_pending":
      return { kind: "do", action: "release", label: "Release" };
    case "no_contact":
    case "customer_changed":
    case "paid_in_part":
    case "money_back":
    case "other_name":
    case "not_fulfilled":
    case "not_tagged":
    case "flow_not_started":
    case "order_not_visible":
    case "paid_not_visible":
      return { kind: "go", to: "shopify", label: "Open in Shopify" };
    case "backdated":
    case "not_a_test_then":
      return { kind: "go", to: "import", label: "Import order" };
    case "mail_refused":
      return { kind: "go", to: "order", label: "Ring or send again" };
    case "under_age":
    case "under_age_unclear":
      return { kind: "go", to: "order", label: "Refund or ask again" };
    case "unmapped_line":
    case "parts_of_bundle":
      return { kind: "go", to: "mapping", label: "Map" };
    case "results_held":
    case "urgent_result_held":
      return { kind: "go", to: "order", label: "Review" };
    case "consent_withdrawn":
      return { kind: "go", to: "shopify", label: "Refund in Shopify" };
    case "details_overdue":
    case "half_created":
    case "half_rejected":
    case "duplicate_referral":
    case "refunded_after_sending":
    case "refunded_after_results":
    case "withdrawal_too_late":
    case "withdrawal_refused":
    case "deleted_at_service":
    case "deleted_with_results":
    case "bought_again":
    case "correction_refused":
    case "unreadable_at_service":
    case "document_missing":
    case "document_refused":
    case "other_tests":
    case "result_deleted":
    case "referral_other_person":
    case "result_other_person":
    case "urgent_result_shown":
    case "referral":
      return OPEN;
    default:
      return ofAnotherVersion(code);
  }
}

/** Reasons whose tests a retry of many sends: what may exist at the service is looked for first, one by one. */
const SENT_TOGETHER: ReadonlySet<string> = new Set(["rejected", "half_rejected", "not_sent"]);

/** Whether a retry of many sends what needs a person for this kind of reason. */
export const isSentTogether = (code: string): boolean => SENT_TOGETHER.has(code);

/** Nothing goes out before the service lets Pathway in; then it goes out by itself. */
const TEST_CONNECTION: AttentionAction = { kind: "go", to: "settings", label: "Test connection" };
const ENTER_CREDENTIALS: AttentionAction = {
  kind: "go",
  to: "settings",
  label: "Enter credentials",
};
const CONNECT: AttentionAction = { kind: "go", to: "settings", label: "Connect" };
/** The order's page has what there is to do. */
export const OPEN: AttentionAction = { kind: "go", to: "order", label: "Open" };

/** The remedy of a connection that lets nothing out or in. */
function ofConnection(code: string): AttentionAction {
  if (code === CONNECTION_UNREADABLE) return ENTER_CREDENTIALS;
  return code === "no_connection" ? CONNECT : TEST_CONNECTION;
}

/** The rows may hold a code of another version. One of this version that has no action above does not compile. */
const ofAnotherVersion = (_code: never): AttentionAction => OPEN;
