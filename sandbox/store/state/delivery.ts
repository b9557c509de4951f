export interface DeliveryDocument {
  /** The X-Shopify-Webhook-Id. */
  id: string;
  shop: string;
  eventId: string;
  topic: string;
  url: string;
  apiVersion: string;
  triggeredAt: string;
  /** The body exactly as sent. */
  payload: string;
  attempts: { at: string; status: number | null; ms: number; error: string | null }[];
  /** Store time of the next attempt; null when delivered, given up or dropped. */
  nextAttemptAtMs: number | null;
  /** The fault that kept it from being sent. */
  dropped: boolean;
  /** Increases with every delivery, so that the log has an order. */
  sequence: number;
}
