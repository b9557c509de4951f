export interface Limits {
  /** Messages for which the database is at work at one time. */
  messages: number;
  /** Bytes of bodies that are here, whole or in part, and not yet stored. */
  bytes: number;
  /** Nobody listens for longer: the service gives up after 3 s, Shopify after 5 s. */
  readMs: number;
  storeMs: number;
}

const USUAL: Limits = { messages: 500, bytes: 64 * 1024 * 1024, readMs: 5_000, storeMs: 2_500 };

/** Reservation for one message, which takes more of it as more of its body comes. */
export interface Reservation {
  /** False when so many bytes more are too much. */
  takes(bytes: number): boolean;
  leave(): void;
}

/**
 * Keeps what is under way within bounds. Who comes when there is too much is told so at once, and tries again
 * later (Shopify for four hours); the others are served as fast as ever. Only what has come counts: a few who announce
 * much and send nothing would keep everybody out.
 */
export function createLoadShedder(given: Partial<Limits> = {}) {
  const limits = { ...USUAL, ...given };
  let messages = 0;
  let bytes = 0;
  return {
    readMs: limits.readMs,

    enter(): Reservation {
      let taken = 0;
      return {
        takes(more) {
          if (bytes + more > limits.bytes) return false;
          bytes += more;
          taken += more;
          return true;
        },
        leave() {
          bytes -= taken;
          taken = 0;
        },
      };
    },

    /**
     * Runs the database's work for one message. Rejects when too many wait, or when the work takes too long. A
     * message may come to be stored all the same; then it is a duplicate later.
     */
    async inTime<T>(work: () => Promise<T>): Promise<T> {
      if (messages >= limits.messages) throw new TooMuch();
      messages++;
      try {
        return await withinTime(work(), limits.storeMs);
      } finally {
        messages--;
      }
    },
  };
}

/** There is no reservation for a message now. */
export class TooMuch extends Error {}

function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error("the database did not take it in time"));
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
