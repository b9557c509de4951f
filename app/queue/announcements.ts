import pg from "pg";
import type { Logger } from "../lib/logger.ts";

const CHANNEL = "pathway_jobs";
const RECONNECT_MS = 1_000;

/** Said in the transaction that hands jobs on: the kinds of them, to whoever works in any process. */
export async function announceJobs(
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
 * Hears announcements on a connection of its own. What is said while it is away is lost, so `onGap` is called
 * whenever it (again) listens; and lanes look by themselves now and then.
 */
export function listenForJobs(options: {
  databaseUrl: string;
  logger: Logger;
  onJobs: (name: string) => void;
  onGap: () => void;
}): { stop(): Promise<void> } {
  const { databaseUrl, logger, onJobs, onGap } = options;
  let stopped = false;
  let current: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  async function listen(): Promise<void> {
    const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
    current = client;
    client.on("notification", ({ payload }) => onJobs(payload ?? ""));
    let lost = false;
    const reconnect = (error?: Error) => {
      if (stopped || lost) return;
      lost = true;
      logger.warn({ err: error }, "job announcements cannot be heard; polling meanwhile");
      client.end().catch(() => {});
      timer = setTimeout(listen, RECONNECT_MS);
    };
    client.on("error", reconnect);
    client.on("end", () => reconnect());
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      onGap();
    } catch (error) {
      reconnect(error instanceof Error ? error : undefined);
    }
  }

  const first = listen();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await first;
      await current?.end().catch(() => {});
    },
  };
}
