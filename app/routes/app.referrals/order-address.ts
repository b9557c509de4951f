import type { OrderFilter } from "../../domain/overview/overview-repository.ts";

export interface OrderSelection {
  filter: OrderFilter;
  search: string;
  after?: string | null;
  before?: string | null;
}

/** The address of a selection of orders. */
export function orderAddress({ filter, search, after, before }: OrderSelection): string {
  const query = new URLSearchParams();
  if (filter !== "all") query.set("status", filter);
  if (search) query.set("q", search);
  if (after) query.set("after", after);
  if (before) query.set("before", before);
  const text = query.toString();
  return `/app/referrals${text ? `?${text}` : ""}`;
}
