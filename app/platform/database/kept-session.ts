import { AccessMissing } from "../errors.ts";
import type { LimitedClient } from "./limited-client.ts";

/** How often it is looked: other clients of a proxy may take the connection that would tell. */
const SESSION_LOOKS = 3;

/**
 * A process's name on a connection, its listening, and the lock of a migration hold for a session. A proxy that
 * pools transactions gives the connection of one client to the next. Throws `AccessMissing` behind one.
 */
export async function checkSession(client: LimitedClient, other: LimitedClient): Promise<void> {
  const backendOf = async (asked: LimitedClient) =>
    (await asked.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]?.pid;
  await other.connect();
  try {
    const own = await backendOf(client);
    for (let look = 0; look < SESSION_LOOKS; look++) {
      await other.query("BEGIN");
      const isKept = (await backendOf(other)) !== own && (await backendOf(client)) === own;
      await other.query("ROLLBACK");
      if (!isKept)
        throw new AccessMissing(
          "DATABASE_URL leads through a proxy that pools transactions: set DATABASE_DIRECT_URL to PostgreSQL itself, or have the proxy pool sessions.",
        );
    }
  } finally {
    await other.end();
  }
}
