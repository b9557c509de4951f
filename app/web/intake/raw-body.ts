import type { IncomingMessage } from "node:http";
import type { Reservation } from "./load-shedder.ts";

export type RawBody =
  | { kind: "whole"; bytes: Buffer }
  | { kind: "too_large" }
  /** There is no reservation for more of it now. */
  | { kind: "no_room" }
  | { kind: "too_slow" }
  | { kind: "truncated" };

/**
 * Reads a request's body exactly as it was sent: signatures are over bytes, not over parsed JSON. Each piece has to find
 * `reservation`, and all of it has to come within `withinMs`; of a body that does not, nothing is kept, and the request is
 * left paused.
 */
export function readRawBody(
  request: IncomingMessage,
  {
    reservation,
    maxBytes,
    withinMs,
  }: { reservation: Reservation; maxBytes: number; withinMs: number },
): Promise<RawBody> {
  return new Promise((resolve) => {
    // The sender may have gone while its address was looked up: nothing would tell it any more.
    if (request.destroyed) return resolve({ kind: "truncated" });
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    const timer = setTimeout(() => end({ kind: "too_slow" }), withinMs);
    function end(body: RawBody): void {
      isOver = true;
      clearTimeout(timer);
      reservation.arrived();
      if (body.kind !== "whole") {
        request.removeAllListeners("data");
        request.pause();
        chunks.length = 0;
      }
      resolve(body);
    }
    function slowDown(turn: Promise<boolean> | null): void {
      if (!turn) return;
      request.pause();
      // A turn comes or does not; it never fails.
      void turn.then((isTurn) => {
        if (isOver) return;
        if (isTurn) request.resume();
        else end({ kind: "no_room" });
      });
    }
    reservation.whenGivenUp(() => end({ kind: "no_room" }));
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) end({ kind: "too_large" });
      else if (reservation.takes(chunk.length)) {
        chunks.push(chunk);
        slowDown(reservation.wait(chunk.length));
      } else end({ kind: "no_room" });
    });
    request.once("end", () => {
      if (!isOver) end({ kind: "whole", bytes: joined(chunks, size) });
    });
    // The sender went away before it had sent what it announced.
    request.once("aborted", () => end({ kind: "truncated" }));
    request.once("error", () => end({ kind: "truncated" }));
  });
}

function joined(chunks: Buffer[], size: number): Buffer {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : Buffer.concat(chunks, size);
}
