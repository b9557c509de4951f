import { z } from "zod";
import type { ServicePage } from "../domain/referrals/referral-service.ts";
import type { ListedReferral, ReferralSnapshot } from "../domain/referrals/snapshots.ts";
import { nextCursor } from "./paging.ts";
import { type Entry, likelyCursor, rawPageSchema } from "./wire/page.ts";
import { readParsed, readWire } from "./wire/read-wire.ts";
import { isReferral, listedReferralSchema, referralSchema } from "./wire/referral.ts";
import { isResult, resultSchema } from "./wire/result.ts";

const referrals = { page: rawPageSchema(isReferral), entries: z.array(listedReferralSchema) };
const results = { page: rawPageSchema(isResult), entries: z.array(resultSchema) };

/** A page of GET /v1/results, of which nothing is read yet. `label` names its call in errors. */
export function resultsOn(text: string, label: string) {
  return unread(text, () => readPage(results, text, label));
}

/**
 * The same of GET /v1/referrals. Only what is compared is read of each, and only that is kept: the text of a page
 * takes much less than what it is parsed to, and pages may wait.
 */
export function referralsOn(text: string, label: string): ServicePage<ListedReferral> {
  const wholeOf = (uuid: string) => () => wholeReferral(text, label, uuid);
  return unread(text, () => {
    const { entries, next } = readPage(referrals, text, label);
    return { entries: entries.map((one) => ({ ...one, whole: wholeOf(one.uuid) })), next };
  });
}

function unread<T>(text: string, read: ServicePage<T>["read"]): ServicePage<T> {
  const likely = likelyCursor(text);
  return { likelyNext: likely && nextCursor(likely), read };
}

function readPage<T>(
  reads: { page: ReturnType<typeof rawPageSchema>; entries: z.ZodType<T[]> },
  text: string,
  label: string,
): { entries: T[]; next: string | null } {
  const page = readWire(reads.page, text, label);
  return { entries: readParsed(reads.entries, page.entries, label), next: nextCursor(page) };
}

function wholeReferral(text: string, label: string, uuid: string): ReferralSnapshot {
  const { entries } = readWire(referrals.page, text, label);
  const isIt = (one: unknown) => (one as Entry).uuid === uuid;
  return readParsed(referralSchema, entries.find(isIt), `listed referral ${uuid}`);
}
