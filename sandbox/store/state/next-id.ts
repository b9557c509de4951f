import type { Tables } from "./tables.ts";

/**
 * The next number of a sequence. Ids of all kinds come from one sequence, as large as Shopify's and apart from each
 * other: a line item's id is never also an order's, so mixing two up shows.
 */
export function nextId(data: Tables): number {
  return nextInSequence(data, "id", 6_021_455_000_000, 7);
}

/** Position in a log: deliveries, mails. */
export function nextPosition(data: Tables, log: string): number {
  return nextInSequence(data, log, 0, 1);
}

function nextInSequence(data: Tables, id: string, first: number, step: number): number {
  const last = (data.sequences.get(id)?.last ?? first) + step;
  data.sequences.put({ id, last });
  return last;
}
