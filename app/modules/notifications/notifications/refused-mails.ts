import {
  type DueNotification,
  isStaffKind,
  type NotificationKind,
  type PutOff,
  readerOfOccurrence,
  toReader,
} from "../../kernel/notification.ts";
import { queueMail } from "../../kernel/queue-mail.ts";
import type { UnitOwner } from "../../patients/unit-owner.ts";
import type { Tenant } from "../../privacy/tenant.ts";
import { updateStanding } from "../../referrals/apply.ts";
import { isPatientLost } from "../../referrals/recall-owner.ts";
import { recordShownResult } from "../../referrals/record-shown-result.ts";
import type { ReferralRequest } from "../../referrals/request.ts";
import { readerAddress, staffAddresses } from "./mail-facts.ts";
import { MAX_GAP_MS, putOffAt } from "./put-off.ts";
import { nextTry } from "./unclear-mails.ts";

/** Somebody's health may depend on these: they are tried at a refused address too, and their refusal is told at once. */
const URGENT_KINDS: ReadonlySet<NotificationKind> = new Set(["results_today", "ring_today"]);

/** Mails that ask a buyer for details: nobody to ask is an item by itself (`no_contact`, `details_overdue`). */
const ASKING_KINDS: ReadonlySet<NotificationKind> = new Set(["details_needed", "details_reminder"]);

const HOUR_MS = 3_600_000;
/**
 * After so long of refusals for now, nothing more is tried by itself: a person is to find out why. Nobody knows that the
 * address is wrong, so staff are told how long it was tried (`triedForHours`).
 */
const patienceOf = (kind: NotificationKind) => (URGENT_KINDS.has(kind) ? 1 : 24) * HOUR_MS;

/** The one whom a mail about a unit addresses; null for the shop, and for a patient who has no part in the unit. */
export function readerOf({ owner }: ReferralRequest, kind: NotificationKind): UnitOwner | null {
  if (isStaffKind(kind) || kind === "details_given") return null;
  // A mail that asks a buyer is the buyer's, also when its first unit is an invited patient's meanwhile.
  return kind === "details_needed" ? "buyer" : owner;
}

/** The requests whose mails go where this one goes, as far as these are refused, or are not. */
async function sharingReader(
  tenant: Tenant,
  request: ReferralRequest,
  { reader, mailRefused }: { reader: UnitOwner; mailRefused: boolean },
): Promise<ReferralRequest[]> {
  if (reader === "buyer") return tenant.requests.ofBuyer(request.orderId, { mailRefused });
  return (request.mailRefusedAt !== null) === mailRefused ? [request] : [];
}

/**
 * Whether a mail is kept back because its reader's address was refused before. It stays due, and goes out once the address
 * has changed or somebody asks for it. An urgent one is tried, and the shop is told at once that it may not arrive.
 */
export async function isWithheld(
  tenant: Tenant,
  request: ReferralRequest,
  { due, now }: { due: DueNotification; now: Date },
): Promise<boolean> {
  const reader = readerOf(request, due.kind);
  if (!reader) return false;
  const refused = await sharingReader(tenant, request, { reader, mailRefused: true });
  if (refused.length === 0) return false;
  if (URGENT_KINDS.has(due.kind)) {
    await tellShop(tenant, request, { due, now });
    return false;
  }
  await record(tenant, request, { kind: "mail_withheld", due, now });
  // Whether and when it is tried again is for a person to say: what it was put off for by then is over.
  await tenant.notifications.markPutOff(due, null);
  return true;
}

/**
 * Records that the outgoing server refused a mail's recipient. Every unit of that reader then needs a person. Returns false
 * for a refusal that may pass: nothing is recorded, and the mail is tried again. Nothing is recorded either of a mail that was
 * erased while it was on its way. `addresses`: those that were refused; none where there is none.
 */
