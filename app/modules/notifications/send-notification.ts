import { detailsMailDelay } from "../../platform/counters.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import { retryUntil } from "../../platform/retry-until.ts";
import { type IssuedLink, issueLink } from "../access/issue-link.ts";
import { STOP_KINDS } from "../access/link.ts";
import { purposeOfMail } from "../access/purpose-of-mail.ts";
import { recipientEmail } from "../access/recipient-email.ts";
import { recordMailedLink } from "../access/record-mailed-link.ts";
import { whoseTests } from "../access/whose-test.ts";
import { gidNumber, type OrderId, type ShopDomain } from "../kernel/ids.ts";
import {
  ASKED_AGAIN,
  type DueNotification,
  isNewsKind,
  isStaffKind,
  type Mail,
  NEWS_KINDS,
  type NewsKind,
  type NotificationKind,
  RecipientRefusedError,
  type StaffKind,
} from "../kernel/notification.ts";
import type { Waits } from "../kernel/ports.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { startReminders } from "../referrals/schedule-reminders.ts";
import { newsOf, type StateNews } from "../referrals/state-news.ts";
import { FIRST_ID, waitingInRange, waitingWith } from "../referrals/waiting-patients.ts";
import { helpOf } from "../shops/customer-help.ts";
import { contactOf } from "../shops/shop.ts";
import { composeMail, composeNews, type MailFacts } from "./notifications/compose-mail.ts";
import { isDue } from "./notifications/is-due.ts";
import { preparationLines } from "./notifications/preparation-lines.ts";
import { isWithheld, recordDelivery, recordRefusal } from "./notifications/refused-mails.ts";
import { waitsForRestore } from "./notifications/told-before-restore.ts";

/** How long a mail that is out is tried to be written down: longer than a database takes to come up again. */
const RECORDING = { forMs: 20_000, everyMs: 250 };

type MailPorts = Pick<
  Ports,
  "tenancy" | "mailer" | "clock" | "appUrl" | "accountPageUrl" | "adminPageUrl" | "waits"
>;
/** Where a mail's links lead. */
type Addresses = Pick<MailPorts, "appUrl" | "accountPageUrl">;

export type SendOutcome = "sent" | "not_due" | "postponed" | "withheld" | "refused";

/**
 * Sends one mail once. Should the process die between the outgoing server's yes and ours on disk, it is sent
 * again: a second friendly mail does less harm than none; a database that is away for a moment is waited for.
 * A recipient that the server refuses is told to the shop, and is not written to again before the address has changed.
 * Throws when the server did not take it for another reason.
 */
