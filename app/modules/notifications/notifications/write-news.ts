import {
  type DueNotification,
  isNewsKind,
  type Mail,
  NEWS_KINDS,
  type NewsKind,
  type NotificationKind,
} from "../../kernel/notification.ts";
import type { Waits } from "../../kernel/ports.ts";
import { isBeforeSetBack } from "../../kernel/secret.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import type { RequestFacts } from "../../referrals/customer-view.ts";
import { formNamedBy } from "../../referrals/form-mail.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { gatherFacts } from "../../referrals/request-facts.ts";
import {
  isOldBesideResults,
  newsOf,
  STOPS_FORM,
  type StateNews,
} from "../../referrals/state-news.ts";
import type { Shop } from "../../shops/shop.ts";
import { composeMail, composeNews, MAX_NAMED } from "./compose-mail.ts";
import { isStillNews } from "./is-due.ts";
import {
  type Addresses,
  aboutsOf,
  customerFacts,
  linkTo,
  type MailedLink,
  readerAddress,
} from "./mail-facts.ts";
import { type ToldPiece, wordsOf } from "./mailed-before-restore.ts";

/** A mail as it goes out, with what it tells. */
interface WrittenMail {
  mail: Mail;
  linkIds: string[];
  /** The notifications that the mail tells, and when news was noted. */
  tells: (ToldPiece & { notedAt?: Date })[];
  /** The journal of mails keeps this of it. */
  words: { about: string; says: string }[];
  /** When the oldest piece was noted. */
  notedAt: Date;
}

/**
 * Writes the news of an order that came close together as one mail to the same reader. The oldest piece waits for the
 * mail window and takes the others with it; their own jobs then find them sent. `due` was found to be due just now, by what
 * is `known` of its test and by the shop's `settings`.
 */
export async function writeNews(
  tenant: Tenant,
  known: RequestFacts,
  {
    due,
    settings,
    addresses,
    now,
    waits,
  }: { due: DueNotification; settings: Shop; addresses: Addresses; now: Date; waits: Waits },
): Promise<WrittenMail | "not_due" | "no_reader" | "postponed"> {
  const { shop } = tenant;
  const { request } = known;
  const judging = { own: due, known, settings };
  const postpone = async (notBefore: Date) => {
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { notBefore });
    return "postponed" as const;
  };
  const waiting = await newsOfReader(tenant, request, due);
  // An order of a thousand units has a thousand pieces, each with a job: only the oldest one's looks at all of them.
  const oldest = await firstDue(tenant, waiting, judging);
  if (!oldest) return "not_due";
  // Nobody to write to: the oldest piece has found that too, and nothing is worth waiting for.
  const buyer = await tenant.orders.buyerOf(request.orderId);
  if (!(await readerAddress(tenant, request, due.kind, buyer))) return "no_reader";
  // The oldest piece's mail may be on its way without this one: this one looks again. Where many wait, each looks seldom.
  if (!isSameNotification(oldest.due, due)) {
    const rest = Math.max(waits.mailWindowMs, MIN_LOOK_AGAIN_MS, waiting.length * LOOK_APART_MS);
    const notBefore = new Date(now.getTime() + rest);
    // Its own job may have ended while it was not true. Then this one would wait for it for ever. A job that is there takes this one in.
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...oldest.due }, { notBefore });
    return postpone(notBefore);
  }
  const tells = await allDue(tenant, waiting, judging);
  const weight = (one: WaitingNews) => WEIGHTS.indexOf(one.due.kind);
  const weighed = tells.toSorted(
    (a, b) =>
      weight(a) - weight(b) || byNumber(a, b) || Number(isFurther(a)) - Number(isFurther(b)),
  );
  const [lead] = weighed;
  if (!lead) return "not_due";
  const { about } = lead;
  const written = await customerFacts(tenant, lead.request, {
    due: lead.due,
    settings,
    buyer,
    about,
    addresses,
    now,
  });
  if (!written) return "no_reader";
  const { facts, linkId } = written;
  const isOld = ({ due, facts }: WaitingNews) =>
    tells.some((one) => isResults(one) && one.due.requestId === due.requestId) &&
    isOldBesideResults(due, facts);
  const told = weighed
    .filter((one) => !isOld(one))
    // Two forms of one test that come together are told as one.
    .filter((one, at, all) => all.findIndex((other) => saysTheSame(one, other)) === at);
  const links =
    linkId && facts.url
      ? await linksOf(tenant, told, {
          lead: { id: linkId, url: facts.url },
          to: facts.to,
          appUrl: addresses.appUrl,
          now,
        })
      : [];
  const items = told
    .map((one, index) => ({
      ...{ requestId: one.due.requestId, kind: one.due.kind, news: one.news, about: one.about },
      isFurther: isFurther(one),
      url: links[index]?.url ?? null,
    }))
    .toSorted((a, b) => Number(isStop(b)) - Number(isStop(a)));
  const mail = items.length === 1 ? composeMail(lead.due.kind, facts) : composeNews(items, facts);
  const linkIds = new Set([linkId, ...links.map((link) => link?.id ?? null)]);
  return {
    mail,
    linkIds: [...linkIds].filter((id) => id !== null),
    tells,
    words: wordsOf(tenant, tells, facts),
    notedAt: oldest.notedAt,
  };
}

/** A reader of several forms that are ready is told first which one not to use. */
const isStop = ({ news }: { news: StateNews | null }) => news !== null && STOPS_FORM.has(news);

const isResults = ({ due }: WaitingNews) => due.kind === "results_available";

/** A form beside another one of the test, or in its place, is told in other words. */
const isFurther = ({ due }: WaitingNews) => formNamedBy(due) !== null;

