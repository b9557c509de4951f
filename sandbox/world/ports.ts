import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
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

/** None of those that systems give to outgoing connections: one of these could take it first. */
const OURS = { from: 12_000, to: 32_000 };

/**
 * A port of 127.0.0.1 that nobody uses at the moment, and that no other process which asks here gets as long as this one
 * lives: worlds that start side by side keep apart, and a program that was killed comes back at its port.
 */
export async function freePort({ from, to } = OURS): Promise<number> {
  for (let tries = 100; tries > 0; tries--) {
    const port = randomInt(from, to);
    if ((await reserve(port)) && (await listenBriefly(port)) !== null) return port;
  }
  throw new Error("No free port on 127.0.0.1");
}

/**
 * Holds the UDP port of the same number until this process ends, however it ends. Nothing is ever sent to it: it is the
 * mark that the port for connections is given away.
 */
async function reserve(port: number): Promise<boolean> {
  const mark = createSocket("udp4").unref();
  try {
    await once(mark.bind({ port, address: "127.0.0.1", exclusive: true }), "listening");
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

async function listenBriefly(port: number): Promise<number | null> {
  const probe = createServer();
  try {
    await once(probe.listen(port, "127.0.0.1"), "listening");
  } catch (error) {
    if (isTaken(error)) return null;
    throw error;
  }
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === "object" && address !== null ? address.port : null;
}

const isTaken = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE";
