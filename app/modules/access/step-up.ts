import { isBeforeSetBack } from "../kernel/secret.ts";

/** A mailed code as it was counted. */
export interface CountedCode {
  at: Date;
  failedTries: number;
}

export interface StepUpRepository {
  /** Keyed hash of a code's digits. Six digits alone could be guessed from a plain hash. */
  codeHash(id: string, code: string): Buffer;
  /** Lets nobody else count for this recipient until the transaction ends. */
  lock(recipient: Buffer): Promise<void>;
  /** Stores a code for a session. The session's former code ends. */
  add(code: {
    id: string;
    requestId: string;
    recipient: Buffer;
    sessionHash: Buffer;
    codeHash: Buffer;
    expiresAt: Date;
    at: Date;
  }): Promise<void>;
  /** Ends a code that was not mailed, and forgets it unless somebody tried it: a wrong try counts, whatever came of the mail. */
  takeBack(id: string, at: Date): Promise<void>;
  /** The one code that the session can still use; null without. */
  live(sessionHash: Buffer, now: Date): Promise<{ id: string; codeHash: Buffer; at: Date } | null>;
  /** Every code that was mailed to the recipient since then, oldest first, by whatever link. */
  since(recipient: Buffer, since: Date): Promise<CountedCode[]>;
  countFailure(id: string): Promise<void>;
  end(id: string, at: Date): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** For each recipient: a stranger with many links has no more tries than with one. */
const STEP_UP_LIMITS = [
  { windowMs: HOUR_MS, codes: 5, tries: 5 },
  { windowMs: 24 * HOUR_MS, codes: 10, tries: 15 },
];

export const MAX_WINDOW_MS = 24 * HOUR_MS;

/** When the recipient may go on; null when they may now. `counts`: what is limited, of each code. */
export function pausedUntil(
  codes: CountedCode[],
  { limited, now }: { limited: "codes" | "tries"; now: Date },
): Date | null {
  const countOf = (code: CountedCode) => (limited === "codes" ? 1 : code.failedTries);
  let until = 0;
  for (const limit of STEP_UP_LIMITS) {
    const recent = codes.filter(
      ({ at }) => at.getTime() > now.getTime() - limit.windowMs && !isBeforeSetBack(at, now),
    );
    let left = recent.reduce((sum, code) => sum + countOf(code), 0);
    for (const code of recent) {
      if (left < limit[limited]) break;
      left -= countOf(code);
      until = Math.max(until, code.at.getTime() + limit.windowMs);
    }
  }
  return until === 0 ? null : new Date(until);
}
