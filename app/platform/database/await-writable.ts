import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";
import { askTakesWrites } from "./takes-writes.ts";

const EVERY_MS = 1_000;

/**
 * Resolves once the database can be written. A standby has to be promoted first, a database that was made read-only has to be
 * given back, and nothing can be started before. Rejects when the database does not answer in time: whoever starts the process
 * starts it again.
 */
export async function awaitWritable(
  databaseUrl: string,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  for (let isTold = false; !(await isWritable(databaseUrl)); isTold = true) {
    if (!isTold)
      logger.warn("the database is a standby or read-only: waiting until it takes writes");
    await delay(EVERY_MS);
  }
}

async function isWritable(databaseUrl: string): Promise<boolean> {
  const client = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl });
  await client.connect();
  try {
    return await askTakesWrites(client);
  } finally {
    await client.end();
  }
}
