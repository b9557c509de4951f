import { recipientEmail } from "../access/recipient-email.ts";
import type { Waits } from "../kernel/ports.ts";
import type { TimelineEntry } from "../kernel/timeline.ts";
import type { UnitOwner } from "../patients/unit-owner.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { daysOf } from "../referrals/schedule-reminders.ts";
import { isRefusedForAge } from "../referrals/waiting-units.ts";
import type { Shop } from "../shops/shop.ts";

/** Where the reminders of one reader stand, who still owes the details of these units. */
export interface ReminderState {
  reader: UnitOwner;
  requestIds: string[];
  /** When they were last reminded; null before the first time. */
  last: Date | null;
  /** When they are reminded next, by the shop's days for it; null when they are not. */
  next: Date | null;
  /** When nobody is reminded any more, and the unit needs the merchant; null before they were asked. */
  end: Date | null;
  /** Why no reminder goes out; null when one does. */
  whyNone:
    | "not_asked_yet"
    | "no_address"
    | "unsubscribed"
    | "refused"
    | "under_age"
    | "last_one_sent"
    | "over"
    | null;
}

interface Context {
  requests: readonly ReferralRequest[];
  timeline: readonly TimelineEntry[];
  now: Date;
  waits: Waits;
}

/** Tells for everybody whose details an order waits for when they were reminded, and when they are next. */
export async function readReminders(tenant: Tenant, context: Context): Promise<ReminderState[]> {
  const settings = await tenant.shops.find();
  const waiting = context.requests.filter(({ state }) => state === "awaiting_details");
  if (!settings || waiting.length === 0) return [];
  const buyers = waiting.filter(({ owner }) => owner === "buyer");
  const chains = [
    ...(buyers.length > 0 ? [{ reader: "buyer" as const, units: buyers }] : []),
    ...waiting
      .filter(({ owner }) => owner === "patient")
      .map((unit) => ({ reader: "patient" as const, units: [unit] })),
  ];
  const states: ReminderState[] = [];
  for (const chain of chains) states.push(await stateOf(tenant, chain, { ...context, settings }));
  return states;
}

async function stateOf(
  tenant: Tenant,
  { reader, units }: { reader: UnitOwner; units: ReferralRequest[] },
  { requests, timeline, now, waits, settings }: Context & { settings: Shop },
): Promise<ReminderState> {
  const ids = units.map(({ id }) => id);
  // A buyer's chain hangs on the unit that the first email was about, wherever that one stands by now.
  const about = reader === "buyer" ? requests.map(({ id }) => id) : ids;
  const isReminder = ({ kind, detail, requestId }: TimelineEntry) =>
    kind === "mail_sent" &&
    detail.mail === "details_reminder" &&
    requestId !== null &&
    about.includes(requestId);
  const last = timeline
    .filter(isReminder)
    .reduce<Date | null>((latest, { at }) => (latest && latest > at ? latest : at), null);
  const none = (whyNone: ReminderState["whyNone"], end: Date | null = null) => ({
    reader,
    requestIds: ids,
    last,
    next: null,
    end,
    whyNone,
  });
  const [unit] = units;
  const address =
    unit && (await recipientEmail(tenant, unit, reader === "buyer" ? "guest" : "patient"));
  if (!address) return none("no_address");
  const begun = await beginning(tenant, { reader, units, requests });
  if (!begun)
    return none(units.some(({ mailRefusedAt }) => mailRefusedAt) ? "refused" : "not_asked_yet");
  const { since, chain } = begun;
  const on = (day: number) => new Date(since.getTime() + day * waits.reminderDayMs);
  const end = on(settings.detailsEndDays);
  if (end <= now) return none("over", end);
  if (units.every((one) => isRefusedForAge(one, timeline))) return none("under_age", end);
  if (chain.remindersStoppedAt) return none("unsubscribed", end);
  if (chain.mailRefusedAt) return none("refused", end);
  const next = daysOf(settings)
    .map(on)
    .find((at) => at > now);
  return next ? { ...none(null, end), next } : none("last_one_sent", end);
}

/** The unit that a chain of reminders hangs on, and when it began. */
async function beginning(
  tenant: Tenant,
  {
    reader,
    units,
    requests,
  }: { reader: UnitOwner; units: ReferralRequest[]; requests: readonly ReferralRequest[] },
): Promise<{ chain: ReferralRequest; since: Date } | null> {
  const [unit] = units;
  if (reader === "patient") {
    const occurrence = String(unit?.invitedAt?.getTime());
    const invitation = unit && { requestId: unit.id, kind: "unit_for_you" as const, occurrence };
    const noted = invitation && (await tenant.notifications.find(invitation));
    return unit?.invitedAt && noted?.sentAt ? { chain: unit, since: unit.invitedAt } : null;
  }
  for (const chain of requests) {
    const noted = await tenant.notifications.find({
      requestId: chain.id,
      kind: "details_needed",
    });
    if (noted?.sentAt) return { chain, since: noted.sentAt };
  }
  return null;
}
