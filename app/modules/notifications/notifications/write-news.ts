import {
  type DueNotification,
  isNewsKind,
  type Mail,
  NEWS_KINDS,
  type NewsKind,
  type NotificationKind,
} from "../../kernel/notification.ts";
import type { Waits } from "../../kernel/ports.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { gatherFacts } from "../../referrals/request-facts.ts";
import { newsOf, type StateNews } from "../../referrals/state-news.ts";
import { composeMail, composeNews } from "./compose-mail.ts";
import { isStillNews } from "./is-due.ts";
import { type Addresses, aboutsOf, customerFacts, readerAddress } from "./mail-facts.ts";

/** A mail as it goes out, with what it tells. */
interface WrittenMail {
  mail: Mail;
  /** The link in the mail; null when there is none. */
  linkId: string | null;
  /** The notifications that the mail tells. */
  tells: { due: DueNotification; request: ReferralRequest }[];
}

/**
 * Writes the news of an order that came close together as one mail to the same reader. The oldest piece waits for the
 * mail window and takes the others with it; their own jobs then find them sent.
 */
export async function writeNews(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    addresses,
    now,
    waits,
  }: { due: DueNotification; addresses: Addresses; now: Date; waits: Waits },
): Promise<WrittenMail | "not_due" | "postponed"> {
  const { shop } = tenant;
  const postpone = async (startAfter: Date) => {
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { startAfter });
    return "postponed" as const;
  };
  const waiting = await newsOfReader(tenant, request, due);
  // An order of a thousand units has a thousand pieces, each with a job: only the oldest one's looks at all of them.
  const oldest = await firstDue(tenant, waiting, waits);
  if (!oldest) return "not_due";
  // Nobody to write to: the oldest piece has found that too, and nothing is worth waiting for.
  if (!(await readerAddress(tenant, request, due.kind))) return "not_due";
  // The oldest piece's mail may be on its way without this one: this one looks again.
  if (!isSameNotification(oldest.due, due))
    return postpone(new Date(now.getTime() + Math.max(waits.mailWindowMs, MIN_LOOK_AGAIN_MS)));
  const opensAt = new Date(oldest.notedAt.getTime() + waits.mailWindowMs);
  if (now < opensAt) return postpone(opensAt);
  const tells = await allDue(tenant, waiting, waits);
  const weight = (one: WaitingNews) => WEIGHTS.indexOf(one.due.kind);
  const lead = tells.toSorted((a, b) => weight(a) - weight(b))[0] ?? oldest;
  const written = await customerFacts(tenant, lead.request, { due: lead.due, addresses, now });
  if (!written) return "not_due";
  const { facts, linkId } = written;
  // A test with results has no other news worth a line.
  const isOld = ({ due: { kind, requestId } }: WaitingNews) =>
    kind !== "results_available" &&
    tells.some((one) => one.due.kind === "results_available" && one.due.requestId === requestId);
  const items = tells
    .filter((one) => !isOld(one))
    .map(({ due: { kind, requestId }, news, about }) => ({ requestId, kind, news, about }));
  const mail = items.length === 1 ? composeMail(lead.due.kind, facts) : composeNews(items, facts);
  return { mail, linkId, tells };
}

/** Complete results lead, then forms: the link of a mail opens one purpose. */
const WEIGHTS: readonly NotificationKind[] = [
  "results_available",
  "form_corrected",
  "form_ready",
  "state_changed",
];

const MIN_LOOK_AGAIN_MS = 2_000;

/** Older pieces have had their own turn, and wait for something else. */
const MAX_NEWS_AGE_MS = 10 * 60_000;

interface WaitingPiece {
  due: DueNotification & { kind: NewsKind };
  request: ReferralRequest;
  notedAt: Date;
}

interface WaitingNews extends WaitingPiece {
  news: StateNews | null;
  about: string | null;
}

/** Returns what may wait for the reader of this piece, oldest first: the buyer's of one order, or one patient's. */
async function newsOfReader(
  tenant: Tenant,
  request: ReferralRequest,
  own: DueNotification,
): Promise<WaitingPiece[]> {
  const order =
    request.owner === "patient" ? [request] : await tenant.requests.forOrder(request.orderId);
  const theirs = new Map(
    order.filter(({ owner }) => owner === request.owner).map((one) => [one.id, one]),
  );
  const waiting = await tenant.notifications.waiting([...theirs.keys()], NEWS_KINDS);
  const notedAt = waiting.find((one) => isSameNotification(one, own))?.notedAt.getTime() ?? 0;
  return waiting.flatMap(({ notedAt: at, ...due }) => {
    const about = theirs.get(due.requestId);
    if (!about || !isNewsKind(due.kind) || at.getTime() < notedAt - MAX_NEWS_AGE_MS) return [];
    return [{ due: { ...due, kind: due.kind }, request: about, notedAt: at }];
  });
}

/** Returns the oldest piece that is still true. */
async function firstDue(
  tenant: Tenant,
  waiting: readonly WaitingPiece[],
  waits: Waits,
): Promise<WaitingPiece | null> {
  for (const piece of waiting)
    if (await isStillNews(tenant, piece.request, piece.due, waits)) return piece;
  return null;
}

/** Returns all pieces that are still true. The facts of all their tests are read at once. */
async function allDue(
  tenant: Tenant,
  waiting: readonly WaitingPiece[],
  waits: Waits,
): Promise<WaitingNews[]> {
  const requests = [...new Set(waiting.map(({ request }) => request))];
  const gathered = await gatherFacts(tenant, requests);
  const factsOf = new Map(gathered.map((facts) => [facts.request.id, facts]));
  const due: WaitingPiece[] = [];
  for (const piece of waiting)
    if (await isStillNews(tenant, piece.request, piece.due, waits, factsOf.get(piece.request.id)))
      due.push(piece);
  const abouts = await aboutsOf(
    tenant,
    due.map(({ request }) => request),
  );
  return due.map((piece) => ({
    ...piece,
    news: newsOf(piece.due),
    about: abouts.get(piece.request.id) ?? null,
  }));
}

const isSameNotification = (one: DueNotification, other: DueNotification) =>
  one.requestId === other.requestId &&
  one.kind === other.kind &&
  (one.occurrence ?? "") === (other.occurrence ?? "");
