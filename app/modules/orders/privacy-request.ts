import type { CustomerId, OrderId } from "../kernel/ids.ts";

/** The requests of Shopify's privacy webhooks; each is to be done within 30 days. */
export const PRIVACY_REQUEST_KINDS = [
  "customer_data_requested",
  "customer_redacted",
  "shop_redacted",
] as const;
export type PrivacyRequestKind = (typeof PRIVACY_REQUEST_KINDS)[number];

/** Whom a privacy request is about: a customer, and orders that the store names with them. */
export interface DataSubject {
  customerId: CustomerId | null;
  orderIds: OrderId[];
}

/** Where a message that is a privacy request leaves it; modules/privacy does it. */
export interface PrivacyRequestDesk {
  /** Records a privacy request as open, with the message that brought it. Noting it twice is noting it once. */
  open(
    asked: DataSubject & {
      kind: PrivacyRequestKind;
      inboxId: string;
      askedAt: Date;
      openedAt: Date;
    },
  ): Promise<void>;
}
