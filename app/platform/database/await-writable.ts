import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./limited-client.ts";

const EVERY_MS = 1_000;

/**
 * Resolves once the database can be written. A standby has to be promoted first, and nothing can be started before.
 * Rejects when the database does not answer in time: whoever starts the process starts it again.
 */
export async function awaitWritable(
  databaseUrl: string,
  logger: Pick<Logger, "warn">,
): Promise<void> {
  for (let isTold = false; await isStandby(databaseUrl); isTold = true) {
    if (!isTold) logger.warn("the database is a standby: waiting until it is promoted");
    await delay(EVERY_MS);
  }
}

async function isStandby(databaseUrl: string): Promise<boolean> {
  const client = new LimitedClient({ ...CONNECTION_LIMITS, connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ standby: boolean }>(
      "SELECT pg_is_in_recovery() AS standby",
    );
    return rows[0]?.standby === true;
  } finally {
    await client.end();
  }
}
