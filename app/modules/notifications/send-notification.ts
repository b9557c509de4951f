import { detailsMailDelay } from "../../platform/counters.ts";
import { together } from "../../platform/together.ts";
import { recordMailedLinks } from "../access/record-mailed-link.ts";
import { gidNumber, type ShopDomain } from "../kernel/ids.ts";
import type { TriedMail } from "../kernel/jobs.ts";
import {
  ASKED_AGAIN,
  type DueNotification,
  isNewsKind,
  isStaffKind,
} from "../kernel/notification.ts";
import { isBeforeSetBack } from "../kernel/secret.ts";
import type { NewTimelineEntry } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import { recordShownResult } from "../referrals/record-shown-result.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { gatherFacts } from "../referrals/request-facts.ts";
import { startReminders } from "../referrals/schedule-reminders.ts";
import { composeMail } from "./notifications/compose-mail.ts";
import { deliverMail } from "./notifications/deliver-mail.ts";
import { isStillNews, speakerOf } from "./notifications/is-due.ts";
import { customerFacts, staffFacts } from "./notifications/mail-facts.ts";
import { countMailedBefore, wordsOf } from "./notifications/mailed-before-restore.ts";
import {
  isWithheld,
  mailRefusedReaders,
  recordDelivery,
  recordNoAddress,
  recordRefusal,
  recordShopsAddresses,
  tryUnclearAgain,
} from "./notifications/refused-mails.ts";
import { waitsForRestore } from "./notifications/told-before-restore.ts";
import { unclearFrom } from "./notifications/unclear-mails.ts";
import { waitsForWindow, writeNews } from "./notifications/write-news.ts";

type MailPorts = Pick<
  Ports,
  | "tenancy"
  | "mailer"
  | "mailJournal"
  | "clock"
  | "appUrl"
  | "accountPageUrl"
  | "adminPageUrl"
  | "waits"
>;

export type SendOutcome =
  | "sent"
  | "mailed_before"
  | "not_due"
  | "postponed"
  | "withheld"
  | "refused";

/**
 * Sends one mail once, as `deliverMail` understands it. A recipient that the server refuses is told to the shop, and is
 * not written to again before the address has changed. Throws when the server did not take it for another reason.
 */
export async function sendNotification(
  { tenancy, mailer, mailJournal, clock, adminPageUrl, waits, ...addresses }: MailPorts,
  target: { shop: ShopDomain } & DueNotification & TriedMail,
): Promise<SendOutcome> {
  const { shop, unclearSince, ...due } = target;
  const since = unclearFrom(unclearSince, clock.now());
  const prepare = async (tenant: Tenant) => {
    const [request, noted, settings] = await together(
      () => tenant.requests.find(due.requestId),
      () => tenant.notifications.find(due),
      () => speakerOf(tenant, due),
    );
    const now = clock.now();
    const { kind } = due;
    const notedAt = noted?.notedAt;
    if (isNewsKind(kind) && (await waitsForWindow(tenant, due, { notedAt, now, waits })))
      return "postponed";
    // A forgotten mail is noted anew when it is due again.
    if (!request || !noted || noted.sentAt) return "not_due";
    // The server may have it. The job that knows since when tries it again, seldom: this one is for the mail whose job is lost.
    const { unclearUntil } = noted;
    if (unclearSince === undefined && unclearUntil && unclearUntil > now) {
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { notBefore: unclearUntil });
      return "postponed";
    }
    if (!settings) return "not_due";
    const [facts] = isNewsKind(kind) ? await gatherFacts(tenant, [request]) : [];
    if (!(await isStillNews(tenant, request, due, { settings, facts }))) return "not_due";
    if (await isWithheld(tenant, request, { due, now })) return "withheld";
    const startAfter = await waitsForRestore(tenant, request, { kind, now, waits });
    if (startAfter) {
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due }, { startAfter });
      return "postponed";
    }
    const news = facts && { due, facts, notedAt: noted.notedAt, settings };
    if (news && (await countMailedBefore(tenant, { mailJournal }, news))) return "mailed_before";
    if (facts) {
      const news = await writeNews(tenant, facts, { due, settings, addresses, now, waits });
      return news === "no_reader" ? tellOfNoAddress(tenant, request, { due, now }) : news;
    }
    const page = `/app/orders/${gidNumber(request.orderId)}`;
    const written = isStaffKind(kind)
      ? await staffFacts(tenant, request, { ...due, kind, url: adminPageUrl(shop, page), settings })
      : await customerFacts(tenant, request, { due: { ...due, kind }, settings, addresses, now });
    if (!written) return tellOfNoAddress(tenant, request, { due, now });
    const tells = [{ due, request, notedAt: undefined }];
    return {
      mail: composeMail(kind, written.facts),
      linkIds: written.linkId ? [written.linkId] : [],
      tells,
      words: isStaffKind(kind) ? [] : wordsOf(tenant, tells, written.facts),
      notedAt,
    };
  };
  const prepared = await tenancy.inShop(shop, async (tenant) => {
    const mail = await prepare(tenant);
    // Nobody tries it on: whoever asks for it later does.
    if (typeof mail === "string" && unclearSince) await tenant.notifications.markUnclear(due, null);
    return mail;
  });
  if (typeof prepared === "string") return prepared;
  const { linkIds, tells, words, notedAt } = prepared;
  // A mail that is noted anew, because somebody asks for it, is another one.
  const mail = {
    ...prepared.mail,
    key: `${notedAt?.getTime()} ${tells.map(({ due }) => nameOf(due))}`,
  };
  const readers = [mail.to, ...(mail.alsoTo ?? [])];
  const keeping: typeof mailer = {
    async send(...mails) {
      const refused = await mailer.send(...mails);
      const at = clock.now();
      mailJournal.add(words.map((word) => ({ ...word, at })));
      return refused;
    },
  };
  return deliverMail(
    { mailer: keeping, clock },
    { shop, mail },
    {
      recordSent: async (at, refused) => {
        const accepted = readers.filter((one) => !refused.includes(one));
        await tenancy.inShop(shop, async (tenant) => {
          // Also of a mail that went out twice: the newest links are in the reader's hands.
          await recordMailedLinks(tenant, linkIds, { at, since: unclearSince ? since : null });
          const sending = { at, to: mail.to, dayMs: waits.reminderDayMs };
          await record(tenant, tells, { ...sending, kind: "mail_sent" });
          await recordShopsAddresses(tenant, due, { accepted, refused: [], now: at });
          await mailRefusedReaders(tenant, due, { refused, now: at });
        });
        for (const { due, request } of tells)
          if (due.kind === "details_needed")
            detailsMailDelay.observe({}, at.getTime() - owedSince(request));
      },
      recordRefused: ({ isFinal, at }) =>
        tenancy.inShop(shop, async (tenant) => {
          let isOver = false;
          for (const { due, request } of tells)
            if (await recordRefusal(tenant, request, { due, addresses: readers, isFinal, now: at }))
              isOver = true;
          if (isOver) await tenant.notifications.markUnclear(due, null);
          return isOver;
        }),
      recordUnclear: (at) =>
        tenancy.inShop(shop, async (tenant) => {
          if (await tryUnclearAgain(tenant, due, { since, now: at })) return;
          const sending = { at, to: mail.to, dayMs: waits.reminderDayMs };
          // News that came later stood in the last copies alone: its own job goes on.
          const over = tells.filter(
            ({ notedAt }) => !notedAt || notedAt <= since || isBeforeSetBack(notedAt, at),
          );
          await record(tenant, over, { ...sending, kind: "mail_unclear" });
        }),
    },
  );
}

