export const ORDER_FILTERS = [
  "all",
  "attention",
  "awaiting_details",
  "in_progress",
  "results_ready",
  "cancelled",
] as const;
export type OrderFilter = (typeof ORDER_FILTERS)[number];

/** Where an order's tests are ordered, and whether its payment was only one of Shopify's test payments. */
export const ORDER_MODES = ["production", "staging", "test"] as const;
export type OrderMode = (typeof ORDER_MODES)[number];

/** Where a page begins: an opaque text that an earlier page gave. */
export type PageStart = { after: string } | { before: string } | null;

export const ORDER_SORTS = ["newest", "oldest"] as const;
/** By the day of payment. */
export type OrderSort = (typeof ORDER_SORTS)[number];

export interface OrderSelection {
  filter: OrderFilter;
  orderMode: OrderMode | null;
  /** Paid on this day or later, and on this day or earlier: YYYY-MM-DD in the shop's time zone. */
  paidFrom: string | null;
  paidUntil: string | null;
  sort: OrderSort;
  /**
   * Beginning of an order's number, a reference number of ours, the service's reference of a referral, or words of the
   * customer's name, the products and the order's tags, or a whole e-mail address. Looks through every order, whatever
   * else is selected; what numbers find is listed by number. Empty: no search.
   */
  search: string;
}

export interface OrderQuery extends OrderSelection {
  start: PageStart;
  size: number;
  /** Of what needs attention, only what does for this kind of reason. */
  reason?: string | null;
}