export async function recordRefusal(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    addresses,
    isFinal,
    now,
  }: { due: DueNotification; addresses: string[]; isFinal: boolean; now: Date },
): Promise<boolean> {
  const { kind } = due;
  const noted = await tenant.notifications.find(due);
  if (!noted) return true;
  if (!isFinal && !(await isPutOffForGood(tenant, due, { noted, addresses, now }))) {
    // Somebody's health does not wait for one more hour of tries. The mail is tried on all the same.
    if (URGENT_KINDS.has(kind) && now.getTime() - noted.notedAt.getTime() >= patienceOf(kind))
      await tellShop(tenant, request, { due, now });
    return false;
  }
  await tenant.notifications.markPutOff(due, null);
  const reader = readerOf(request, kind);
  if (reader && (await isAddressedAnew(tenant, request, { kind, addresses }))) {
    await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
    return true;
  }
  const triedForHours = isFinal ? null : patienceOf(kind) / HOUR_MS;
  const hasNoAddress = addresses.length === 0;
  await record(tenant, request, { kind: "mail_refused", due, now, triedForHours, hasNoAddress });
  await recordShopsAddresses(tenant, due, { accepted: [], refused: addresses, now });
  if (!reader) return true;
  for (const one of await sharingReader(tenant, request, { reader, mailRefused: false })) {
    await tenant.requests.recordMailRefused(one.id, now);
    await updateStanding(tenant, one.id);
  }
  if (URGENT_KINDS.has(kind)) await tellShop(tenant, request, { due, now });
  return true;
}

/**
 * Has a person told of a mail for a buyer of whom the order names no address, as of one that is refused: it waits until there is one.
 * Returns false where nobody waits for it: a mail that asks, which has items of its own, and one of a test order, or whose buyer was erased.
 */
export async function recordNoAddress(
  tenant: Tenant,
  request: ReferralRequest,
  { due, now }: { due: DueNotification; now: Date },
): Promise<boolean> {
  if (readerOf(request, due.kind) !== "buyer" || ASKING_KINDS.has(due.kind)) return false;
  const order = await tenant.orders.findForUpdate(request.orderId);
  if (!order || order.test || order.redactedAt) return false;
  return recordRefusal(tenant, request, { due, addresses: [], isFinal: true, now });
}

/** Notes that a mail is put off at its addresses, and says whether it has been for so long that a person is needed. */
async function isPutOffForGood(
  tenant: Tenant,
  due: DueNotification,
  {
    noted,
    addresses,
    now,
  }: { noted: { putOff: PutOff | null }; addresses: readonly string[]; now: Date },
): Promise<boolean> {
  const by = tenant.links.recipientOf(addresses.toSorted().join(" "));
  const putOff = putOffAt(noted.putOff, { by, now });
  await tenant.notifications.markPutOff(due, putOff);
  return now.getTime() - putOff.since.getTime() >= patienceOf(due.kind);
}

/**
 * Whether mails about a request go elsewhere by now than to the addresses that refused one: somebody corrected the order's, or
 * invited the patient anew. Holds what either would change, so that it comes before this or after it.
 */
async function isAddressedAnew(
  tenant: Tenant,
  { id, orderId }: ReferralRequest,
  { kind, addresses }: { kind: NotificationKind; addresses: readonly string[] },
): Promise<boolean> {
  await tenant.orders.lock(orderId);
  const request = await tenant.requests.findForUpdate(id);
  const to = request && (await readerAddress(tenant, request, kind));
  return Boolean(to) && !addresses.some((one) => one.toLowerCase() === to?.toLowerCase());
}

/**
 * Queues the next try of a mail that the server had whole and did not answer for, and leaves the mail to it. Returns false when it
 * was tried for long enough.
 */
export async function tryUnclearAgain(
  tenant: Tenant,
  due: DueNotification,
  { since, now }: { since: Date; now: Date },
): Promise<boolean> {
  const startAfter = nextTry({ since, now, patienceMs: patienceOf(due.kind) });
  if (!startAfter) return false;
  const again = { ...due, unclearSince: since.getTime() };
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...again }, { startAfter });
  const until = new Date(startAfter.getTime() + MAX_GAP_MS);
  await tenant.notifications.markUnclear(due, until);
  return true;
}

