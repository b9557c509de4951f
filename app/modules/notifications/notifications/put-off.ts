import type { PutOff } from "../../kernel/notification.ts";

/** A job tries its mail every five minutes. Between tries that are further apart no server was there, or no job. */
export const MAX_GAP_MS = 3_600_000;

/**
 * Since when a mail is put off that the server refuses for now. The time counts from the first refusal at these addresses: the mail
 * may be due for days by then, because no server was there or its address was another. By a clock that was set back, it begins anew.
 */
export function putOffAt(former: PutOff | null, { by, now }: { by: Buffer; now: Date }): PutOff {
  const anew = { since: now, last: now, by };
  if (!former?.by.equals(by)) return anew;
  const gapMs = now.getTime() - former.last.getTime();
  return gapMs < 0 || gapMs > MAX_GAP_MS ? anew : { ...former, last: now };
}
