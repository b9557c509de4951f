import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** The addresses of the plain demo, so that bookmarks and habits survive. */
export const FIXED_PORTS = { app: 3000, service: 4010, store: 4020, database: 5433 } as const;

/**
 * The wanted port of 127.0.0.1 when nobody listens there, otherwise a free one, told through `say`.
 * Another program may still take it before it is used; the program then says so itself.
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

/**
 * A port of 127.0.0.1 that nobody uses at the moment. None of those that systems give to outgoing connections: one of
 * these may take it before the program that it is meant for.
 */
export async function freePort(): Promise<number> {
  for (let tries = 100; tries > 0; tries--) {
    const port = await listenBriefly(randomInt(12_000, 32_000));
    if (port !== null) return port;
  }
  throw new Error("No free port on 127.0.0.1");
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
