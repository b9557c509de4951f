import type pg from "pg";

/** The same address, for connections that are told how long each of their statements took the server. */
export function timed(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set("options", "-c log_min_duration_statement=0 -c client_min_messages=log");
  return url.href;
}

/** Adds up what the statements of a pool of such connections took: parsing, planning and running, in milliseconds. */
export function databaseMeter(pool: pg.Pool): { reset(): void; sumMs(): number } {
  let sum = 0;
  pool.on("connect", (client) => {
    client.on("notice", ({ message = "" }) => {
      sum += Number(/^duration: ([\d.]+) ms/.exec(message)?.[1] ?? 0);
    });
  });
  return {
    reset: () => {
      sum = 0;
    },
    sumMs: () => sum,
  };
}
