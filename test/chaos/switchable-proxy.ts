import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** An address whose server can be exchanged, as a cloud's endpoint of a database is. */
export interface SwitchableProxy extends AsyncDisposable {
  port: number;
  /** From now on nothing is passed on; connections stay open. */
  freeze(): void;
  /** While held, new connections are taken and lead nowhere. */
  hold(held: boolean): void;
  /** Ends every connection, and leads new ones to this port; null refuses them. */
  lead(to: number | null): void;
}

/** Listens on a free port and leads to `target`. */
export async function startProxy(target: number): Promise<SwitchableProxy> {
  let leadsTo: number | null = target;
  let isHeld = false;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    if (leadsTo === null) return client.destroy();
    if (isHeld) {
      open.add(client);
      client.on("error", () => client.destroy()).once("close", () => open.delete(client));
      return;
    }
    const upstream = connect(leadsTo, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      // A peer that dies ends the other side as well.
      socket.on("error", () => other.destroy());
      socket.once("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const lead = (to: number | null) => {
    leadsTo = to;
    for (const socket of open) socket.destroy();
  };
  return {
    port: address.port,
    freeze() {
      for (const socket of open) socket.unpipe().pause();
    },
    hold(held) {
      isHeld = held;
      // A connection that was taken meanwhile waits for nobody.
      if (!held) lead(leadsTo);
    },
    lead,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      lead(null);
      await closed;
    },
  };
}
