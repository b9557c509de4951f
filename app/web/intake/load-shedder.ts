import { INTAKE_LIMITS, type IntakeLimits } from "../limits.ts";
import { createThrottle, type Throttle } from "../rate-limiting/throttle.ts";

/** Reservation for one message, which takes more of it as more of its body comes. */
export interface Reservation {
  /** False when so many bytes more are too much. */
  takes(bytes: number): boolean;
  /** Null: more may come at once. Else resolves when it may; with false when too many wait. */
  wait(bytes: number): Promise<boolean> | null;
  /** All of the body is here: its place is its own until it leaves. */
  arrived(): void;
  leave(): void;
  /** Tells when another takes the place of a body that comes too slowly. */
  whenGivenUp(tell: () => void): void;
}

/** Large bodies that wait for their next piece. Each is a connection that is open anyway. */
const MAX_PACED = 4_000;

/**
 * Keeps what is under way within bounds. Who comes when there is too much is told so at once, and tries again
 * later (Shopify for four hours); the others are served as fast as ever. Only what has come counts: a few who announce
 * much and send nothing would keep everybody out. Nor do those who send a part and then nothing: a body that has been
 * coming for long gives up its place to a new one.
 */
export function createLoadShedder(given: Partial<IntakeLimits> = {}) {
  const limits = { ...INTAKE_LIMITS, ...given };
  const pace = createThrottle({ perSecond: limits.largeBytesPerSecond, waiting: MAX_PACED });
  const lookupPace = createThrottle({
    perSecond: limits.lookupsPerSecond,
    // Nobody listens for longer than the service does.
    waiting: limits.lookupsPerSecond * 2,
  });
  const small = createPlaces(limits.smallBytes, limits.graceMs, null);
  const large = createPlaces(limits.largeBytes, limits.graceMs * 4, pace);
  const ofShop = new Map<string, number>();
  const shopShare = Math.max(1, Math.floor(limits.messages * limits.shareOfOneShop));
  let messages = 0;
  let lookups = 0;
  return {
    readMs: limits.readMs,

    enter(isSmall: boolean): Reservation {
      return (isSmall ? small : large).enter();
    },

    /**
     * Runs the database's work for one message of a shop. Rejects when too many wait, or when the work takes too long. A
     * message may come to be stored all the same; then it is a duplicate later.
     */
    async inTime<T>(shop: string, work: () => Promise<T>): Promise<T> {
      const own = ofShop.get(shop) ?? 0;
      if (messages >= limits.messages || own >= shopShare) throw new TooMuch();
      messages++;
      ofShop.set(shop, own + 1);
      try {
        return await withinTime(work(), limits.storeMs);
      } finally {
        messages--;
        const left = (ofShop.get(shop) ?? 1) - 1;
        if (left > 0) ofShop.set(shop, left);
        else ofShop.delete(shop);
      }
    },

    /** The same for an address that nobody has used yet: those that somebody made up take no message's place. */
    async lookUp<T>(work: () => Promise<T>): Promise<T> {
      if (!(await lookupPace.turn())) throw new TooMuch();
      if (lookups >= limits.lookups) throw new TooMuch();
      lookups++;
      try {
        return await withinTime(work(), limits.storeMs);
      } finally {
        lookups--;
      }
    },
  };
}

/** A body on its way. */
interface Coming {
  taken: number;
  since: number;
  /** Stands here and not on the reservation, which would keep a whole message in memory (docs/decisions/0149). */
  tell: (() => void) | null;
}

/** Room for the bodies of one kind. A body that comes for longer than `graceMs` has no right to its place any more. */
function createPlaces(mostBytes: number, graceMs: number, pace: Throttle | null) {
  /** Bodies on their way, in the order in which they began. */
  const coming = new Map<Reservation, Coming>();
  let bytes = 0;

  function makeRoom(more: number, own: Reservation): boolean {
    for (const [reservation, other] of coming) {
      if (bytes + more <= mostBytes || performance.now() - other.since < graceMs) break;
      if (reservation === own || other.taken === 0) continue;
      reservation.leave();
      other.tell?.();
    }
    return bytes + more <= mostBytes;
  }

  return {
    enter(): Reservation {
      const state: Coming = { taken: 0, since: performance.now(), tell: null };
      const own: Reservation = {
        whenGivenUp(tell) {
          state.tell = tell;
        },
        takes(more) {
          if (!makeRoom(more, own)) return false;
          bytes += more;
          state.taken += more;
          return true;
        },
        wait: (more) => pace?.turn(more) ?? null,
        arrived() {
          state.tell = null;
          coming.delete(own);
        },
        leave() {
          bytes -= state.taken;
          state.taken = 0;
          coming.delete(own);
        },
      };
      coming.set(own, state);
      return own;
    },
  };
}

/** There is no reservation for a message now. */
export class TooMuch extends Error {}

function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error("the database did not take it in time"));
    // An answer that came while the process stood still has not been read by then, and is read first.
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