const tellOfNoAddress = async (...mail: Parameters<typeof recordNoAddress>) =>
  (await recordNoAddress(...mail)) ? "refused" : "not_due";

/**
 * Writes down what a mail has told, or may have told, as far as it was not written down before. Whether it arrived or not, its
 * reader is reminded; about a critical result the shop is told to ring.
 */
async function record(
  tenant: Tenant,
  tells: readonly { due: DueNotification; request: ReferralRequest }[],
  {
    kind,
    at,
    to,
    dayMs,
  }: { kind: "mail_sent" | "mail_unclear"; at: Date; to: string; dayMs: number },
): Promise<void> {
  const isToShop = tells.some(({ due }) => isStaffKind(due.kind));
  const marked = await tenant.notifications.markAllSent(
    tells.map(({ due }) => due),
    at,
    isToShop ? null : tenant.links.recipientOf(to),
  );
  const news = new Set(marked.map(nameOf));
  // Nothing is written down again of a shop that was erased while the mail was on its way.
  const told = tells.filter(({ due }) => news.has(nameOf(due)));
  if (told.length === 0) return;
  await tenant.timeline.add(
    ...told.map(({ due, request }) => entryOf(request, { kind, mail: due.kind, at })),
  );
  for (const { due, request } of told) {
    if (kind === "mail_sent") await recordDelivery(tenant, request, due.kind);
    else if (due.kind === "results_today") await recordShownResult(tenant, request, at);
    const isFirst = due.kind === "details_needed" && due.occurrence !== ASKED_AGAIN;
    if (isFirst || due.kind === "unit_for_you")
      await startReminders(tenant, request, { at, dayMs });
  }
}

/** The whole of an hour in which nobody worked counts. An older order was imported, or its product was mapped late. */
const LATE_MS = 3_600_000;

/** Since when a unit's mail is owed: since its order was paid, by Shopify's clock, or since the unit was opened. */
const owedSince = ({ orderPaidAt, createdAt }: ReferralRequest) => {
  const waitedMs = createdAt.getTime() - orderPaidAt.getTime();
  return waitedMs > 0 && waitedMs <= LATE_MS ? orderPaidAt.getTime() : createdAt.getTime();
};

const nameOf = ({ requestId, kind, occurrence = "" }: DueNotification) =>
  `${requestId} ${kind} ${occurrence}`;

const entryOf = (
  { id: requestId, orderId }: ReferralRequest,
  { kind, mail, at }: Pick<NewTimelineEntry, "kind" | "at"> & { mail: DueNotification["kind"] },
): NewTimelineEntry => ({
  kind,
  actor: "pathway",
  at,
  orderId,
  requestId,
  detail: { mail },
});
