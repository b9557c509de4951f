import { crashPoint } from "../../platform/crash-points.ts";
import { retryUntil } from "../../platform/retry-until.ts";
import { type IssuedLink, issueLink } from "../access/issue-link.ts";
import { STOP_KINDS } from "../access/link.ts";
import { purposeOfMail } from "../access/purpose-of-mail.ts";
import { recipientEmail } from "../access/recipient-email.ts";
import { recordMailedLink } from "../access/record-mailed-link.ts";
import { whoseTests } from "../access/whose-test.ts";
import { gidNumber, type ShopDomain } from "../kernel/ids.ts";
import {
  ASKED_AGAIN,
  type DueNotification,
  isStaffKind,
  type NotificationKind,
  type StaffKind,
} from "../kernel/notification.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { mayAskForCorrection } from "../referrals/ask-for-correction.ts";
import { isHeld } from "../referrals/referral-repository.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { startReminders } from "../referrals/schedule-reminders.ts";
import { waitingUnits } from "../referrals/waiting-units.ts";
import { helpOf } from "../shops/customer-help.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { contactOf } from "../shops/shop.ts";
import { composeMail, type MailFacts } from "./notifications/compose-mail.ts";

/** How long a mail that is out is tried to be written down: longer than a database takes to come up again. */
const RECORDING = { forMs: 20_000, everyMs: 250 };

type MailPorts = Pick<Ports, "tenancy" | "mailer" | "clock" | "appUrl" | "adminPageUrl" | "waits">;

/**
 * Sends one mail once. Should the process die between the outgoing server's yes and ours on disk, it is sent
 * again: a second friendly mail does less harm than none; a database that is away for a moment is waited for.
 * Throws when the server did not take it.
 */
export async function sendNotification(
  { tenancy, mailer, clock, appUrl, adminPageUrl, waits }: MailPorts,
  target: { shop: ShopDomain } & DueNotification,
): Promise<"sent" | "not_due"> {
  const { shop, ...due } = target;
  const { requestId, kind } = due;
  const mail = await tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || !(await isDue(tenant, request, due))) return null;
    if (!isStaffKind(due.kind))
      return writeFacts(tenant, request, {
        due: { ...due, kind: due.kind },
        appUrl,
        now: clock.now(),
      });
    const page = `/app/orders/${gidNumber(request.orderId)}`;
    const facts = await staffFacts(tenant, request, adminPageUrl(shop, page));
    return facts && { facts, request, linkId: null };
  });
  if (!mail) return "not_due";
  crashPoint("mail.before-send");
  await mailer.send(shop, composeMail(kind, mail.facts));
  crashPoint("mail.after-send-before-record");
  const at = clock.now();
  await retryUntil(
    () =>
      tenancy.inShop(shop, (tenant) =>
        record(tenant, mail.request, { due, at, linkId: mail.linkId, dayMs: waits.reminderDayMs }),
      ),
    RECORDING,
  );
  crashPoint("mail.after-record");
  return "sent";
}

