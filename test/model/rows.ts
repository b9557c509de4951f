/**
 * A store of rows with transactions as PostgreSQL's at READ COMMITTED: a statement sees what is committed when it
 * runs and what its own transaction wrote; a writer waits for the transaction that wrote the row before, and then
 * looks at the row again. Held against PostgreSQL by tenancy-contract.test.ts.
 */
export interface Rows {
  begin(pause: Pause): Transaction;
  /** Committed rows whose key begins so, in the order in which they were first written. */
  committed<T>(prefix: string): T[];
}

/** Where another transaction may come between. */
export type Pause = (what: string) => Promise<void>;

export interface Transaction {
  read<T>(key: string): T | null;
  scan<T>(prefix: string): T[];
  /** Writes what `change` makes of the row when it is there and `change` does not say null. */
  update<T>(key: string, change: (row: T) => T | null): Promise<T | null>;
  /** False when the row is there already. */
  insert<T>(key: string, row: T): Promise<boolean>;
  /** Waits until no other transaction holds this name. */
  lock(name: string): Promise<void>;
  commit(): void;
  /** Undoes everything and lets the next one in; does nothing after a commit. */
  rollback(): void;
}

interface Owner {
  waitsFor: Owner | null;
  ended: boolean;
}

/** `onCommit` is told of each committed row, with what it was before. */
export function createRows(
  onCommit: (key: string, before: unknown, after: unknown) => void = () => {},
): Rows {
  const committed = new Map<string, unknown>();
  const owners = new Map<string, { owner: Owner; released: PromiseWithResolvers<void> }>();

  async function acquire(name: string, owner: Owner): Promise<void> {
    for (;;) {
      // The server has let a dead client's transaction go: it gets no lock any more, and its client no answer.
      if (owner.ended) await new Promise(() => {});
      const held = owners.get(name);
      if (!held || held.owner === owner) break;
      for (let next: Owner | null = held.owner; next; next = next.waitsFor)
        if (next === owner) throw new Error("deadlock detected");
      owner.waitsFor = held.owner;
      await held.released.promise;
      owner.waitsFor = null;
    }
    if (!owners.has(name)) owners.set(name, { owner, released: Promise.withResolvers() });
  }

  function release(owner: Owner): void {
    for (const [name, held] of owners) {
      if (held.owner !== owner) continue;
      owners.delete(name);
      held.released.resolve();
    }
  }

  return {
    committed: <T>(prefix: string) => rowsOf<T>([...committed], prefix),
    begin(pause) {
      const own = new Map<string, unknown>();
      const owner: Owner = { waitsFor: null, ended: false };
      const read = <T>(key: string) =>
        ((own.get(key) ?? committed.get(key)) as T | undefined) ?? null;
      const end = () => {
        owner.ended = true;
        release(owner);
      };
      return {
        read,
        scan: <T>(prefix: string) => rowsOf<T>([...new Map([...committed, ...own])], prefix),
        async update<T>(key: string, change: (row: T) => T | null) {
          const seen = read<T>(key);
          if (seen === null || change(seen) === null) return null;
          await acquire(key, owner);
          const row = read<T>(key);
          const next = row === null ? null : change(row);
          if (next === null) return null;
          own.set(key, next);
          await pause("written");
          return next;
        },
        async insert(key, row) {
          await acquire(key, owner);
          if (read(key) !== null) return false;
          own.set(key, row);
          await pause("written");
          return true;
        },
        lock: (name) => acquire(`lock ${name}`, owner),
        commit() {
          if (owner.ended) return;
          for (const [key, row] of own) {
            onCommit(key, committed.get(key) ?? null, row);
            committed.set(key, row);
          }
          end();
        },
        rollback: end,
      };
    },
  };
}

const rowsOf = <T>(entries: [string, unknown][], prefix: string): T[] =>
  entries.flatMap(([key, row]) => (key.startsWith(prefix) ? [row as T] : []));
