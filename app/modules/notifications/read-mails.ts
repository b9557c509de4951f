import { maskEmail } from "../access/mask-email.ts";
import { recipientEmail } from "../access/recipient-email.ts";
import { isStaffKind, type NotedMail, type NotificationKind } from "../kernel/notification.ts";
import type { Actor, TimelineEntry } from "../kernel/timeline.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { mayAskForCorrection } from "../referrals/ask-for-correction.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { hasRight, roleOf } from "../shops/staff-role.ts";
import { logLooks } from "./log-looks.ts";
import { isStillNews } from "./notifications/is-due.ts";
import { readerOf } from "./notifications/refused-mails.ts";
import { isRepeatable } from "./send-mail-again.ts";

/** One email about an order, newest first. News of several tests that went out together is one. */
export interface OrderMail {
  kinds: NotificationKind[];
  requestIds: string[];
  reader: MailReader;
  /** The reader's address, whole or masked; null where it is not known any more which one it was. */
  address: string | null;
  outcome: MailOutcome;
  /** How staff have it sent again, and where it goes then; null when it can't be, or would not be true any more. */
  again: { by: "asking" | "asking_to_correct" | "repeating"; address: string } | null;
}

/** `earlier`: an address that is not known as anybody's of this order any more. */
export type MailReader = "customer" | "patient" | "shop" | "earlier" | "unknown";

export type MailOutcome =
  /** The mail server took it. Whether it was read, or bounced later, nobody tells. */
  | { kind: "accepted"; at: Date }
  /** The mail server had it each time that it was tried, and never said whether it passes it on. */
  | { kind: "unclear"; at: Date }
  | { kind: "refused"; at: Date }
  /** The mail server put it off for so long that it is not tried any more. It never said that the address is wrong. */
  | { kind: "undelivered"; at: Date; triedForHours: number }
  /** It waits, because the order names no address. */
  | { kind: "no_address"; at: Date }
  /** It waits, because an earlier one could not be delivered. */
  | { kind: "withheld"; at: Date }
  /** The mail server is still to be asked. */
  | { kind: "waiting"; at: Date }
  /** It was never sent, and would not be true any more. */
  | { kind: "dropped"; at: Date };

const ASKING: ReadonlySet<NotificationKind> = new Set([
  "details_needed",
  "details_reminder",
  "unit_for_you",
]);

interface Context {
  requests: readonly ReferralRequest[];
  timeline: readonly TimelineEntry[];
  reader: Actor | null;
  now: Date;
}

/**
 * Reads which emails of an order went where and when, and which wait. The timeline tells what was sent, the notes what is
 * still to be. A buyer's address is whole, as on the order in Shopify. A patient's is masked for roles that see no phone
 * number; for the others each look is in the access log, once an hour.
 */
export async function readMails(tenant: Tenant, context: Context): Promise<OrderMail[]> {
  const { requests, timeline } = context;
  const byId = new Map(requests.map((request) => [request.id, request]));
  const noted = await tenant.notifications.ofRequests([...byId.keys()]);
  const addresses = await addressesOf(tenant, context);
  const groups = new Map<string, OrderMail>();
  const repeated = new Set<string>();
  for (const { requestId, kind, at, detail } of timeline) {
    const outcome = kind === "mail_sent" ? "accepted" : kind === "mail_unclear" ? "unclear" : null;
    const request = outcome && requestId ? byId.get(requestId) : undefined;
    if (!outcome || !request) continue;
    const mail = detail.mail as NotificationKind;
    const note = noted.find(
      (one) =>
        one.requestId === requestId && one.kind === mail && one.sentAt?.getTime() === at.getTime(),
    );
    const key = `${at.getTime()} ${note?.recipient?.toString("hex") ?? mail}`;
    const known = groups.get(key);
    if (known) {
      if (!known.kinds.includes(mail)) known.kinds.push(mail);
      if (!known.requestIds.includes(request.id)) known.requestIds.push(request.id);
      continue;
    }
    const { reader, address } = fixedReader(mail) ?? addresses.whose(note?.recipient ?? null);
    const isNewest = !repeated.has(`${mail} ${request.id}`);
    repeated.add(`${mail} ${request.id}`);
    groups.set(key, {
      kinds: [mail],
      requestIds: [request.id],
      reader,
      address,
      outcome: { kind: outcome, at },
      again: isNewest && note ? await againOf(tenant, request, { note, addresses, context }) : null,
    });
  }
  const unsent: OrderMail[] = [];
  for (const note of noted) {
    const request = byId.get(note.requestId);
    if (note.sentAt || !request) continue;
    const owner = isStaffKind(note.kind) ? null : (readerOf(request, note.kind) ?? "patient");
    const address = owner && addresses.now(request, owner);
    const isNowhere = owner === "buyer" && address === null;
    unsent.push({
      kinds: [note.kind],
      requestIds: [note.requestId],
      reader: owner === null ? "shop" : owner === "buyer" ? "customer" : "patient",
      address,
      outcome: await outcomeOf(tenant, request, note, { ...context, isNowhere }),
      again: null,
    });
  }
  return [...unsent, ...groups.values()].sort((a, b) => +b.outcome.at - +a.outcome.at);
}

