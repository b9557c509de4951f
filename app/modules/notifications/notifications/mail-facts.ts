/** Long because it gathers what every email says, to customers and to staff, from the same sources. */
import { together } from "../../../platform/together.ts";
import { type IssuedLink, issueLink } from "../../access/issue-link.ts";
import { STOP_KINDS } from "../../access/link.ts";
import { purposeOfMail } from "../../access/purpose-of-mail.ts";
import { recipientEmail } from "../../access/recipient-email.ts";
import { type ToldNumber, whoseTests } from "../../access/whose-test.ts";
import { gidNumber, type OrderId } from "../../kernel/ids.ts";
import {
  type DueNotification,
  type NotificationKind,
  readerOfOccurrence,
  STAFF_READERS,
  type StaffKind,
  type StaffReader,
} from "../../kernel/notification.ts";
import type { Buyer } from "../../orders/order.ts";
import type { Ports } from "../../privacy/ports.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import { accountOfBuyer, needsLink } from "../../referrals/account-of-buyer.ts";
import { formNamedBy } from "../../referrals/form-mail.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { newsOf } from "../../referrals/state-news.ts";
import { isDelayed, unitsOfOwner } from "../../referrals/tell-delayed.ts";
import { FIRST_ID, waitingInRange, waitingWith } from "../../referrals/waiting-patients.ts";
import { helpOf } from "../../shops/customer-help.ts";
import { contactOf, type Shop } from "../../shops/shop.ts";
import { CHANGED_NEWS, type MailFacts } from "./compose-mail.ts";
import { nameInMail } from "./name-in-mail.ts";
import { preparationLines } from "./preparation-lines.ts";

/** Where a mail's links lead. */
export type Addresses = Pick<Ports, "appUrl" | "accountPageUrl">;

/** Orders that an email to the merchant lists. */
const MAX_LISTED = 200;

/** The orders whose patients wait, with their references at the laboratory, each where Shopify shows it. */
async function ordersWaiting(tenant: Tenant): Promise<NonNullable<MailFacts["rows"]>> {
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
  return [...references].map(([orderId, own]) => ({
    label: `Order ${names.get(orderId) ?? ""} (laboratory reference ${own.join(", ")})`,
    url: `https://${tenant.shop}/admin/orders/${gidNumber(orderId)}`,
  }));
}

/** The addresses of the shop's own people, each once, with whose it is. */
export function staffAddresses(
  settings: Pick<Shop, "reviewer" | "contactEmail">,
): Map<StaffReader, string> {
  const known = { reviewer: settings.reviewer?.email, contact: settings.contactEmail };
  const addresses = new Map<StaffReader, string>();
  for (const reader of STAFF_READERS) {
    const address = known[reader];
    const isSame = (one: string) => one.toLowerCase() === address?.toLowerCase();
    if (address && ![...addresses.values()].some(isSame)) addresses.set(reader, address);
  }
  return addresses;
}

