import pg from "pg";

/** Runs one statement as the server's owner, on a connection of its own. */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** The longest time that ended connections get to be gone, in steps of 10 ms. */
const GOODBYE_STEPS = 100;

/**
 * Drops a database whose pools have ended. A pool has ended before its connections have, and a connection that is cut off while it
 * says goodbye has nobody who hears its error: they are waited for. Then whatever is left is cut off.
 */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await administer(
    serverUrl,
    `DO $$ BEGIN
       FOR step IN 1..${GOODBYE_STEPS} LOOP
         EXIT WHEN NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend');
         PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
       END LOOP;
     END $$`,
  );
  await administer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