async function record(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    at,
    linkId,
    dayMs,
  }: { due: DueNotification; at: Date; linkId: string | null; dayMs: number },
): Promise<void> {
  // Also of a mail that went out twice: the newest link is in the reader's hands.
  if (linkId) await recordMailedLink(tenant, linkId, at);
  if (await tenant.notifications.isSent(due)) return;
  await tenant.notifications.markSent(due, at);
  const { id: requestId, orderId } = request;
  const { kind } = due;
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

/** Whether the mail still says something true that was not said before. */
async function isDue(
  tenant: Tenant,
  request: ReferralRequest,
  due: DueNotification,
): Promise<boolean> {
  if (request.state === "cancelled" || (await tenant.notifications.isSent(due))) return false;
  // Nobody speaks for a shop that has left; should it come back, what is unsent is sent then.
  if (!(await findInstalled(tenant))) return false;
  switch (due.kind) {
    case "details_needed":
      return (await waitingUnits(tenant, request, "buyer")).length > 0;
    case "details_reminder":
      return (await waitingUnits(tenant, request, request.owner)).length > 0;
    case "correction_needed":
      return mayAskForCorrection(request, await tenant.referrals.forRequests([request.id]));
    case "correction_refused":
      // Corrected again meanwhile: what becomes of that is not known yet.
      return (await tenant.corrections.pending(request.id)) === null;
    case "form_ready":
    case "form_corrected":
      // Nobody is sent to a laboratory with the form of a unit that was given up.
      return request.cancellation === null;
    case "unit_for_you":
      return due.occurrence === String(request.invitedAt?.getTime()) && !request.acceptedAt;
    case "results_available":
    case "results_today":
    case "urgent_result_shown": {
      // Held again or deleted since: when it is shown again, that is told.
      const results = await tenant.results.forRequests([request.id]);
      return results.some(({ releasedAt }) => releasedAt !== null);
    }
    case "ring_today":
    case "review_due":
    case "review_today":
      // Released since: there is nothing left to review.
      return (await tenant.results.forRequests([request.id])).some(isHeld);
    case "link_renewed":
    case "correction_link":
      return true;
  }
}

/** Whom the shop has for it, and where they see the order. Null when the shop has nobody to write to. */
async function staffFacts(
  tenant: Tenant,
  { orderId }: ReferralRequest,
  url: string,
): Promise<MailFacts | null> {
  const settings = await tenant.shops.find();
  const to = [settings?.reviewer?.email, settings?.contactEmail].flatMap((one) => one ?? []);
  if (!settings || to.length === 0) return null;
  const orderName = (await tenant.orders.namesOf([orderId])).get(orderId) ?? "";
  return {
    to: [...new Set(to)].join(", "),
    help: helpOf(settings),
    about: null,
    buyerName: null,
    orderName,
    url,
    personal: false,
    contact: null,
    stopUrl: null,
  };
}

async function writeFacts(
  tenant: Tenant,
  request: ReferralRequest,
  {
    due,
    appUrl,
    now,
  }: {
    due: DueNotification & { kind: Exclude<NotificationKind, StaffKind> };
    appUrl: string;
    now: Date;
  },
): Promise<{ facts: MailFacts; request: ReferralRequest; linkId: string | null } | null> {
  const { id: requestId, orderId } = request;
  const buyer = await tenant.orders.buyerOf(orderId);
  // A mail that asks a buyer is the buyer's, also when its first unit was handed over meanwhile.
  const isPatients = request.owner === "patient" && due.kind !== "details_needed";
  const to = await recipientEmail(tenant, request, isPatients ? "patient" : "guest");
  if (!to) return null;
  const address = (page: string, { token }: IssuedLink) =>
    `${appUrl}/${page}/${tenant.shop.replace(".myshopify.com", "")}.${token}`;
  // Shopify makes a customer of every guest; only somebody who has signed in before looks for the account.
  const personal = isPatients || !buyer?.hasAccount;
  const link = personal
    ? await issueLink(tenant, {
        requestId,
        kind: isPatients ? "handover" : "guest",
        purpose: await purposeOfMail(tenant, request, due.kind),
        to,
        now,
      })
    : null;
  const url = link ? address("t", link) : (buyer?.statusUrl ?? null);
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
  const settings = await tenant.shops.find();
  if (!settings) return null;
  const namesContact = due.kind === "results_today" || due.kind === "ring_today";
  const buyerNames = [buyer?.firstName, buyer?.lastName].filter(Boolean).join(" ");
  return {
    request,
    linkId: link?.id ?? null,
    facts: {
      to,
      orderName: names.get(orderId) ?? "",
      about: ABOUT_THE_ORDER.has(due.kind) ? null : await aboutOf(tenant, request),
      buyerName: buyerNames || null,
      url,
      personal,
      contact: namesContact ? contactOf(settings) : null,
      help: helpOf(settings),
      stopUrl,
    },
  };
}

/** Emails about every test of an order that still waits for details. */
const ABOUT_THE_ORDER: ReadonlySet<NotificationKind> = new Set([
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
