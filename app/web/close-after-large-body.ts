import type { IncomingMessage, ServerResponse } from "node:http";
import { SMALL_BODY_BYTES, SOCKET_LIMITS } from "./limits.ts";

/** Whether a body says that it is small. One that does not tell its length may be of any. */
export const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers["content-length"] === undefined
    ? headers["transfer-encoding"] === undefined
    : Number(headers["content-length"]) <= SMALL_BODY_BYTES;

/**
 * Makes a request with a large body the last of its connection, and what nobody has read of it at the answer stay unread.
 * Node reads it to the end to have the next request: of many who send much, that alone took the processor. Its sender can
 * still read the answer, and is cut off a little later.
 */
export function closeAfterLargeBody(request: IncomingMessage, response: ServerResponse): void {
  if (isSmall(request)) return;
  const { socket } = request;
  response.setHeader("connection", "close");
  // How Node ends a connection after its last answer. It would reset it, and the answer might be lost.
  socket.destroySoon = () => {
    socket.end();
    // Node has just begun to read the rest, which starts again whatever is paused before it.
    if (!request.complete)
      setImmediate(() => {
        request.pause();
        socket.pause();
      });
    const timer = setTimeout(() => socket.destroy(), SOCKET_LIMITS.drainMs).unref();
    socket.once("close", () => clearTimeout(timer));
  };
}