export async function sendNotification(
  { tenancy, mailer, clock, adminPageUrl, waits, ...addresses }: MailPorts,
  target: { shop: ShopDomain } & DueNotification,
): Promise<SendOutcome> {
  const { shop, ...due } = target;
  const written = await tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(due.requestId);
    if (!request || !(await isDue(tenant, request, due, waits))) return "not_due";
    const now = clock.now();
    const { kind } = due;
    if (await isWithheld(tenant, request, { due, now })) return "withheld";
    const startAfter = await waitsForRestore(tenant, request, { kind, now, waits });
    if (startAfter) {
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { startAfter });
      return "postponed";
    }
    if (isNewsKind(kind)) return writeNews(tenant, request, { due, addresses, now, waits });
    const page = `/app/orders/${gidNumber(request.orderId)}`;
    const facts = isStaffKind(kind)
      ? await staffFacts(tenant, request, { kind, url: adminPageUrl(shop, page) })
      : await writeFacts(tenant, request, { due: { ...due, kind }, addresses, now });
    if (!facts) return "not_due";
    return {
      mail: composeMail(kind, facts.facts),
      linkId: facts.linkId,
      tells: [{ due, request }],
    };
  });
  if (typeof written === "string") return written;
  const { mail, linkId, tells } = written;
  crashPoint("mail.before-send");
  try {
    await mailer.send(shop, mail);
  } catch (error) {
    if (!(error instanceof RecipientRefusedError)) throw error;
    const { isFinal } = error;
    const isOver = await tenancy.inShop(shop, async (tenant) => {
      let over = false;
      for (const { due, request } of tells)
        if (await recordRefusal(tenant, request, { due, isFinal, now: clock.now() })) over = true;
      return over;
    });
    if (!isOver) throw error;
    return "refused";
  }
  crashPoint("mail.after-send-before-record");
  const at = clock.now();
  for (const { due, request } of tells)
    if (due.kind === "details_needed")
      detailsMailDelay.observe({}, at.getTime() - request.createdAt.getTime());
  await retryUntil(
    () =>
      tenancy.inShop(shop, async (tenant) => {
        for (const { due, request } of tells)
          await record(tenant, request, {
            due,
            at,
            to: mail.to,
            linkId,
            dayMs: waits.reminderDayMs,
          });
      }),
    RECORDING,
  );
  crashPoint("mail.after-record");
  return "sent";
}

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
async function writeNews(
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
  const tells = await newsOfReader(tenant, request, due, waits);
  const [oldest] = tells;
  if (!oldest) return "not_due";
  const postpone = async (startAfter: Date) => {
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { startAfter });
    return "postponed" as const;
  };
  // Nobody to write to: the oldest piece has found that too, and nothing is worth waiting for.
  if (!(await readerAddress(tenant, request, due.kind))) return "not_due";
  // The oldest piece's mail may be on its way without this one: this one looks again.
  if (!isSameNotification(oldest.due, due))
    return postpone(new Date(now.getTime() + Math.max(waits.mailWindowMs, MIN_LOOK_AGAIN_MS)));
  const opensAt = new Date(oldest.notedAt.getTime() + waits.mailWindowMs);
  if (now < opensAt) return postpone(opensAt);
  const weight = (one: WaitingNews) => WEIGHTS.indexOf(one.due.kind);
  const lead = tells.toSorted((a, b) => weight(a) - weight(b))[0] ?? oldest;
  const written = await writeFacts(tenant, lead.request, { due: lead.due, addresses, now });
  if (!written) return "not_due";
  const { facts, linkId } = written;
  // A test with results has no other news worth a line.
  const isOld = ({ due: { kind, requestId } }: WaitingNews) =>
    kind !== "results_available" &&
    tells.some((one) => one.due.kind === "results_available" && one.due.requestId === requestId);
  const items = tells
    .filter((one) => !isOld(one))
    .map(({ due: { kind }, news, about }) => ({ kind, news, about }));
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

interface WaitingNews {
  due: DueNotification & { kind: NewsKind };
  request: ReferralRequest;
  notedAt: Date;
  news: StateNews | null;
  about: string | null;
}

/** Returns the news that waits for the reader of this piece, oldest first: the buyer's of one order, or one patient's. */
async function newsOfReader(
  tenant: Tenant,
  request: ReferralRequest,
  own: DueNotification,
  waits: Waits,
): Promise<WaitingNews[]> {
  const order =
    request.owner === "patient" ? [request] : await tenant.requests.forOrder(request.orderId);
  const theirs = order.filter(({ owner }) => owner === request.owner);
  const waiting = await tenant.notifications.waiting(
    theirs.map(({ id }) => id),
    NEWS_KINDS,
  );
  const notedAt = waiting.find((one) => isSameNotification(one, own))?.notedAt.getTime() ?? 0;
  const news: WaitingNews[] = [];
  for (const { notedAt: at, ...due } of waiting) {
    const about = theirs.find(({ id }) => id === due.requestId);
    if (!about || !isNewsKind(due.kind) || at.getTime() < notedAt - MAX_NEWS_AGE_MS) continue;
    if (!(await isDue(tenant, about, due, waits))) continue;
    news.push({
      due: { ...due, kind: due.kind },
      request: about,
      notedAt: at,
      news: newsOf(due),
      about: await aboutOf(tenant, about),
    });
  }
  return news;
}

const isSameNotification = (one: DueNotification, other: DueNotification) =>
  one.requestId === other.requestId &&
  one.kind === other.kind &&
  (one.occurrence ?? "") === (other.occurrence ?? "");

