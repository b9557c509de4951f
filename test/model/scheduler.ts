import { setImmediate as settled } from "node:timers/promises";
import type { Transaction } from "./rows.ts";

/** One process of the app: it may die, or lose its connection to the database, between any two steps. */
export interface Process {
  readonly name: string;
  dead: boolean;
  /** Transactions that are open now; they end with it. */
  transactions: Set<Transaction>;
}

interface Step {
  process: Process;
  what: string;
  go: PromiseWithResolvers<void>;
}

/** Decides who does the next step; nothing moves by itself. */
export function createScheduler() {
  const waiting: Step[] = [];
  return {
    newProcess: (name: string): Process => ({ name, dead: false, transactions: new Set() }),
    /** Waits for this process's turn. A dead one's never comes. */
    pause: (process: Process, what: string): Promise<void> => {
      const go = Promise.withResolvers<void>();
      if (!process.dead) waiting.push({ process, what, go });
      return go.promise;
    },
    waiting: () => waiting.length,
    /** Lets one of those who wait do its step, and waits until it waits again; false when nobody waits. */
    async step(choice: number, failure?: Error): Promise<boolean> {
      const [chosen] = waiting.splice(choice % Math.max(1, waiting.length), 1);
      if (!chosen) return false;
      // A connection can be lost in a transaction; elsewhere there is nothing to lose.
      if (failure && chosen.process.transactions.size > 0) chosen.go.reject(failure);
      else chosen.go.resolve();
      await settled();
      return true;
    },
    /** The process does no further step; the database undoes what it had not committed. */
    async kill(process: Process): Promise<void> {
      process.dead = true;
      for (let at = waiting.length - 1; at >= 0; at--)
        if (waiting[at]?.process === process) waiting.splice(at, 1);
      for (const transaction of process.transactions) transaction.rollback();
      process.transactions.clear();
      await settled();
    },
  };
}
