/** What Shopify's privacy webhooks ask for; each is to be done within 30 days. */
export type PrivacyDuty = "customer_data_requested" | "customer_redacted" | "shop_redacted";

export interface PrivacyRepository {
  /** Notes a duty as open, with the message that brought it. Noting it twice is noting it once. */
  open(duty: PrivacyDuty, inboxId: string, at: Date): Promise<void>;
}
