import type { Pool } from "pg";

/**
 * Runs work while no other process holds the lock of this name. The lock belongs to a database connection, so
 * it ends with the process, however that ends.
 *
 * The connection is occupied for as long as the work takes, and the work may want another one. Were every
 * connection of the pool a lock's, all of them would wait for ever, so locks get a quarter of the pool.
 */
export async function withAdvisoryLock<T>(
  pool: Pool,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  const giveBack = await turn(pool);
  try {
    return await locked(pool, name, work);
  } finally {
    giveBack();
  }
}

async function locked<T>(pool: Pool, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("SELECT pg_advisory_lock(hashtextextended($1, 0))", [name]);
    try {
      return await work();
    } finally {
      await client
        .query("SELECT pg_advisory_unlock(hashtextextended($1, 0))", [name])
        // A connection that cannot say it has unlocked is thrown away, and the lock with it.
        .catch((error: Error) => {
          failure = error;
        });
    }
  } finally {
    client.release(failure);
  }
}

interface Turns {
  free: number;
  waiting: (() => void)[];
}

const turnsOf = new WeakMap<Pool, Turns>();

/** Waits for one of the places that locks have in this pool; resolves to what gives it back. */
async function turn(pool: Pool): Promise<() => void> {
  const turns = turnsOf.get(pool) ?? {
    free: Math.max(1, Math.floor(pool.options.max / 4)),
    waiting: [],
  };
  turnsOf.set(pool, turns);
  if (turns.free > 0) turns.free--;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  return () => {
    const next = turns.waiting.shift();
    if (next) next();
    else turns.free++;
  };
}
