import { detailsMailDelay } from "../../platform/counters.ts";
import { recordMailedLink } from "../access/record-mailed-link.ts";
import { gidNumber, type ShopDomain } from "../kernel/ids.ts";
import {
  ASKED_AGAIN,
  type DueNotification,
  isNewsKind,
  isStaffKind,
} from "../kernel/notification.ts";
import type { NewTimelineEntry } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { startReminders } from "../referrals/schedule-reminders.ts";
import { composeMail } from "./notifications/compose-mail.ts";
import { deliverMail } from "./notifications/deliver-mail.ts";
import { isDue } from "./notifications/is-due.ts";
import { customerFacts, staffFacts } from "./notifications/mail-facts.ts";
import { isWithheld, recordDelivery, recordRefusal } from "./notifications/refused-mails.ts";
import { waitsForRestore } from "./notifications/told-before-restore.ts";
import { writeNews } from "./notifications/write-news.ts";

type MailPorts = Pick<
  Ports,
  "tenancy" | "mailer" | "clock" | "appUrl" | "accountPageUrl" | "adminPageUrl" | "waits"
>;

export type SendOutcome = "sent" | "not_due" | "postponed" | "withheld" | "refused";

/**
 * Sends one mail once, as `deliverMail` understands it. A recipient that the server refuses is told to the shop, and is
 * not written to again before the address has changed. Throws when the server did not take it for another reason.
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
      : await customerFacts(tenant, request, { due: { ...due, kind }, addresses, now });
    if (!facts) return "not_due";
    return {
      mail: composeMail(kind, facts.facts),
      linkId: facts.linkId,
      tells: [{ due, request }],
    };
  });
  if (typeof written === "string") return written;
  const { mail, linkId, tells } = written;
  return deliverMail(
    { mailer, clock },
    { shop, mail },
    {
      recordSent: async (at) => {
        await tenancy.inShop(shop, async (tenant) => {
          // Also of a mail that went out twice: the newest link is in the reader's hands.
          if (linkId) await recordMailedLink(tenant, linkId, at);
          const told: NewTimelineEntry[] = [];
          for (const { due, request } of tells)
            if (await record(tenant, request, { due, at, to: mail.to, dayMs: waits.reminderDayMs }))
              told.push(mailSent(request, due.kind, at));
          if (told.length > 0) await tenant.timeline.add(...told);
        });
        for (const { due, request } of tells)
          if (due.kind === "details_needed")
            detailsMailDelay.observe({}, at.getTime() - request.createdAt.getTime());
      },
      recordRefused: ({ isFinal, at }) =>
        tenancy.inShop(shop, async (tenant) => {
          let isOver = false;
          for (const { due, request } of tells)
            if (await recordRefusal(tenant, request, { due, isFinal, now: at })) isOver = true;
          return isOver;
        }),
    },
  );
}

/** Returns whether it was not recorded before, nor erased meanwhile. */
async function record(
  tenant: Tenant,
  request: ReferralRequest,
  { due, at, to, dayMs }: { due: DueNotification; at: Date; to: string; dayMs: number },
): Promise<boolean> {
  if (await tenant.notifications.isSent(due)) return false;
  // Of a shop that was erased while the mail was on its way, nothing is written down again.
  const recipient = isStaffKind(due.kind) ? null : tenant.links.recipientOf(to);
  if (!(await tenant.notifications.markSent(due, at, recipient))) return false;
  const { kind } = due;
  await recordDelivery(tenant, request, kind);
  const isFirst = kind === "details_needed" && due.occurrence !== ASKED_AGAIN;
  if (isFirst || kind === "unit_for_you") await startReminders(tenant, request, { at, dayMs });
  return true;
}

const mailSent = (
  { id: requestId, orderId }: ReferralRequest,
  mail: DueNotification["kind"],
  at: Date,
): NewTimelineEntry => ({
  kind: "mail_sent",
  actor: "pathway",
  at,
  orderId,
  requestId,
  detail: { mail },
});
