import { countOf } from "../kernel/words.ts";
import { VISIBLE_DAYS } from "../orders/listed-order.ts";
import type { PrivacyRequestKind } from "../orders/privacy-request.ts";
import type { KeyWork, Receipt } from "../privacy/privacy.ts";

export const PRIVACY_REQUEST_WORDS: Record<PrivacyRequestKind, string> = {
  customer_data_requested: "A customer asked what is held about them",
  customer_redacted: "Data erasure request",
  shop_redacted: "The shop’s data was to be destroyed",
};

/** A redaction whose words came before, and named no order: somebody may have sent them again. */
export const HELD_REDACTION =
  "The very same request came before. Everything from before it is deleted, and everything since then is kept. Ask the customer whether they asked again, and tell whoever runs Pathway before the day above: to delete the rest, or to keep it.";

/** Describes the findings of an import of orders, in a sentence. */
export function describeFindings({
  seen,
  imported,
  changed,
}: {
  seen: number;
  imported: number;
  changed: number;
}): string {
  if (seen === 0) return "There were no orders in this time.";
  const missed =
    imported === 0
      ? `${countOf(seen, "order")} checked. None was missing.`
      : `${countOf(seen, "order")} checked. ${imported} ${imported === 1 ? "was" : "were"} missing and imported.`;
  return changed > 0 ? `${missed} ${countOf(changed, "known order")} had changed.` : missed;
}

export const OLD_ORDERS_NOTE = `Shopify shows Pathway the orders of the last ${VISIBLE_DAYS} days. Orders placed before that can’t be found.`;

/** Why a look for missed orders stands still, by the code of the failure. */
export function describeStandstill(code: string): string {
  if (code === "domain_of_other_store")
    return "Another store answers under this store’s name. Nothing is read from it; the look goes on by itself once that has ended. Tell whoever runs Pathway.";
  return code === "store_not_signed_in" || code === "store_no_session"
    ? "Shopify doesn’t let Pathway in at the moment. Open Pathway again to sign in; it goes on by itself."
    : "Shopify didn’t answer as expected. Pathway tries again by itself.";
}

/** Describes what the shop's keys still have to do, in sentences; empty when nothing is left. */
export function describeKeyWork({ resealed, erasures }: KeyWork): string[] {
  return [
    ...(resealed === null
      ? []
      : [
          `Stored data is being encrypted with new keys: ${countOf(resealed, "record")} so far. Everything works meanwhile.`,
        ]),
    ...(erasures === 0
      ? []
      : ["Deleted data is being made unreadable in backups as well. That takes up to an hour."]),
  ];
}

const RECEIPT_WORDS: Record<string, string> = {
  orders: "order",
  lines: "order line",
  requests: "request",
  corrections: "correction",
  patient_corrections: "correction",
  referrals: "referral",
  results: "result",
  documents: "document",
  mails: "email",
  notifications: "email record",
  dataExports: "data export",
  savedPatients: "saved patient",
  saved_patients: "saved patient",
  // The name in receipts of earlier versions.
  packages: "data export",
};

/** How much was packed or destroyed. */
export function describeReceipt(receipt: Receipt): string {
  if (receipt.kept) return "this request deleted nothing";
  const parts = Object.entries(receipt).flatMap(([kind, count]) => {
    const word = RECEIPT_WORDS[kind];
    return word && typeof count === "number" && count > 0 ? [countOf(count, word)] : [];
  });
  return parts.length > 0 ? parts.join(", ") : "Nothing was held";
}