/**
 * Records for the settings which of the shop's own addresses took a mail, and which refused it for good. A reader who is refused
 * while others are not gets the mail alone (`toReader`), so that nobody else gets it again.
 */
export async function recordShopsAddresses(
  tenant: Tenant,
  due: DueNotification,
  { accepted, refused, now }: { accepted: string[]; refused: string[]; now: Date },
): Promise<void> {
  const { kind, requestId, occurrence = "" } = due;
  if (!isStaffKind(kind)) return;
  const mail = { kind, occurrence: `${requestId} ${occurrence}`.trim(), at: now };
  // An address that never refused a mail needs no row.
  for (const address of await tenant.alerts.refusedBy(accepted))
    await tenant.alerts.recordOther({ ...mail, address, isRefused: false });
  for (const address of refused)
    await tenant.alerts.recordOther({ ...mail, address, isRefused: true });
}

/** Has those of the shop's people who were refused get a mail that the others have. */
export async function mailRefusedReaders(
  tenant: Tenant,
  due: DueNotification,
  { refused, now }: { refused: string[]; now: Date },
): Promise<void> {
  if (refused.length === 0 || !isStaffKind(due.kind)) return;
  const settings = await tenant.shops.find();
  for (const [reader, address] of settings ? staffAddresses(settings) : [])
    if (refused.includes(address)) await queueMail(tenant, toReader(due, reader), { now });
}

/** Ends what `recordRefusal` began, for everybody whose mails go where this one arrived. */
export async function recordDelivery(
  tenant: Tenant,
  request: ReferralRequest,
  kind: NotificationKind,
): Promise<void> {
  const reader = request.mailRefusedAt && readerOf(request, kind);
  if (!reader) return;
  await clearRefusal(tenant, await sharingReader(tenant, request, { reader, mailRefused: true }));
}

/**
 * Lets these requests' mails go out again. Returns the ids of those whose mails had been refused. A patient whose address was lost
 * with a database stays lost: no mail can go to them, and staff and buyer would read nothing of it any more.
 */
export async function clearRefusal(
  tenant: Tenant,
  requests: readonly ReferralRequest[],
): Promise<string[]> {
  const cleared: string[] = [];
  for (const request of requests) {
    if (!request.mailRefusedAt || (await isPatientLost(tenant, request))) continue;
    await tenant.requests.recordMailRefused(request.id, null);
    await updateStanding(tenant, request.id);
    cleared.push(request.id);
  }
  return cleared;
}

/** An item that cannot wait, where a result is shown, and a mail: once for each mail that may not arrive. */
async function tellShop(
  tenant: Tenant,
  request: ReferralRequest,
  { due: { kind, occurrence = "" }, now }: { due: DueNotification; now: Date },
): Promise<void> {
  if (kind === "results_today") await recordShownResult(tenant, request, now);
  const told = { requestId: request.id, kind: "patient_unreachable" } as const;
  const alert = { ...told, occurrence: `${kind} ${occurrence}`.trim() };
  await queueMail(tenant, alert, { now });
}

const record = (
  tenant: Tenant,
  { id: requestId, orderId }: ReferralRequest,
  {
    kind,
    due,
    now,
    triedForHours = null,
    hasNoAddress = false,
  }: {
    kind: "mail_refused" | "mail_withheld";
    due: DueNotification;
    now: Date;
    triedForHours?: number | null;
    hasNoAddress?: boolean;
  },
) =>
  tenant.timeline.add({
    kind,
    actor: "pathway",
    at: now,
    orderId,
    requestId,
    detail: {
      ...{ mail: due.kind, ...readerDetail(due) },
      ...(triedForHours && { triedForHours }),
      ...(hasNoAddress && { hasNoAddress }),
    },
  });

/** Whose address it is, of a mail for one of the shop's people alone. */
function readerDetail({ kind, occurrence }: DueNotification): { reader?: string } {
  const { reader } = readerOfOccurrence(occurrence);
  return isStaffKind(kind) && reader ? { reader } : {};
}
