import { StoreError } from "./store-error.ts";

/**
 * Returns where the next page of a list begins, or null behind the last one; `before` are the places where pages of it began. A
 * list that says it goes on, and leads nowhere new, is refused: taken for its end, whatever is behind would be lost in silence.
 */
export function nextPage(
  { hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null },
  before: readonly (string | null)[],
): string | null {
  if (!hasNextPage) return null;
  if (endCursor === null || before.includes(endCursor))
    throw new StoreError("store_unreadable", new Error("A list leads back to a page of before"));
  return endCursor;
}
