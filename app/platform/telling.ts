/** The same failure is a line of the log once in this time: a night without the database must not fill the disk. */
const TELL_AGAIN_MS = 60_000;

/** Whether a failure is worth a line: it was not told in the last minute, by whatever code. */
export function createTelling(): (code: string) => boolean {
  const toldAt = new Map<string, number>();
  return (code) => {
    const now = performance.now();
    const last = toldAt.get(code);
    if (last !== undefined && now - last < TELL_AGAIN_MS) return false;
    toldAt.set(code, now);
    return true;
  };
}
