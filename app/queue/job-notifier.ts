import type pg from "pg";
import { type Listener, listen } from "../platform/database/listen.ts";
import type { Logger } from "../platform/logger.ts";

const CHANNEL = "pathway_jobs";

/** Said in the transaction that hands jobs on: the kinds of them, to whoever works in any process. */
export async function notifyJobRunners(
  client: Pick<pg.PoolClient, "query">,
  names: Iterable<string>,
): Promise<void> {
  await client.query({
    name: "announce-jobs",
    text: "SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name",
    values: [CHANNEL, [...names]],
  });
}

/**
 * Hears in a process that works of jobs that were committed. Runners look by themselves now and then, and all of them at
 * once when a notification may have been missed.
 */
export function listenForJobs(options: {
  databaseUrl: string;
  logger: Logger;
  onJobs: (name: string) => void;
  onGap: () => void;
}): Listener {
  const { databaseUrl, logger, onJobs, onGap } = options;
  const heard = { onMessage: onJobs, onListening: onGap };
  return listen({ databaseUrl, channel: CHANNEL, logger, ...heard });
}
