/** A process with fewer connections would have one kind of work wait for another. */
export const MIN_CONNECTIONS = 8;

/** Connections that only listen: for work to be done, and for keys that were destroyed. */
const LISTENING = 2;

/** How a process's connections to the database are shared out. What takes messages has its own, which come on top. */
export interface ConnectionShares {
  /** For jobs' claims and ends. Heartbeats are among them, and must not wait for a turn. */
  jobs: number;
  /** For what concerns all shops, or none. The relay asks for keys while it holds one: two at least. */
  process: number;
  /** For transactions of one shop, which are most of the work. */
  tenants: number;
}

/** Shares out so many connections in all. */
export function shareConnections(all: number): ConnectionShares {
  const shared = Math.max(all, MIN_CONNECTIONS) - LISTENING;
  const few = Math.max(2, Math.floor(shared / 4));
  return { jobs: few, process: few, tenants: shared - 2 * few };
}
