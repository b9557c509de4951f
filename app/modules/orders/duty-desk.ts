import type { CustomerId, OrderId } from "../kernel/ids.ts";

/** What Shopify's privacy webhooks ask for; each is to be done within 30 days. */
export const PRIVACY_DUTIES = [
  "customer_data_requested",
  "customer_redacted",
  "shop_redacted",
] as const;
export type PrivacyDutyKind = (typeof PRIVACY_DUTIES)[number];

/** Whom a duty is about: a customer, and orders that the store names with them. */
export interface DataSubject {
  customerId: CustomerId | null;
  orderIds: OrderId[];
}

/** Where a message that asks for a duty leaves it; modules/privacy does it. */
export interface DutyDesk {
  /** Notes a duty as open, with the message that brought it. Noting it twice is noting it once. */
  open(
    duty: DataSubject & { duty: PrivacyDutyKind; inboxId: string; askedAt: Date; openedAt: Date },
  ): Promise<void>;
}
