import { createHash, randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { KeyStore } from "../encryption/key-store.ts";

/** That a mail went out: keyed hashes of what it was about and of what it said, and when. Names and tells nobody. */
interface MailWord {
  about: string;
  says: string;
  at: Date;
}

/** Fills the port `MailJournal` of the modules, and has what the process does with it. */
interface MailJournal {
  add(words: readonly MailWord[]): void;
  lastOf(about: string): Pick<MailWord, "says" | "at"> | null;
  knownSince(): Date | null;
  /** Another database may have taken the place of the one that was here: the next beat looks up whose mails are lost. */
  lookAgain(): void;
  /** Writes down what was added, and looks whether this database took another one's place. */
  beat(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer than a nightly backup is old when it is restored. */
const KEPT_MS = 4 * DAY_MS;
/** A page is written anew with each beat that adds to it. */
const MAX_WORDS = 1_000;

const FOLDER = "mailed";
const folderOf = (identity: string): string =>
  `${FOLDER}/${createHash("sha256").update(identity).digest("hex").slice(0, 32)}`;

interface Identity {
  identity: string;
  former: string | null;
  now: Date;
}

interface Page {
  name: string;
  identity: string;
  lines: string[];
  begunAt: number;
  isWritten: boolean;
}

/**
 * Keeps the journal in the folder of keys, in pages of this process. Each database has its own: what a copy on trial mails to
 * nobody is never taken for what the original mailed.
 */
export function createMailJournal(pool: Pick<Pool, "query">, store: KeyStore): MailJournal {
  const waiting: string[] = [];
  let page: Page | null = null;
  let here: Identity | null = null;
  let prunedAt = Number.NEGATIVE_INFINITY;
  let known: Known = UNREAD;

  /** Each process begins one at once, and another each day: without a page nobody could tell that nothing was mailed. */
  function pageFor({ identity, now }: Identity): Page {
    const at = now.getTime();
    const isOver = page && (page.lines.length >= MAX_WORDS || at - page.begunAt > DAY_MS);
    if (page?.identity === identity && !(isOver && page.isWritten)) return page;
    const name = `${folderOf(identity)}/${at}-${randomUUID()}`;
    return { name, identity, lines: [], begunAt: at, isWritten: false };
  }

  async function write(of: Identity): Promise<void> {
    page = pageFor(of);
    if (waiting.length > 0) page.isWritten = false;
    page.lines.push(...waiting.splice(0));
    if (page.isWritten) return;
    await store.put(page.name, Buffer.from(page.lines.join("\n")));
    page.isWritten = true;
  }

  async function prune(now: number): Promise<void> {
    if (now - prunedAt < HOUR_MS) return;
    for (const identity of await store.list(FOLDER))
      for (const name of await store.list(`${FOLDER}/${identity}`))
        if (now - begunAt(name) > KEPT_MS) await store.remove(`${FOLDER}/${identity}/${name}`);
    prunedAt = now;
  }

  return {
    add(words) {
      for (const { about, says, at } of words) waiting.push(`${at.getTime()} ${about} ${says}`);
    },
    lastOf: (about) => known.words.get(about) ?? null,
    knownSince: () => (known.since === Infinity ? null : new Date(known.since)),
    lookAgain() {
      known = UNREAD;
    },
    async beat() {
      const { rows } = await pool.query<Identity>(
        `SELECT identity, former_identity AS former, clock_timestamp() AS now
         FROM database_identity WHERE identity = live_identity()`,
      );
      const [found] = rows;
      if (!found) return;
      // Mails since the last beat were sent for the database that was there then: it may be the lost one.
      await write({ ...(here ?? found), now: found.now });
      const isOther = found.identity !== here?.identity;
      here = found;
      if (isOther) await write(found);
      if (isOther || known === UNREAD) known = await readFormer(store, found.former);
      await prune(found.now.getTime());
    },
  };
}

interface Known {
  words: Map<string, Pick<MailWord, "says" | "at">>;
  since: number;
}

const UNREAD: Known = { words: new Map(), since: 0 };

const begunAt = (name: string): number => Number(name.split("-")[0]);

async function readFormer(store: KeyStore, former: string | null): Promise<Known> {
  const words: Known["words"] = new Map();
  let since = Infinity;
  if (former === null) return { words, since };
  const folder = folderOf(former);
  for (const name of await store.list(folder)) {
    since = Math.min(since, begunAt(name));
    const page = await store.get(`${folder}/${name}`);
    for (const line of page?.toString("utf8").split("\n") ?? []) {
      const [at, about = "", says = ""] = line.split(" ");
      const sentAt = new Date(Number(at));
      const later = words.get(about);
      if (!later || later.at < sentAt) words.set(about, { says, at: sentAt });
    }
  }
  return { words, since };
}