/** Readers that no address tells: the shop, and a patient whose address stands in the details alone. */
function fixedReader(kind: NotificationKind): { reader: MailReader; address: null } | null {
  if (isStaffKind(kind)) return { reader: "shop", address: null };
  return kind === "details_given" ? { reader: "patient", address: null } : null;
}

async function outcomeOf(
  tenant: Tenant,
  request: ReferralRequest,
  note: NotedMail,
  { timeline, isNowhere }: Context & { isNowhere: boolean },
): Promise<MailOutcome> {
  const { kind, requestId, notedAt } = note;
  if (!(await isStillNews(tenant, request, note))) return { kind: "dropped", at: notedAt };
  if (isNowhere) return { kind: "no_address", at: notedAt };
  const refusal = timeline.find(
    (entry) =>
      entry.kind === "mail_refused" &&
      entry.requestId === requestId &&
      entry.detail.mail === kind &&
      entry.at >= notedAt,
  );
  const isRefused = request.mailRefusedAt !== null || readerOf(request, kind) === null;
  if (refusal && isRefused) {
    const { at, detail } = refusal;
    const triedForHours = Number(detail.triedForHours ?? 0);
    return triedForHours ? { kind: "undelivered", at, triedForHours } : { kind: "refused", at };
  }
  return { kind: request.mailRefusedAt ? "withheld" : "waiting", at: notedAt };
}

async function againOf(
  tenant: Tenant,
  request: ReferralRequest,
  { note, addresses, context }: { note: NotedMail; addresses: Addresses; context: Context },
): Promise<OrderMail["again"]> {
  const { kind } = note;
  const owner = readerOf(request, kind);
  const address = owner && addresses.now(request, owner);
  if (!address) return null;
  if (ASKING.has(kind)) {
    const waits = context.requests.some(
      (one) => one.state === "awaiting_details" && one.owner === owner,
    );
    const isSilenced = owner === "patient" && request.remindersStoppedAt !== null;
    return waits && !isSilenced ? { by: "asking", address } : null;
  }
  if (kind === "correction_needed") {
    const referrals = await tenant.referrals.forRequests([request.id]);
    return mayAskForCorrection(request, referrals) ? { by: "asking_to_correct", address } : null;
  }
  if (!isRepeatable(kind) || !(await isStillNews(tenant, request, note))) return null;
  return { by: "repeating", address };
}

type Addresses = Awaited<ReturnType<typeof addressesOf>>;

/** The addresses that are known now, as this member of staff may see them, and whose a recorded one was. */
async function addressesOf(tenant: Tenant, { requests, reader, now }: Context) {
  const [first] = requests;
  const buyer = first ? await recipientEmail(tenant, first, "guest") : null;
  const role = reader && roleOf(await tenant.staff.find(reader));
  const actor = role && hasRight(role, "see_phones") ? reader : null;
  const invited = new Map<string, string>();
  for (const request of requests) {
    const email = request.owner === "patient" && (await recipientEmail(tenant, request, "patient"));
    if (email) invited.set(request.id, email);
  }
  if (actor) await logLooks(tenant, [...invited.keys()], { actor, now, what: "address_viewed" });
  const shown = (email: string) => (actor ? email : maskEmail(email));
  const isOf = (email: string, recipient: Buffer) =>
    tenant.links.recipientOf(email).equals(recipient);
  return {
    now(request: ReferralRequest, owner: ReferralRequest["owner"]): string | null {
      if (owner === "buyer") return buyer;
      const email = invited.get(request.id);
      return email ? shown(email) : null;
    },
    whose(recipient: Buffer | null): { reader: MailReader; address: string | null } {
      if (!recipient) return { reader: "unknown", address: null };
      if (buyer && isOf(buyer, recipient)) return { reader: "customer", address: buyer };
      const email = [...invited.values()].find((one) => isOf(one, recipient));
      return email
        ? { reader: "patient", address: shown(email) }
        : { reader: "earlier", address: null };
    },
  };
}
