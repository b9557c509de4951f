import { ReferralServiceError } from "../../platform/errors.ts";
import type { Page } from "./wire/page.ts";

/** The largest page the service gives (interface §8). */
export const PAGE_SIZE = 20;

/**
 * Size of the pages in which a list is read once more that ended with a full one and no cursor: its end is then in the middle of
 * a page, unless it breaks off indeed (docs/decisions/0181).
 */
const OTHER_SIZE = 19;

/** Pages without anything new after which a list counts as going in circles. */
const PAGES_WITHOUT_NEWS = 3;

type Metadata = Omit<Page<unknown>, "entries">;

/** Where the page after this one begins (interface §4.7 rule 3); null when this one is the last, or does not say. */
export const nextCursor = (page: Metadata, size = PAGE_SIZE): string | null =>
  isFull(page, size) ? page.cursor : null;

/**
 * Whether more may follow a page that does not say where: it ends what can be read of its list, and is not known to be the list's end.
 * By the rule, a page of fewer than were asked for is the last, whatever the service says was asked for.
 */
export const isBrokenOff = ({ resultCount, cursor }: Metadata, size = PAGE_SIZE): boolean =>
  resultCount >= size && cursor === null;

/** A service that gives smaller pages than asked for says so; comparing with ours would end too early. */
const isFull = ({ resultCount, count }: Metadata, size: number): boolean =>
  resultCount >= Math.min(size, count ?? size);

type FetchPage<T> = (cursor: string | null, size: number) => Promise<Page<T>>;

/**
 * Walks a list page by page for as long as it is read (interface §4.7), each entry once. Throws
 * `contract_mismatch` when the list goes in circles or breaks off, rather than ending: a scan that ends counts as complete.
 * `mayBreakOff`: nothing follows from what a list does not hold.
 */
export async function* walkPages<T>(
  fetchPage: FetchPage<T>,
  idOf: (entry: T) => string,
  { mayBreakOff = false } = {},
): AsyncGenerator<T, void, undefined> {
  const given = new Set<string>();
  for (const size of [PAGE_SIZE, OTHER_SIZE]) {
    const isWhole = yield* walkOnce(fetchPage, idOf, { size, given });
    if (isWhole || mayBreakOff) return;
  }
  throw new ReferralServiceError("contract_mismatch", "a full page of the list has no cursor");
}

/** Gives what was not given yet. Returns whether the list came to its end, by the rule. */
async function* walkOnce<T>(
  fetchPage: FetchPage<T>,
  idOf: (entry: T) => string,
  { size, given }: { size: number; given: Set<string> },
): AsyncGenerator<T, boolean, undefined> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  let withoutNews = 0;
  while (true) {
    const page: Page<T> = await fetchPage(cursor, size);
    const seenBefore = seen.size;
    for (const entry of page.entries) {
      const id = idOf(entry);
      // Entries that do not say which they are may be as many.
      if (id !== "") seen.add(id);
      // Lists move while they are read, so a page may repeat what the one before it held.
      if (given.has(id)) continue;
      if (id !== "") given.add(id);
      yield entry;
    }
    withoutNews = seen.size === seenBefore ? withoutNews + 1 : 0;
    if (isBrokenOff(page, size)) return false;
    const next = nextCursor(page, size);
    // A second walk that lacks what the first one gave is no whole list either.
    if (next === null) return seen.size === given.size;
    // The cursor itself proves nothing: it is opaque, and may stay the same while the list moves on.
    if (withoutNews >= PAGES_WITHOUT_NEWS) {
      throw new ReferralServiceError("contract_mismatch", "the list's cursor does not move on");
    }
    cursor = next;
  }
}
