import type { TimelineDetail, TimelineKind } from "../../kernel/timeline.ts";
import { CONNECTION_UNREADABLE } from "../../shops/connection.ts";
import { apply } from "../apply.ts";
import type { EventOf, LedgerEvent } from "../ledger/events.ts";
import { PRACTITIONER_FAULTS } from "../practitioner.ts";
import type { CreateOutcome } from "../referral-service.ts";
import type { ReferralRequest } from "../request.ts";
import { isOtherPerson, orderedFor } from "../same-person.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import type { Tenant } from "../tenant.ts";
import { cancelIfRequested } from "./cancel-if-requested.ts";
import { tellFirstStatuses } from "./first-status.ts";
import { linkReferrals } from "./link-referrals.ts";
import { isNamed, isOfAnother } from "./of-another.ts";

export type CreateReferralOutcome =
  | { kind: "created"; uuids: string[] }
  | { kind: "rejected"; code: string }
  | { kind: "postponed"; until: Date | null }
  | { kind: "ambiguous" }
  /** The store took the unit back while it was being sent, and nothing was created. */
  | { kind: "cancelled" }
  /** Another sender has it, it was sent already, or it may not be sent. */
  | { kind: "not_due" };

type Of<K extends CreateOutcome["kind"]> = Extract<CreateOutcome, { kind: K }>;

const RETRY_AFTER_MS = 30_000;
/** Each attempt is two commits and two lines of the timeline, whatever moment the service names. */
const MIN_RETRY_MS = 5_000;
/** Keys that somebody who runs Pathway has put right tell nobody here: what they kept shut is tried so often. */
const SHUT_MS = 30 * 60_000;

/**
 * Writes down what the answer to one attempt proves, and nothing more (ledger rule 4). `request` is the
 * request as it was claimed: a report about its attempt never ends a later one.
 */
export async function recordOutcome(
  tenant: Tenant,
  request: ReferralRequest,
  outcome: CreateOutcome,
  now: Date,
): Promise<CreateReferralOutcome> {
  const by = { actor: "service", at: now } as const;
  const report: Report = {
    async note(kind, detail) {
      const { orderId, id: requestId, attempt } = request;
      await tenant.timeline.add({
        ...by,
        orderId,
        requestId,
        kind,
        detail: { attempt, ...detail },
      });
    },
    async settle(event) {
      const applied = await apply(tenant, request.id, { ...event, claimed: request }, by);
      return applied?.request ?? null;
    },
  };
  switch (outcome.kind) {
    case "created":
      return created(tenant, request, outcome, report, now);
    case "rejected":
      return rejected(tenant, request, outcome, report, now);
    case "not_sent":
      return notSent(tenant, request, outcome, report, now);
    case "unknown":
      return unknown(tenant, request, outcome, report, now);
  }
}

interface Report {
  note(kind: TimelineKind, detail: TimelineDetail): Promise<void>;
  /** Ends the attempt; null when it had been ended already. */
  settle(event: Ending): Promise<ReferralRequest | null>;
}

/** The proof that an answer gives about its own attempt, and about no other. */
type Ending = WithoutClaim<EventOf<"rejected" | "not_sent" | "unknown">>;
type WithoutClaim<Event> = Event extends LedgerEvent ? Omit<Event, "claimed"> : never;

async function created(
  tenant: Tenant,
  request: ReferralRequest,
  { referrals }: Of<"created">,
  report: Report,
  now: Date,
): Promise<CreateReferralOutcome> {
  const own = await ownAmong(tenant, request, referrals);
  const news = await linkReferrals(tenant, request, own, now);
  if (!news) return unknown(tenant, request, ANOTHERS, report, now);
  const { practitioner } = request.items;
  // The service looks at the practitioner of a Medicare referral; the other one says nothing of them.
  if (practitioner && own.some(({ medicare }) => medicare))
    await tenant.practitioners.recordVerdict(practitioner.providerNumber, null, now);
  const uuids = own.map((referral) => referral.uuid);
  await report.note("create_succeeded", { uuids: uuids.join(" ") });
  await tellFirstStatuses(tenant, request, news, { actor: "service", at: now });
  return { kind: "created", uuids };
}