async function record(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    at,
    to,
    linkId,
    dayMs,
  }: { due: DueNotification; at: Date; to: string; linkId: string | null; dayMs: number },
): Promise<void> {
  // Also of a mail that went out twice: the newest link is in the reader's hands.
  if (linkId) await recordMailedLink(tenant, linkId, at);
  if (await tenant.notifications.isSent(due)) return;
  // Of a shop that was erased while the mail was on its way, nothing is written down again.
  const recipient = isStaffKind(due.kind) ? null : tenant.links.recipientOf(to);
  if (!(await tenant.notifications.markSent(due, at, recipient))) return;
  const { id: requestId, orderId } = request;
  const { kind } = due;
  await recordDelivery(tenant, request, kind);
  await tenant.timeline.add({
    kind: "mail_sent",
    actor: "pathway",
    at,
    orderId,
    requestId,
    detail: { mail: kind },
  });
  const isFirst = kind === "details_needed" && due.occurrence !== ASKED_AGAIN;
  if (isFirst || kind === "unit_for_you") await startReminders(tenant, request, { at, dayMs });
}

/** Orders that an email to the merchant lists. */
const MAX_LISTED = 200;

/** The orders whose patients wait, with their references at the laboratory, each where Shopify shows it. */
async function ordersWaiting(tenant: Tenant): Promise<string[]> {
  const references = new Map<OrderId, string[]>();
  let from: string | null = FIRST_ID;
  while (from !== null && references.size < MAX_LISTED) {
    const step = await waitingInRange(tenant, { from, until: null }, 100);
    for (const { request, referrals } of step.waiting) {
      const known = references.get(request.orderId) ?? [];
      const own = referrals.map(({ reference }) => reference);
      references.set(request.orderId, [...new Set([...known, ...own])]);
    }
    from = step.last === from ? null : step.last;
  }
  const names = await tenant.orders.namesOf([...references.keys()]);
  return [...references].map(
    ([orderId, own]) =>
      `Order ${names.get(orderId) ?? ""} (laboratory reference ${own.join(", ")}): https://${tenant.shop}/admin/orders/${gidNumber(orderId)}`,
  );
}

/** Whom the shop has for it, and where they see the order. Null when the shop has nobody to write to. */
async function staffFacts(
  tenant: Tenant,
  { orderId }: ReferralRequest,
  { kind, url }: { kind: StaffKind; url: string },
): Promise<{ facts: MailFacts; linkId: null } | null> {
  const settings = await tenant.shops.find();
  const to = [settings?.reviewer?.email, settings?.contactEmail].flatMap((one) => one ?? []);
  if (!settings || to.length === 0) return null;
  const isList = kind === "patients_waiting";
  const orderName = isList ? "" : ((await tenant.orders.namesOf([orderId])).get(orderId) ?? "");
  const facts = {
    lines: isList ? await ordersWaiting(tenant) : [],
    to: [...new Set(to)].join(", "),
    help: helpOf(settings),
    about: null,
    buyerName: null,
    news: null,
    orderName,
    // The app may be gone; each order's address in Shopify stands in the list.
    url: isList ? null : url,
    personal: false,
    accountUrl: null,
    contact: null,
    stopUrl: null,
  };
  return { facts, linkId: null };
}

/** A mail that asks a buyer is the buyer's, also when its first unit was handed over meanwhile. */
const isPatientsMail = ({ owner }: ReferralRequest, kind: NotificationKind): boolean =>
  owner === "patient" && kind !== "details_needed";

/** The address of whoever a mail is for; null when there is none. */
async function readerAddress(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
): Promise<string | null> {
  if (kind === "details_given")
    return (await tenant.requests.patientOf(request.id))?.patient.email ?? null;
  return recipientEmail(tenant, request, isPatientsMail(request, kind) ? "patient" : "guest");
}

