import type { z } from "zod";
import type {
  ReadPage,
  ReferralPage,
  ServicePage,
} from "../../modules/referrals/referral-service.ts";
import { isBrokenOff, nextCursor } from "./paging.ts";
import { idsIn, uuidIn } from "./wire/ids-in.ts";
import { likelyCursor, rawPageSchema } from "./wire/page.ts";
import { readEach, readParsed, readWire } from "./wire/read-wire.ts";
import { isReferral, listedReferralSchema, referralSchema } from "./wire/referral.ts";
import { isResult, listedResultSchema } from "./wire/result.ts";

const referrals = { page: rawPageSchema(isReferral), entry: listedReferralSchema };
const results = { page: rawPageSchema(isResult), entry: listedResultSchema };

/**
 * A page of GET /v1/results, of which nothing is read yet, and only what is compared is ever read. `label` names its
 * call in errors.
 */
export function resultsOn(text: string, label: string) {
  return unread(text, () => readPage(results, text, label));
}

/**
 * The same of GET /v1/referrals. The page is kept as text, which takes much less than what it is parsed to: pages may
 * wait.
 */
export function referralsOn(text: string, label: string): ReferralPage {
  return {
    ...unread(text, () => readPage(referrals, text, label)),
    whole(uuid) {
      const { entries } = readWire(referrals.page, text, label);
      const isIt = (one: unknown) => uuidIn(one) === uuid;
      return readParsed(referralSchema, entries.find(isIt), `listed referral ${uuid}`);
    },
  };
}

function unread<T>(text: string, read: ServicePage<T>["read"]): ServicePage<T> {
  const likely = likelyCursor(text);
  return { likelyNext: likely && nextCursor(likely), read };
}

function readPage<T>(
  reads: { page: ReturnType<typeof rawPageSchema>; entry: z.ZodType<T> },
  text: string,
  label: string,
): ReadPage<T> {
  const page = readWire(reads.page, text, label);
  const { read, unread } = readEach(reads.entry, page.entries);
  const unreadable = unread.map(({ entry, field }) => ({ ...idsIn(entry), field }));
  return { entries: read, unreadable, next: nextCursor(page), isBrokenOff: isBrokenOff(page) };
}
