import type { IncomingMessage } from "node:http";
import { MAX_BYTES } from "./raw-body.ts";

export interface Limits {
  /** Messages that are being read or stored at one time. */
  messages: number;
  /** Bytes of their bodies together. */
  bytes: number;
  /** The service gives up after 3 s, Shopify after 5 s: an answer that comes later is heard by nobody. */
  storeMs: number;
}

const USUAL: Limits = { messages: 500, bytes: 64 * 1024 * 1024, storeMs: 2_500 };

/**
 * Keeps what is under way within bounds. Who comes when there is too much is told so at once, and tries again
 * later (Shopify for four hours); the others are served as fast as ever.
 */
export function createAdmission(given: Partial<Limits> = {}) {
  const limits = { ...USUAL, ...given };
  let messages = 0;
  let bytes = 0;
  return {
    /** Null when there is no room; otherwise what gives the room back. */
    enter(request: IncomingMessage): (() => void) | null {
      // A body of unknown length may become as large as any.
      const size = Math.min(Number(request.headers["content-length"] ?? MAX_BYTES), MAX_BYTES);
      if (messages >= limits.messages || bytes + size > limits.bytes) return null;
      messages++;
      bytes += size;
      return () => {
        messages--;
        bytes -= size;
      };
    },

    /** Rejects when `stored` takes too long. It may come to be stored all the same; then it is a duplicate later. */
    inTime(stored: Promise<void>): Promise<void> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error("the database did not take it in time"));
        }, limits.storeMs);
        stored.then(resolve, reject).finally(() => clearTimeout(timer));
      });
    },
  };
}
