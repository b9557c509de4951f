import { once } from "node:events";
import { createServer } from "node:net";

/** The addresses of the plain demo, so that bookmarks and habits survive. */
export const FIXED_PORTS = { app: 3000, service: 4010, store: 4020, database: 5433 } as const;

/**
 * The wanted port of 127.0.0.1 when nobody listens there, otherwise a free one, told through `say`.
 * Whoever is quick may still take it before it is used; the program then says so itself.
 */
export async function claimPort(
  program: string,
  wanted: number,
  say: (line: string) => void,
): Promise<number> {
  const claimed = await listenBriefly(wanted);
  if (claimed !== null) return claimed;
  const other = await freePort();
  say(
    `Port ${wanted} is taken by another program, so the ${program} is at port ${other} this time.`,
  );
  return other;
}

/** A port of 127.0.0.1 that nobody uses at the moment. */
export async function freePort(): Promise<number> {
  const port = await listenBriefly(0);
  if (port === null) throw new Error("No free port on 127.0.0.1");
  return port;
}

async function listenBriefly(port: number): Promise<number | null> {
  const probe = createServer();
  try {
    await once(probe.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return null;
    throw error;
  }
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === "object" && address !== null ? address.port : null;
}
