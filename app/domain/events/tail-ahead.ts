import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReferralService } from "../referrals/referral-service.ts";
import { type ListEntry, type ListPage, readPage } from "./tail-page.ts";
import { TAILED_LISTS, type TailedList, type TailWalk } from "./tail-walk.ts";

/** One page of the walk: what of it is to be compared, and where the walk goes on; null at its end. */
export interface WalkedPage {
  list: TailedList;
  entries: ListEntry[];
  next: Pick<TailWalk, "list" | "cursor"> | null;
  /** The walk is not at its end, but this run reads no more of it. */
  isRunOver: boolean;
}

/** Pages, oldest first; without any, why there are none. */
export interface Taken {
  pages: WalkedPage[];
  failure: { error: unknown } | null;
}

/** Disposing of it ends the reading after the page that is under way. */
export interface ReadAhead extends Disposable {
  /** All pages that have been read since the last time; waits until they are many, or the last. */
  take(): Promise<Taken>;
}

/** Pages that are recorded together: a commit for each would take longer than the service, and one is soon read again. */
const TOGETHER = 100;
/** Pages after which a walk counts as long: the next one is then asked for before this one is looked at. */
const LONG_WALK = 5;
const TURNS_TO_LEAVE = 2;
/** Pages that may wait to be recorded: what one statement may well compare. */
const MOST_WAITING = 2 * TOGETHER;

/**
 * Reads the walk's pages one after another, each as soon as the one before it is there and whatever becomes of
 * that one meanwhile. A long walk costs the service at most one page that nobody looks at. `mayGoOn` is asked with the
 * number of pages read so far.
 */
export function readAhead(
  service: ReferralService,
  from: TailWalk,
  mayGoOn: (pages: number) => boolean,
): ReadAhead {
  let waiting: WalkedPage[] = [];
  let failure: Taken["failure"] = null;
  let isOver = false;
  let isUnwanted = false;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const read = async () => {
    let place: WalkedPage["next"] = from;
    let ahead: Promise<ListPage> | null = null;
    for (let pages = 1; place && !isUnwanted; pages++) {
      const { list, cursor }: Pick<TailWalk, "list" | "cursor"> = place;
      const page: ListPage = await (ahead ?? readPage(service, list, cursor));
      const isLong = from.pages + pages > LONG_WALK && mayGoOn(pages);
      ahead = isLong && page.next !== null ? readPage(service, list, page.next) : null;
      // Heard when its turn comes, which may be never.
      ahead?.catch(() => {});
      // It leaves when we have let go twice: a connection is free again a turn after its last answer. What is looked at
      // meanwhile costs no time.
      for (let turn = 0; ahead && turn < TURNS_TO_LEAVE; turn++) await nextTurn();
      const { entries, isLast } = above(page.entries(), from.floor);
      const next = nextPlace({ list, cursor }, page, isLast);
      if (next?.cursor !== page.next) ahead = null;
      const isRunOver = next !== null && !mayGoOn(pages);
      waiting.push({ list, entries, next, isRunOver });
      place = isRunOver ? null : next;
      change();
      while (waiting.length >= MOST_WAITING && !isUnwanted) await changed.promise;
    }
  };
  read()
    .catch((error: unknown) => {
      failure = { error };
    })
    .finally(() => {
      isOver = true;
      change();
    });

  return {
    async take() {
      while (waiting.length < TOGETHER && !isOver) await changed.promise;
      const pages = waiting;
      waiting = [];
      change();
      return { pages, failure };
    },
    [Symbol.dispose]() {
      isUnwanted = true;
      change();
    },
  };
}

/** Entries that are not known ground. Sorted by creation or by last change, what follows is older still (§4.2). */
function above(entries: ListEntry[], floor: Date) {
  const end = entries.findIndex(({ touchedAt }) => touchedAt < floor.getTime());
  return end === -1 ? { entries, isLast: false } : { entries: entries.slice(0, end), isLast: true };
}

function nextPlace(
  at: Pick<TailWalk, "list" | "cursor">,
  page: ListPage,
  isLast: boolean,
): WalkedPage["next"] {
  if (!isLast && page.next !== null && page.next !== at.cursor)
    return { list: at.list, cursor: page.next };
  const list = TAILED_LISTS[TAILED_LISTS.indexOf(at.list) + 1];
  return list ? { list, cursor: null } : null;
}