/** Whom the shop has for it, and where they see the order. Null when the shop has nobody to write to. */
export async function staffFacts(
  tenant: Tenant,
  { orderId }: ReferralRequest,
  {
    kind,
    occurrence,
    url,
    settings,
  }: { kind: StaffKind; occurrence?: string; url: string; settings: Shop },
): Promise<{ facts: MailFacts; linkId: null } | null> {
  const { reader } = readerOfOccurrence(occurrence);
  const addresses = staffAddresses(settings);
  const [to, ...alsoTo] = reader
    ? [addresses.get(reader)].filter((one) => one !== undefined)
    : addresses.values();
  if (to === undefined) return null;
  const isList = kind === "patients_waiting";
  const orderName = isList ? "" : ((await tenant.orders.namesOf([orderId])).get(orderId) ?? "");
  const facts = {
    rows: isList ? await ordersWaiting(tenant) : [],
    ...{ to, alsoTo },
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

/** A mail that asks a buyer is the buyer's, also when its first unit is an invited patient's meanwhile. */
const isPatientsMail = ({ owner }: ReferralRequest, kind: NotificationKind): boolean =>
  owner === "patient" && kind !== "details_needed";

/** The address of whoever a mail is for; null when there is none. `buyer`: of the order, where they were read already. */
export async function readerAddress(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
  buyer?: Pick<Buyer, "email"> | null,
): Promise<string | null> {
  if (kind === "details_given")
    return (await tenant.requests.patientOf(request.id))?.patient.email ?? null;
  if (buyer !== undefined && !isPatientsMail(request, kind)) return buyer?.email ?? null;
  return recipientEmail(tenant, request, isPatientsMail(request, kind) ? "patient" : "guest");
}

/**
 * Gathers what a mail to a buyer or a patient says, and issues the links in it. Null when there is nobody to write to. `buyer` of the
 * order, and `about`, what the test is called among several: where they were looked up already.
 */
export async function customerFacts(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    settings,
    buyer: known,
    about,
    addresses: { appUrl, accountPageUrl },
    now,
  }: {
    due: DueNotification & { kind: Exclude<NotificationKind, StaffKind> };
    settings: Shop;
    buyer?: Buyer | null;
    about?: string | null;
    addresses: Addresses;
    now: Date;
  },
): Promise<{ facts: MailFacts; linkId: string | null } | null> {
  const { id: requestId, orderId } = request;
  const [buyer, names] = await together(
    async () => (known === undefined ? tenant.orders.buyerOf(orderId) : known),
    () => tenant.orders.namesOf([orderId]),
  );
  const isPatients = isPatientsMail(request, due.kind);
  const to = await readerAddress(tenant, request, due.kind, buyer);
  if (!to) return null;
  const account = isPatients ? null : await accountOfBuyer(tenant, request, settings);
  const personal = needsLink(account, buyer);
  // The patient whose details the buyer gave has no part in the unit: they are told, and given no link.
  // After the shop left, a link would open nothing.
  const isElsewhere = due.kind === "results_elsewhere";
  const hasLink = due.kind !== "details_given" && !isElsewhere;
  const link =
    personal && hasLink ? await linkTo(tenant, request, { kind: due.kind, to, appUrl, now }) : null;
  const url = link ? link.url : hasLink ? (buyer?.statusUrl ?? null) : null;
  const stopUrl =
    due.kind === "details_reminder"
      ? addressOf(
          tenant,
          { appUrl, page: "stop" },
          await issueLink(tenant, {
            requestId,
            kind: STOP_KINDS[request.owner],
            purpose: "stop",
            to,
            now,
          }),
        )
      : null;
  const namesContact = due.kind === "results_today" || due.kind === "ring_today";
  const told = about === undefined ? await aboutUnlessOfOrder(tenant, request, due.kind) : about;
  const buyerNames = [buyer?.firstName, buyer?.lastName].filter(Boolean).join(" ");
  return {
    linkId: link?.id ?? null,
    facts: {
      to,
      orderName: names.get(orderId) ?? "",
      // Where the patient is told that a buyer gave their details, the buyer typed the name too.
      about: due.kind === "details_given" ? told && nameInMail(told) : told,
      buyerName: nameInMail(buyerNames) || null,
      news: newsOf(due),
      isFurther: formNamedBy(due) !== null,
      url,
      personal,
      // Somebody may have a password of old there; the link serves everybody.
      accountUrl: link && account === "legacy" ? accountPageUrl(tenant.shop) : null,
      contact: namesContact ? contactOf(settings) : null,
      help: helpOf(settings),
      stopUrl,
      lines: await linesOf(tenant, request, due.kind),
    },
  };
}

/** A link that was made for a mail. */
export interface MailedLink {
  id: string;
  url: string;
}

/** Makes the link of the reader's own for what a mail of this kind tells of a test. */
export async function linkTo(
  tenant: Tenant,
  request: ReferralRequest,
  {
    kind,
    to,
    appUrl,
    now,
  }: { kind: Exclude<NotificationKind, StaffKind>; to: string; appUrl: string; now: Date },
): Promise<MailedLink> {
  const link = await issueLink(tenant, {
    requestId: request.id,
    kind: isPatientsMail(request, kind) ? "handover" : "guest",
    purpose: await purposeOfMail(tenant, request, kind),
    to,
    now,
  });
  return { id: link.id, url: addressOf(tenant, { appUrl, page: "t" }, link) };
}

const addressOf = (
  { shop }: Tenant,
  { appUrl, page }: { appUrl: string; page: "t" | "stop" },
  { token }: IssuedLink,
) => `${appUrl}/${page}/${shop.replace(".myshopify.com", "")}.${token}`;

/** The lines of an email after its text, each about one test. */
async function linesOf(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
): Promise<string[]> {
  if (kind === "results_elsewhere") return referencesOf(tenant, request);
  if (kind === "results_today") return changedLines(tenant, request);
  if (kind === "unit_for_you") return invitedLines(tenant, request);
  if (kind !== "order_delayed") return preparationLines(tenant, request, kind);
  const lines: (string | null)[] = [];
  for (const one of await unitsOfOwner(tenant, request))
    if (isDelayed(one)) lines.push(await aboutOf(tenant, one));
  return lines.filter((line) => line !== null);
}

/** Tells an invited patient of several tests that one link is not for all of them, and what tells them apart. */
async function invitedLines(tenant: Tenant, request: ReferralRequest): Promise<string[]> {
  const whose = (await whoseTests(tenant, [request])).get(request.id);
  if (whose?.unit.of !== null) return [];
  return [
    "You have more than one test in this order. Each test has its own email and its own link.",
    ...((await isAnotherMailed(tenant, request))
      ? ["If an earlier email about this order has no number, it is for another of your tests."]
      : []),
  ];
}

/**
 * Whether the patient was emailed another test of the order before this one was theirs: that email may have no number. Where
 * they were emailed this one before too, an email without a number says nothing.
 */
async function isAnotherMailed(tenant: Tenant, request: ReferralRequest): Promise<boolean> {
  const { id, orderId, invitedAt } = request;
  const to = await recipientEmail(tenant, request, "patient");
  if (!to || !invitedAt) return false;
  const units = await tenant.requests.forOrder(orderId);
  const theirs = units.filter(({ owner }) => owner === "patient").map((one) => one.id);
  const before = (await tenant.notifications.ofRequests(theirs)).filter(
    ({ kind, sentAt, recipient }) =>
      kind === "unit_for_you" &&
      sentAt !== null &&
      sentAt < invitedAt &&
      recipient?.equals(tenant.links.recipientOf(to)),
  );
  return before.length > 0 && before.every(({ requestId }) => requestId !== id);
}

/** Says what has changed after what to do today: no other email tells it of a result that can't wait. */
async function changedLines(tenant: Tenant, { id }: ReferralRequest): Promise<string[]> {
  const results = await tenant.results.forRequests([id]);
  const isChanged = results.some(({ correctedAt, releasedAt }) => correctedAt && releasedAt);
  return isChanged ? [CHANGED_NEWS] : [];
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

/** Emails about all tests of an order that wait for the same. */
const ABOUT_THE_ORDER: ReadonlySet<NotificationKind> = new Set([
  "order_delayed",
  "results_elsewhere",
  "details_needed",
  "details_reminder",
]);

const aboutUnlessOfOrder = async (
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
) => (ABOUT_THE_ORDER.has(kind) ? null : aboutOf(tenant, request, kind !== "details_given"));

/** "For Ngaire W. · Test 1 of 2": the email goes to the unit's owner, who may read the patient's name. */
const aboutOf = async (tenant: Tenant, request: ReferralRequest, isBuyers = true) =>
  (await aboutsOf(tenant, [request], isBuyers)).get(request.id) ?? null;

/** Returns the same by the requests' ids. `isBuyers`: false for a patient who is told of one test of somebody's order. */
export async function aboutsOf(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
  isBuyers = true,
): Promise<Map<string, string>> {
  const whose = await whoseTests(tenant, requests);
  return new Map(
    [...whose].flatMap(([id, { patientName, unit, replacement }]) => {
      const several = isBuyers ? severalTests(unit) : null;
      const anew = replacement > 0 ? `Replacement ${replacement}` : null;
      const about = [patientName && `For ${patientName}`, several, anew]
        .filter(Boolean)
        .join(" · ");
      return about ? [[id, about]] : [];
    }),
  );
}

/** "Test 1 of 2", or "Test 2" where the reader is not told how many the order has. Null for a test that is alone. */
function severalTests({ number, of }: ToldNumber): string | null {
  if (of === null) return `Test ${number}`;
  return of > 1 ? `Test ${number} of ${of}` : null;
}