const saysTheSame = (one: WaitingNews, other: WaitingNews) =>
  one.due.requestId === other.due.requestId &&
  one.due.kind === other.due.kind &&
  one.news === other.news;

/** As a reader counts their tests: 2 comes before 10. */
const byNumber = (a: WaitingNews, b: WaitingNews) =>
  (a.about ?? "").localeCompare(b.about ?? "", "en-AU", { numeric: true });

/**
 * Returns the link of each piece of news, where it has one: a link opens one unit, so each unit has its own, at its first piece
 * (docs/decisions/0170). The first piece of all has the mail's link. Returns none where the mail tells of one unit, or of more than
 * it names.
 */
async function linksOf(
  tenant: Tenant,
  told: readonly WaitingNews[],
  { lead, ...making }: { lead: MailedLink; to: string; appUrl: string; now: Date },
): Promise<(MailedLink | null)[]> {
  const unitOf = ({ request: { lineItemId, unit } }: WaitingNews) => `${lineItemId} ${unit}`;
  const units = new Set(told.map(unitOf));
  if (units.size === 1 || units.size > MAX_NAMED) return [];
  const links: (MailedLink | null)[] = [];
  for (const [index, piece] of told.entries()) {
    if (!units.delete(unitOf(piece))) links.push(null);
    else if (index === 0) links.push(lead);
    else links.push(await linkTo(tenant, piece.request, { ...making, kind: piece.due.kind }));
  }
  return links;
}

/** Has a piece of news wait, when its window is open still, for what comes close after it. Returns whether it waits. */
export async function waitsForWindow(
  tenant: Tenant,
  due: DueNotification,
  { notedAt, now, waits }: { notedAt: Date | undefined; now: Date; waits: Waits },
): Promise<boolean> {
  const notBefore = new Date((notedAt?.getTime() ?? 0) + waits.mailWindowMs);
  // Noted before the clock was set back: what came close after it is noted by now.
  if (notBefore <= now || (notedAt && isBeforeSetBack(notedAt, now))) return false;
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due }, { notBefore });
  return true;
}

/** Complete results lead, then forms: the link of a mail opens one purpose. */
const WEIGHTS: readonly NotificationKind[] = [
  "results_available",
  "form_corrected",
  "form_ready",
  "state_changed",
];

const MIN_LOOK_AGAIN_MS = 2_000;
/** How far the looks of pieces of one order are apart. */
const LOOK_APART_MS = 100;

/** Older pieces have had their own turn, and wait for something else. */
const MAX_NEWS_AGE_MS = 10 * 60_000;

interface WaitingPiece {
  due: DueNotification & { kind: NewsKind };
  notedAt: Date;
}

interface WaitingNews extends WaitingPiece {
  request: ReferralRequest;
  facts: RequestFacts;
  news: StateNews | null;
  about: string | null;
}

/** Returns what may wait for the reader of this piece, oldest first: the buyer's of one order, or one patient's. */
async function newsOfReader(
  tenant: Tenant,
  { id, owner, orderId }: ReferralRequest,
  own: DueNotification,
): Promise<WaitingPiece[]> {
  const theirs = owner === "patient" ? [id] : await tenant.requests.idsOfBuyer(orderId);
  const waiting = await tenant.notifications.waiting(theirs, NEWS_KINDS);
  const notedAt = waiting.find((one) => isSameNotification(one, own))?.notedAt.getTime() ?? 0;
  return waiting.flatMap(({ notedAt: at, ...due }) =>
    isNewsKind(due.kind) && at.getTime() >= notedAt - MAX_NEWS_AGE_MS
      ? [{ due: { ...due, kind: due.kind }, notedAt: at }]
      : [],
  );
}

interface Judging {
  /** The piece that was judged before, and what is known of its test. */
  own: DueNotification;
  known: RequestFacts;
  settings: Shop;
}

/** Returns the oldest piece that is still true. */
async function firstDue(
  tenant: Tenant,
  waiting: readonly WaitingPiece[],
  { own, settings }: Judging,
): Promise<WaitingPiece | null> {
  for (const piece of waiting) {
    if (isSameNotification(piece.due, own)) return piece;
    const request = await tenant.requests.find(piece.due.requestId);
    if (request && (await isStillNews(tenant, request, piece.due, { settings }))) return piece;
  }
  return null;
}

/** Returns all pieces that are still true. The facts of all their tests are read at once. */
async function allDue(
  tenant: Tenant,
  waiting: readonly WaitingPiece[],
  { own, known, settings }: Judging,
): Promise<WaitingNews[]> {
  const ids = new Set(waiting.map(({ due }) => due.requestId));
  ids.delete(own.requestId);
  const others = ids.size > 0 ? await tenant.requests.some([...ids]) : [];
  const gathered = [known, ...(others.length > 0 ? await gatherFacts(tenant, others) : [])];
  const factsOf = new Map(gathered.map((facts) => [facts.request.id, facts]));
  const abouts = await aboutsOf(
    tenant,
    gathered.map(({ request }) => request),
  );
  const news: WaitingNews[] = [];
  for (const piece of waiting) {
    const facts = factsOf.get(piece.due.requestId);
    if (!facts) continue;
    const isTrue =
      isSameNotification(piece.due, own) ||
      (await isStillNews(tenant, facts.request, piece.due, { settings, facts }));
    if (!isTrue) continue;
    const { request } = facts;
    const about = abouts.get(request.id) ?? null;
    news.push({ ...piece, request, facts, news: newsOf(piece.due), about });
  }
  return news;
}

const isSameNotification = (one: DueNotification, other: DueNotification) =>
  one.requestId === other.requestId &&
  one.kind === other.kind &&
  (one.occurrence ?? "") === (other.occurrence ?? "");
