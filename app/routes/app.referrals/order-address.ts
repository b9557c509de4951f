import type { OrderSelection as Selection } from "../../modules/reports/order-selection.ts";

export interface OrderSelection extends Selection {
  after?: string | null;
  before?: string | null;
}

export const ALL_ORDERS: Selection = {
  filter: "all",
  orderMode: null,
  paidFrom: null,
  paidUntil: null,
  sort: "newest",
  search: "",
};

/**
 * A selection as a text, as `readSelection` (modules/reports/selection-text.ts) reads it. That file would bring zod to the
 * browser.
 */
export function selectionText(selection: Selection): string {
  const { filter, orderMode, paidFrom, paidUntil, sort, search } = selection;
  const query = new URLSearchParams();
  if (filter !== "all") query.set("status", filter);
  if (orderMode) query.set("mode", orderMode);
  if (paidFrom) query.set("from", paidFrom);
  if (paidUntil) query.set("until", paidUntil);
  if (sort !== "newest") query.set("sort", sort);
  if (search) query.set("q", search);
  return query.toString();
}

/** The address of a selection of orders. */
export function orderAddress({ after, before, ...selection }: OrderSelection): string {
  const query = new URLSearchParams(selectionText(selection));
  if (after) query.set("after", after);
  if (before) query.set("before", before);
  const text = query.toString();
  return `/app/referrals${text ? `?${text}` : ""}`;
}
