import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { KeyStore } from "../encryption/key-store.ts";
import { DatabaseSwitched } from "../errors.ts";
import type { RestoreJournal } from "./scope.ts";

interface ProcessRestoreJournal extends RestoreJournal {
  /** Another database may have taken the place of the one that was here: whoever asks next has the journal read anew. */
  lookAgain(): void;
  /** Writes down what was noted. */
  beat(): Promise<void>;
}

/** As the journal was called while it kept nothing but ends of links. */
const FOLDER = "ended";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** No link and no share lives longer (`SHARE_DAYS`), and a page is a day long. */
const KEPT_MS = 92 * DAY_MS;
/** A page is written anew with each beat that adds to it. */
const MAX_WORDS = 1_000;

interface Page {
  name: string;
  lines: string[];
  begunAt: number;
}

/**
 * Keeps words in the folder of keys, in pages of this process. All pages count in any database that took another one's place: a link
 * that ended once stays ended, in whichever copy it was.
 */
export function createRestoreJournal(
  pool: Pick<Pool, "query">,
  store: KeyStore,
): ProcessRestoreJournal {
  const waiting: string[] = [];
  let page: Page | null = null;
  let isWritten = true;
  let prunedAt = Number.NEGATIVE_INFINITY;
  let known: Map<string, Date> | null = null;
  let looks = 0;
  let writing: Promise<void> | null = null;

  async function identify(): Promise<{ isRestored: boolean; now: Date }> {
    const { rows } = await pool.query<{ isRestored: boolean; now: Date }>(
      `SELECT switched_at IS NOT NULL AS "isRestored", clock_timestamp() AS now
       FROM database_identity WHERE identity = live_identity()`,
    );
    const [found] = rows;
    if (!found) throw new DatabaseSwitched();
    return found;
  }

  async function write(): Promise<void> {
    const isPruneDue = performance.now() - prunedAt > HOUR_MS;
    if (waiting.length === 0 && isWritten && !isPruneDue) return;
    const at = (await identify()).now.getTime();
    if (waiting.length > 0 || !isWritten) {
      const isOver = page && (page.lines.length >= MAX_WORDS || at - page.begunAt > DAY_MS);
      if (!page || (isOver && isWritten))
        page = { name: `${FOLDER}/${at}-${randomUUID()}`, lines: [], begunAt: at };
      isWritten = false;
      page.lines.push(...waiting.splice(0));
      await store.put(page.name, Buffer.from(page.lines.join("\n")));
      isWritten = true;
    }
    if (!isPruneDue) return;
    for (const name of await store.list(FOLDER))
      if (at - begunAt(name) > KEPT_MS) await store.remove(`${FOLDER}/${name}`);
    prunedAt = performance.now();
  }
  /** Two at once would write one page, and the older of the two last. */
  const writeOnce = () => {
    writing ??= write().finally(() => {
      writing = null;
    });
    return writing;
  };

  return {
    note(names, at) {
      for (const name of names) waiting.push(`${at.getTime()} ${name}`);
    },
    async notedAt(name) {
      while (!known) {
        const look = looks;
        const { isRestored } = await identify();
        // This process may have been there when the database was lost, and a folder that takes no writes must not keep it from its own words.
        const own = [...(page?.lines ?? []), ...waiting];
        const read = isRestored ? await readPages(store, own) : new Map();
        if (look === looks) known = read;
      }
      return known.get(name) ?? null;
    },
    lookAgain() {
      known = null;
      looks++;
    },
    beat: writeOnce,
  };
}

const begunAt = (name: string): number => Number(name.split("-")[0]);

/** When each name was noted last, in these lines and in all pages. */
async function readPages(store: KeyStore, own: readonly string[]): Promise<Map<string, Date>> {
  const lines = [...own];
  for (const name of await store.list(FOLDER)) {
    const page = await store.get(`${FOLDER}/${name}`);
    lines.push(...(page?.toString("utf8").split("\n") ?? []));
  }
  const words = new Map<string, Date>();
  for (const line of lines) {
    const [time, name = ""] = line.split(" ");
    const at = new Date(Number(time));
    const known = words.get(name);
    if (!known || known < at) words.set(name, at);
  }
  return words;
}
