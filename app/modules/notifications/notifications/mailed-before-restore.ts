import type { DueNotification } from "../../kernel/notification.ts";
import type { Ports } from "../../privacy/ports.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import { ownerNeedsLink } from "../../referrals/account-of-buyer.ts";
import type { RequestFacts } from "../../referrals/customer-view.ts";
import { formOfMail, topicOfForm, topicOfUnit } from "../../referrals/mail-topics.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import type { Shop } from "../../shops/shop.ts";
import { readerAddress } from "./mail-facts.ts";

/** A piece of a mail. `facts`: of its test, where the mail tells news. */
export interface ToldPiece {
  due: DueNotification;
  request: ReferralRequest;
  facts?: RequestFacts | undefined;
}

/** The reader of a mail, and whether a link of ours takes them to the test. */
interface Reader {
  to: string;
  personal: boolean;
}

/** The journal of mails keeps this of a mail: the last word about each unit, and of each form that it was told of. */
export function wordsOf(
  { notifications }: Pick<Tenant, "notifications">,
  pieces: readonly ToldPiece[],
  reader: Reader,
): { about: string; says: string }[] {
  return pieces.flatMap((piece) => {
    const says = notifications.hashOf(...saying(piece, reader));
    const form = piece.facts ? formOfMail(piece.due, piece.facts) : null;
    return [topicOfUnit(piece.request), ...(form ? [topicOfForm(form)] : [])].map((topic) => ({
      about: notifications.hashOf(...topic),
      says,
    }));
  });
}

/** Everything that a reader could have learnt by following a mail, as the service dates it: a later change makes another word. */
function saying({ due, request, facts }: ToldPiece, { to, personal }: Reader): string[] {
  const reader = [personal ? "link" : "account", to.trim().toLowerCase(), due.kind];
  const form = facts ? formOfMail(due, facts) : null;
  if (facts && form) {
    const referral = facts.referrals.find(({ uuid }) => uuid === form);
    return [...reader, form, referral?.serviceUpdatedAt.toISOString() ?? ""];
  }
  if (facts && due.kind === "results_available") return [...reader, ...shownResults(facts)];
  return [...reader, request.id, due.occurrence ?? ""];
}

const shownResults = ({ results }: RequestFacts): string[] =>
  results
    .filter(({ releasedAt }) => releasedAt !== null)
    .map(({ uuid, serviceUpdatedAt }) => `${uuid} ${serviceUpdatedAt.toISOString()}`)
    .toSorted();

/**
 * Counts news as sent that the lost database's workers mailed to this reader, where that was the last that the reader heard of the
 * unit, and an account shows it. A mailed link may have died with the database, so whoever needs one is mailed again. Returns
 * whether it did.
 */
export async function countMailedBefore(
  tenant: Tenant,
  { mailJournal }: Pick<Ports, "mailJournal">,
  { due, facts, notedAt, settings }: ToldNews,
): Promise<boolean> {
  const { request } = facts;
  const last = mailJournal.lastOf(tenant.notifications.hashOf(...topicOfUnit(request)));
  if (!last || !isFirstReading({ due, facts, notedAt })) return false;
  if (await ownerNeedsLink(tenant, request, settings)) return false;
  const to = await readerAddress(tenant, request, due.kind);
  if (!to) return false;
  const reader = { to, personal: false };
  if (last.says !== tenant.notifications.hashOf(...saying({ due, request, facts }, reader)))
    return false;
  return tenant.notifications.markSent(due, last.at, tenant.links.recipientOf(to));
}

interface ToldNews {
  due: DueNotification;
  facts: RequestFacts;
  notedAt: Date;
  settings: Shop;
}

/**
 * Whether news was noted when this database first read what it tells. An email that staff want sent again, a result that a person released
 * here, and a result that was taken back and is there again were told otherwise in between.
 */
function isFirstReading({ due, facts, notedAt }: Omit<ToldNews, "settings">): boolean {
  const isThen = (at: Date | null) => at?.getTime() === notedAt.getTime();
  if (due.kind === "form_ready") {
    const form = formOfMail(due, facts);
    return facts.documents.some(
      (one) => one.sourceUuid === form && one.version === 1 && isThen(one.createdAt),
    );
  }
  if (due.kind !== "results_available") return false;
  const shown = facts.results.filter(({ releasedAt }) => releasedAt !== null);
  // Both were when it was first read: nobody released it later, and it was not taken back or changed since.
  const isUntouched = ({ releasedAt, figuresAt }: (typeof shown)[number]) =>
    releasedAt?.getTime() === figuresAt?.getTime();
  return shown.some(({ releasedAt }) => isThen(releasedAt)) && shown.every(isUntouched);
}