async function writeFacts(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    addresses: { appUrl, accountPageUrl },
    now,
  }: {
    due: DueNotification & { kind: Exclude<NotificationKind, StaffKind> };
    addresses: Addresses;
    now: Date;
  },
): Promise<{ facts: MailFacts; linkId: string | null } | null> {
  const { id: requestId, orderId } = request;
  const buyer = await tenant.orders.buyerOf(orderId);
  const isPatients = isPatientsMail(request, due.kind);
  const to = await readerAddress(tenant, request, due.kind);
  if (!to) return null;
  const address = (page: string, { token }: IssuedLink) =>
    `${appUrl}/${page}/${tenant.shop.replace(".myshopify.com", "")}.${token}`;
  const settings = await tenant.shops.find();
  if (!settings) return null;
  // Shopify makes a customer of every guest, and signs them in by a code that it mails to the same address.
  const canSignIn = settings.customerAccounts === "new" && request.customerId !== null;
  const personal = isPatients || !canSignIn || !buyer?.statusUrl;
  // The patient whose details the buyer gave has no part in the unit: they are told, and given no link.
  // After the shop left, a link would open nothing.
  const isElsewhere = due.kind === "results_elsewhere";
  const hasLink = due.kind !== "details_given" && !isElsewhere;
  const link =
    personal && hasLink
      ? await issueLink(tenant, {
          requestId,
          kind: isPatients ? "handover" : "guest",
          purpose: await purposeOfMail(tenant, request, due.kind),
          to,
          now,
        })
      : null;
  const url = link ? address("t", link) : hasLink ? (buyer?.statusUrl ?? null) : null;
  const stopUrl =
    due.kind === "details_reminder"
      ? address(
          "stop",
          await issueLink(tenant, {
            requestId,
            kind: STOP_KINDS[request.owner],
            purpose: "stop",
            to,
            now,
          }),
        )
      : null;
  const names = await tenant.orders.namesOf([orderId]);
  const namesContact = due.kind === "results_today" || due.kind === "ring_today";
  const buyerNames = [buyer?.firstName, buyer?.lastName].filter(Boolean).join(" ");
  return {
    linkId: link?.id ?? null,
    facts: {
      to,
      orderName: names.get(orderId) ?? "",
      about: ABOUT_THE_ORDER.has(due.kind) ? null : await aboutOf(tenant, request),
      buyerName: buyerNames || null,
      news: newsOf(due),
      url,
      personal,
      // Somebody may have a password of old there; the link serves everybody.
      accountUrl:
        link && !isPatients && settings.customerAccounts === "legacy"
          ? accountPageUrl(tenant.shop)
          : null,
      contact: namesContact ? contactOf(settings) : null,
      help: helpOf(settings),
      stopUrl,
      lines: isElsewhere
        ? await referencesOf(tenant, request)
        : await preparationLines(tenant, request, due.kind),
    },
  };
}

/** "For Ngaire W. · Test 1 of 2 · reference 12345678", for each test of the order that the reader waits for. */
async function referencesOf(tenant: Tenant, request: ReferralRequest): Promise<string[]> {
  const lines: string[] = [];
  for (const waiting of await waitingWith(tenant, request)) {
    const about = await aboutOf(tenant, waiting.request);
    const references = waiting.referrals.map(({ reference }) => reference).join(", ");
    lines.push([about, `Reference ${references}`].filter(Boolean).join(" · "));
  }
  return lines;
}

/** Emails about every test of an order that still waits for details. */
const ABOUT_THE_ORDER: ReadonlySet<NotificationKind> = new Set([
  "results_elsewhere",
  "details_needed",
  "details_reminder",
]);

/** "For Ngaire W. · Test 1 of 2": the email goes to the unit's owner, who may read the patient's name. */
async function aboutOf(tenant: Tenant, request: ReferralRequest): Promise<string | null> {
  const whose = (await whoseTests(tenant, [request])).get(request.id);
  if (!whose) return null;
  const { patientName, unit } = whose;
  const several = unit.of > 1 ? `Test ${unit.number} of ${unit.of}` : null;
  return [patientName && `For ${patientName}`, several].filter(Boolean).join(" · ") || null;
}
