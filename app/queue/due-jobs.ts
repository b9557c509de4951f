import type { Db } from "pg-boss";
import { regularly } from "./regularly.ts";
import type { Loop } from "./vitals.ts";

/** Nobody notifies the runners of a job whose time comes: so often it is looked for. */
export const LOOK_EVERY_MS = 500;

/** One look at the index of waiting jobs for each kind of work, all of them in one statement. */
const DUE = `
  SELECT name FROM unnest($1::text[]) AS due (name)
  WHERE EXISTS (SELECT FROM pgboss.job j WHERE j.name = due.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now())`;

/** Looks at once and regularly for kinds of work of which a job is due, and tells `onDue` of each. */
export function watchDueJobs(options: {
  db: Db;
  names: readonly string[];
  loop: Loop;
  onDue: (name: string) => void;
}): { lookNow(): void; stop(): void } {
  const { db, names, loop, onDue } = options;
  const look = async () => {
    const { rows } = await db.executeSql(DUE, [names]);
    for (const { name } of rows as { name: string }[]) onDue(name);
  };
  const turns = regularly(loop, { firstMs: 0, everyMs: LOOK_EVERY_MS }, look);
  const lookNow = () => {
    // A look that failed is counted, and the next turn looks again.
    void look().then(loop.turned, loop.failed);
  };
  return { lookNow, stop: turns.stop };
}
