import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "../../../platform/logger.ts";
import { tolerate } from "../../../platform/tolerate.ts";
import type { ReferralService } from "../referral-service.ts";
import { isNewestFirst } from "../requests/older-in-a-row.ts";
import { SYNCED_LISTS, type SyncedList, type SyncWalk } from "../sync-walk.ts";
import type { UnreadableListed } from "../unreadable-entry.ts";
import type { ListEntry } from "./list-entry.ts";
import { fetchPage, type ListPage } from "./sync-page.ts";

type Place = Pick<SyncWalk, "list" | "cursor">;

/** One page of the walk: what of it is to be compared, and where the walk goes on; null at its end. */
export interface WalkedPage {
  list: SyncedList;
  entries: ListEntry[];
  unreadable: UnreadableListed[];
  next: Place | null;
  /** More of its list may follow that nobody can ask for. */
  isBrokenOff: boolean;
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
const TOGETHER = 200;
/** Pages after which a walk counts as long: the next one is then asked for before this one is read. */
const LONG_WALK = 5;
/** Pages that may wait to be recorded: what one statement may well compare. */
const MAX_WAITING = 2 * TOGETHER;

/**
 * Reads the walk's pages one after another, each as soon as the one before it is there and whatever becomes of
 * that one meanwhile. A long walk costs the service at most one page that nobody looks at.
 */
export function readAhead(
  { service, logger }: { service: ReferralService; logger: Logger },
  from: SyncWalk,
  { mayGoOn, keepsWhole }: { mayGoOn: () => boolean; keepsWhole: boolean },
): ReadAhead {
  const fetchAt = (place: Place) => settled(fetchPage(service, place, { keepsWhole }));
  let waiting: WalkedPage[] = [];
  let failure: Taken["failure"] = null;
  let isOver = false;
  let isUnwanted = false;
  let changed = Promise.withResolvers<void>();
  const change = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  /** Nobody needs this page, so that its failure hinders nothing. */
  const tellUnread = (fetched: Fetched) => {
    if ("error" in fetched) tolerate(logger, "sync.unread-page")(fetched.error);
  };

  const read = async () => {
    let place: Place | null = from;
    let ahead: Promise<Fetched> | null = null;
    const asked = new Set<string>();
    for (let pages = 1; place && !isUnwanted; pages++) {
      const at: Place = place;
      const goesOn = mayGoOn();
      const fetched: Fetched = await (ahead ?? fetchAt(at));
      if ("error" in fetched) throw fetched.error;
      const page: ListPage = fetched.page;
      const { likelyNext } = page;
      const isLong = from.pages + pages > LONG_WALK && goesOn;
      ahead = isLong && likelyNext !== null ? fetchAt({ ...at, cursor: likelyNext }) : null;
      // It leaves when we let go. What is read while it is under way costs no time.
      if (ahead) await nextTurn();
      const read = page.read();
      const { entries, isLast } = above(at.list, read.entries, from.lowerBound);
      // A cursor that was asked for leads in circles.
      asked.add(`${at.list} ${at.cursor ?? ""}`);
      const isStuck = read.next !== null && asked.has(`${at.list} ${read.next}`);
      const next: Place | null = nextPlace(at, isStuck || isLast ? null : read.next);
      if (next?.list !== at.list || next.cursor !== likelyNext) {
        ahead?.then(tellUnread);
        ahead = null;
      }
      const isRunOver = next !== null && !goesOn;
      const { unreadable } = read;
      const isBrokenOff = !isLast && (isStuck || read.isBrokenOff === true);
      waiting.push({ list: at.list, entries, unreadable, next, isBrokenOff, isRunOver });
      place = isRunOver ? null : next;
      change();
      while (waiting.length >= MAX_WAITING && !isUnwanted) await changed.promise;
    }
    ahead?.then(tellUnread);
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

/** A page that is fetched before it is needed may fail before somebody waits for it. */
type Fetched = { page: ListPage } | { error: unknown };

const settled = (page: Promise<ListPage>): Promise<Fetched> =>
  page.then(
    (one) => ({ page: one }),
    (error: unknown) => ({ error }),
  );

/**
 * The entries to be compared, and whether the list holds no more above the lower bound. A list is sorted by creation or by last change, so
 * that a page which lies below as a whole is followed by older ones (§4.2). One old entry among others ends nothing: its date
 * may be wrong. Nor does a page that is not sorted: so is its list. A result may be dated before its referral, where the service's
 * clock was set back in between: all results that were read are compared.
 */
function above(list: SyncedList, entries: ListEntry[], lowerBound: Date) {
  const isKnown = ({ touchedAt }: ListEntry) => touchedAt < lowerBound.getTime();
  const isLast = entries.length > 0 && entries.every(isKnown) && isNewestFirst(entries);
  const compared = list === "results" ? entries : entries.filter((entry) => !isKnown(entry));
  return { entries: compared, isLast };
}

function nextPlace(at: Place, next: string | null): Place | null {
  if (next !== null) return { list: at.list, cursor: next };
  const list = SYNCED_LISTS[SYNCED_LISTS.indexOf(at.list) + 1];
  return list ? { list, cursor: null } : null;
}