/**
 * Those that are for the request's patient, and do not name another test of ours. One that names neither is believed (of-another.ts),
 * unless it is somebody else's: its form would be, too.
 */
async function ownAmong(
  tenant: Tenant,
  request: ReferralRequest,
  referrals: ReferralSnapshot[],
): Promise<ReferralSnapshot[]> {
  if (referrals.every((one) => isNamed(request, one))) return referrals;
  const given = await tenant.requests.patientOf(request.id);
  const ordered = given && orderedFor(given);
  return referrals.filter(
    (one) =>
      isNamed(request, one) || (!isOfAnother(request, one) && !isOtherPerson(one.person, ordered)),
  );
}

/** The list tells whether the answer is all that is wrong. */
const ANOTHERS = { kind: "unknown", reason: "the answer is the referral of another test" } as const;

async function rejected(
  tenant: Tenant,
  request: ReferralRequest,
  { status, code }: Of<"rejected">,
  { note, settle }: Report,
  now: Date,
): Promise<CreateReferralOutcome> {
  const refused = await settle({ kind: "rejected", code });
  const { practitioner } = request.items;
  if (practitioner && PRACTITIONER_FAULTS.includes(code))
    await tenant.practitioners.recordVerdict(practitioner.providerNumber, code, now);
  await note("create_rejected", { status, code });
  if (refused && (await cancelIfRequested(tenant, refused, now))) return { kind: "cancelled" };
  return { kind: "rejected", code };
}

async function notSent(
  tenant: Tenant,
  request: ReferralRequest,
  { reason, retryable, retryAfterMs }: Of<"not_sent">,
  { note, settle }: Report,
  now: Date,
): Promise<CreateReferralOutcome> {
  const standing = reason === "no_connection" ? await connectionNow(tenant, request) : null;
  const isSoonOver = standing ? standing === "there" : retryable;
  const waitMs = Math.max(retryAfterMs ?? RETRY_AFTER_MS, MIN_RETRY_MS);
  const restMs = isSoonOver ? waitMs : reason === CONNECTION_UNREADABLE ? SHUT_MS : null;
  const until = restMs === null ? null : new Date(now.getTime() + restMs);
  const needsPerson = !isSoonOver && standing !== "app_is_off";
  const unsent = await settle({ kind: "not_sent", reason: needsPerson ? reason : null });
  await note("create_not_sent", { reason, retryable });
  if (!unsent) return { kind: "not_due" };
  if (await cancelIfRequested(tenant, unsent, now)) return { kind: "cancelled" };
  const job = { name: "create-referral", shop: tenant.shop, requestId: unsent.id } as const;
  if (until) await tenant.jobs.enqueue(job, { startAfter: until });
  return { kind: "postponed", until };
}

/**
 * A sender that found no connection may only have met the moment in which the app was taken off: then its return takes
 * the request up. An install waits until this is written down, so that neither misses the other.
 */
async function connectionNow(
  tenant: Tenant,
  { environment }: ReferralRequest,
): Promise<"there" | "none" | "app_is_off"> {
  const shop = await tenant.shops.findBeforeInstall();
  if (!shop?.installed) return "app_is_off";
  return (await tenant.connections.find(environment)) ? "there" : "none";
}

async function unknown(
  tenant: Tenant,
  request: ReferralRequest,
  { reason, retryAfterMs }: Of<"unknown">,
  { note, settle }: Report,
  now: Date,
): Promise<CreateReferralOutcome> {
  await settle({ kind: "unknown" });
  await note("create_unknown", { reason });
  // A service that asked for a pause is not asked for its list before that.
  const startAfter = retryAfterMs ? new Date(now.getTime() + retryAfterMs) : undefined;
  await tenant.jobs.enqueue(
    { name: "resolve-ambiguous", shop: tenant.shop, requestId: request.id },
    { startAfter },
  );
  return { kind: "ambiguous" };
}
