import { hash } from "node:crypto";

/** So many characters of the hash, 120 bits: two kinds of work of one name never share them by chance. */
const LENGTH = 20;
/** The end of a key of work that waits for its time (outbox.ts), which `mend-times.ts` reads. */
const TIME = /@\d+$/;

/**
 * A job's key as the engine has it: pg-boss writes it into its widest index each time a job is asked for and claimed, and
 * asks only whether two are the same. A key that is short already stays as it is, so that a key is shortened once.
 */
export function shortKey(key: string): string {
  const time = TIME.exec(key)?.[0] ?? "";
  const work = key.slice(0, key.length - time.length);
  if (work.length <= LENGTH) return key;
  return hash("sha256", work, "base64url").slice(0, LENGTH) + time;
}
