import type { ShopDomain } from "../kernel/ids.ts";
import type { NotificationKind } from "../kernel/notification.ts";
import { queueMail } from "../kernel/queue-mail.ts";
import { isBeforeSetBack } from "../kernel/secret.ts";
import { noteAlert } from "../shops/note-alert.ts";
import type { Shop } from "../shops/shop.ts";
import type { Ports } from "./ports.ts";
import { isHeld, type StoredResult } from "./referral-repository.ts";
import { release } from "./release-result.ts";
import type { ReferralRequest } from "./request.ts";
import { recordResultReasons } from "./results/record-result-reasons.ts";
import { urgentMail } from "./results/results-mail.ts";
import { sensitivityOf } from "./results/sensitive-tests.ts";
import type { Tenant } from "./tenant.ts";
import { isUrgent } from "./urgency.ts";

/** The reviewer is told of a held urgent result after so many hours, before the shop's deadline. */
const ALERT_HOURS = [0, 1, 4] as const;
/** After the deadline the reviewer is told of a sensitive result once a day. */
const DAILY_HOURS = 24;

export type EscalateOutcome =
  | "not_held"
  /** Held by an earlier version, and nobody is named who could read it. */
  | "no_reviewer"
  | "waiting"
  | "alerted"
  | "released"
  /** Nothing is left to be told. */
  | "ended";

type EscalatePorts = Pick<Ports, "tenancy" | "clock" | "waits">;

/**
 * Takes the one step that is due for a held result: an alert to the reviewer, or the end of the hold. An urgent result
 * is told at once, after 1 and after 4 hours. At the shop's deadline it is shown to its patient, with the alert; a
 * sensitive one stays held, and its patient is asked to ring. Any other held result is told once.
 * Each step queues the next. Doing one twice changes nothing.
 */
export async function escalateHold(
  { tenancy, clock, waits }: EscalatePorts,
  { shop, uuid }: { shop: ShopDomain; uuid: string },
): Promise<EscalateOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const known = await tenant.results.find(uuid);
    // The lock orders this before or after a release, and before or after another reading of the result.
    const request = known && (await tenant.requests.findForUpdate(known.requestId));
    const settings = await tenant.shops.find();
    const stored = await tenant.results.find(uuid);
    const snapshot = await tenant.results.snapshotOf(uuid);
    if (!request || request.state === "cancelled" || !settings?.installed) return "not_held";
    if (!stored || !snapshot || !isHeld(stored)) return "not_held";
    if (!stored.heldAt && !settings.reviewer) return "no_reviewer";
    const now = clock.now();
    const isAhead = stored.heldAt !== null && isBeforeSetBack(stored.heldAt, now);
    const heldAt = isAhead ? now : (stored.heldAt ?? now);
    // Nobody knows how long ago that was. The step that is next has its hours from now on, and not once the clock is where it was.
    if (isAhead) await tenant.results.recordHold(uuid, { heldAt, holdAlerts: stored.holdAlerts });
    const urgent = isUrgent(snapshot);
    const sensitive = sensitivityOf(snapshot, request.title) !== null;
    const hours = hoursOf(stored.holdAlerts, { urgent, sensitive, settings });
    if (hours === null) return "ended";
    const dueAt = heldAt.getTime() + hours * waits.escalationHourMs;
    const job = { name: "escalate-hold", shop, uuid } as const;
    if (dueAt > now.getTime()) {
      await tenant.jobs.enqueue(job, { startAfter: new Date(dueAt) });
      return "waiting";
    }
    const isDeadline = urgent && hours >= settings.releaseAfterHours;
    if (isDeadline && !sensitive) {
      await endHold(tenant, request, { stored, updatedAt: snapshot.updatedAt, now });
      return "released";
    }
    const holdAlerts = stored.holdAlerts + 1;
    await tenant.results.recordHold(uuid, { heldAt, holdAlerts });
    const occurrence = `${uuid} ${heldAt.getTime()} ${holdAlerts}`;
    const tell = (kind: NotificationKind) =>
      queueMail(tenant, { requestId: request.id, kind, occurrence }, { now });
    await tell(urgent ? "review_today" : "review_due");
    const { id: requestId, orderId } = request;
    const facts = { kind: "critical_held", requestId, orderId } as const;
    if (urgent) await noteAlert(tenant, settings, { occurrence, facts, at: now });
    // Once: the daily alerts that follow are the reviewer's.
    if (isDeadline && hours === settings.releaseAfterHours) await tell("ring_today");
    const next = hoursOf(holdAlerts, { urgent, sensitive, settings });
    if (next !== null) {
      const startAfter = new Date(heldAt.getTime() + next * waits.escalationHourMs);
      await tenant.jobs.enqueue(job, { startAfter });
    }
    return "alerted";
  });
}

/** After how many hours a step is due; null when there is none. */
function hoursOf(
  step: number,
  {
    urgent,
    sensitive,
    settings: { releaseAfterHours },
  }: { urgent: boolean; sensitive: boolean; settings: Pick<Shop, "releaseAfterHours"> },
): number | null {
  if (!urgent) return step === 0 ? 0 : null;
  const before = ALERT_HOURS.filter((hours) => hours < releaseAfterHours);
  const daily = step - before.length;
  if (daily <= 0) return before[step] ?? releaseAfterHours;
  return sensitive ? releaseAfterHours + daily * DAILY_HOURS : null;
}

/** The next step that is due for a held result without anybody's doing; null when there is none. */
export function nextEscalation(
  { heldAt, holdAlerts }: Pick<StoredResult, "heldAt" | "holdAlerts">,
  given: {
    urgent: boolean;
    sensitive: boolean;
    settings: Pick<Shop, "releaseAfterHours">;
    hourMs: number;
  },
): { at: Date; kind: "alert" | "release" } | null {
  const hours = hoursOf(holdAlerts, given);
  if (hours === null || heldAt === null) return null;
  const isRelease = given.urgent && !given.sensitive && hours >= given.settings.releaseAfterHours;
  return {
    at: new Date(heldAt.getTime() + hours * given.hourMs),
    kind: isRelease ? "release" : "alert",
  };
}

/** Nobody has read it in time: a result that its patient can see does less harm than one that nobody reads. */
async function endHold(
  tenant: Tenant,
  request: ReferralRequest,
  { stored, updatedAt, now }: { stored: StoredResult; updatedAt: string; now: Date },
): Promise<void> {
  const { uuid } = stored;
  await release(tenant, request, { actor: "pathway", why: "deadline", now, uuid });
  await recordResultReasons(tenant, request, { isShownNow: true, now });
  await queueMail(tenant, urgentMail(request, { uuid, updatedAt }), { now });
}

/** At most so many held results are looked after in one go; the next look takes the others. */
const MAX_HOLDS = 500;

/**
 * Queues the next step of every held result: after a restore, when the app is installed again, and when a shop that
 * holds results names its reviewer. Doing it twice changes nothing.
 */
export async function lookAfterHolds(tenant: Tenant): Promise<void> {
  for (const { uuid } of await tenant.results.held(MAX_HOLDS))
    await tenant.jobs.enqueue({ name: "escalate-hold", shop: tenant.shop, uuid });
}
