import type { Server, ServerResponse } from "node:http";

/**
 * Lets a connection rest between two requests for `idleMs`. A proxy sends a request on a connection that it holds for open: closed
 * here a moment before, the request is lost, and somebody reads 502. So the proxy has to give up idle connections first. Above
 * `most` connections, which no proxy needs, an answer is the last of its own: a flood leaves none behind. Gives what tells each
 * answer so.
 */
export function keepConnections(
  server: Server,
  { idleMs, most }: { idleMs: number; most: number },
): (response: ServerResponse) => void {
  server.keepAliveTimeout = idleMs;
  let open = 0;
  server.on("connection", (socket) => {
    open++;
    socket.once("close", () => open--);
  });
  return (response) => {
    if (open > most) response.setHeader("connection", "close");
  };
}
