import type { ShopDomain } from "../kernel/ids.ts";
import { queueMail, queueUnsentMails } from "../kernel/queue-mail.ts";
import type { Patient } from "../patients/patient.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { apply } from "./apply.ts";
import type { PendingCorrection } from "./correction.ts";
import type { Ports } from "./ports.ts";
import { isCurrent, type StoredReferral } from "./referral-repository.ts";
import type { ReferralService } from "./referral-service.ts";
import { recordReferral } from "./referrals/record-referral.ts";
import { isUnreadable } from "./referrals/record-unreadable-own.ts";
import { serviceRefusal } from "./referrals/service-refusal.ts";
import type { ReferralRequest } from "./request.ts";
import type { PersonSnapshot, ReferralSnapshot } from "./snapshots.ts";
import { tellPatient } from "./tell-patient.ts";
import type { Tenant } from "./tenant.ts";

export type CorrectReferralsOutcome =
  /** Every referral of the request carries the correction. */
  | { kind: "applied" }
  /** A form is being made; its event brings this job back. */
  | { kind: "waiting" }
  /** Another process is passing on this correction, or an earlier one. */
  | { kind: "busy"; until: Date }
  /** The service takes it no more: the form is used, or it refuses the details. */
  | { kind: "refused" }
  | { kind: "nothing_to_correct" }
  | { kind: "no_connection" };

/** How long one round of PATCH calls may take; the client gives up each call by then. */
const SENDING_MS = 30_000;

/**
 * Passes the latest correction of a patient's details on to every referral of a request (interface §4.2, PATCH), with
 * exactly the fields that the interface lets be changed. PATCH with the same details changes nothing more, so another
 * process can go on where one died. Each call makes a new form all the same, so what a referral has is noted before the
 * next one's turn.
 *
 * Only one process passes on at a time, and never after its deadline: an earlier correction must not arrive after a later
 * one. Throws when the service does not answer, to be tried again.
 */
export async function correctReferrals(
  ports: Pick<Ports, "tenancy" | "services" | "clock">,
  { shop, requestId }: { shop: ShopDomain; requestId: string },
): Promise<CorrectReferralsOutcome> {
  const { tenancy, services, clock } = ports;
  const claim = await tenancy.inShop(shop, (tenant) =>
    claimCorrection(tenant, requestId, clock.now()),
  );
  if (claim.kind !== "claimed") return claim;
  const { request, correction, referrals, deadlineAt } = claim;
  const service = await services.forConnection(shop, request.environment);
  if (!service) return { kind: "no_connection" };
  let isRefused = false;
  for (const { uuid } of referrals) {
    const askedAt = clock.now();
    const outcome = await patch(service, uuid, { correction, deadlineAt });
    const news = { request, correction, outcome, askedAt, now: clock.now() };
    await tenancy.inShop(shop, (tenant) => record(tenant, news));
    isRefused ||= outcome.kind === "refused";
  }
  return tenancy.inShop(shop, (tenant) =>
    settle(tenant, { request, correction, deadlineAt, isRefused, now: clock.now() }),
  );
}

type Claim =
  | Exclude<CorrectReferralsOutcome, { kind: "applied" | "refused" }>
  | {
      kind: "claimed";
      request: ReferralRequest;
      correction: PendingCorrection;
      referrals: StoredReferral[];
      deadlineAt: Date;
    };

async function claimCorrection(tenant: Tenant, requestId: string, now: Date): Promise<Claim> {
  const shop = await findInstalled(tenant);
  const request = await tenant.requests.findForUpdate(requestId);
  const correction = await tenant.corrections.pending(requestId);
  if (!shop || !request || !correction) return { kind: "nothing_to_correct" };
  const job = { name: "correct-referrals", shop: tenant.shop, requestId } as const;
  const busyUntil = await tenant.corrections.busyUntil(requestId);
  if (busyUntil && busyUntil > now) {
    await tenant.jobs.enqueue(job, { startAfter: busyUntil });
    return { kind: "busy", until: busyUntil };
  }
  const current = (await tenant.referrals.forRequests([requestId])).filter(isCurrent);
  const referrals = current.filter((one) => one.correction < correction.number);
  if (referrals.length > 0 && referrals.every(waits)) return { kind: "waiting" };
  const deadlineAt = new Date(now.getTime() + SENDING_MS);
  await tenant.corrections.claim(requestId, correction.number, deadlineAt);
  // Should this process die, this job takes the correction up again.
  await tenant.jobs.enqueue(job, { startAfter: deadlineAt });
  if (referrals.length > 0)
    await tenant.accessLog.add({ at: now, who: "job", what: "details_sent", requestId });
  const due = referrals.filter((one) => !waits(one));
  return { kind: "claimed", request, correction, referrals: due, deadlineAt };
}

/** Another person's details are not written over. A reading that finds the right one brings this job back. */
const waits = (referral: StoredReferral): boolean =>
  isBeingMade(referral) || referral.otherPerson === true;

/** Interface §3: only CREATED or ISSUED can be updated; these two become ISSUED by themselves. */
const isBeingMade = ({ status }: Pick<StoredReferral, "status">) =>
  status === "SCHEDULED_REISSUE" || status === "PENDING_VERIFICATION";

type Patched =
  | { kind: "patched"; snapshot: ReferralSnapshot }
  | { kind: "waiting"; snapshot: ReferralSnapshot }
  | { kind: "refused"; snapshot: ReferralSnapshot | null };

async function patch(
  service: ReferralService,
  uuid: string,
  { correction, deadlineAt }: { correction: PendingCorrection; deadlineAt: Date },
): Promise<Patched> {
  const { firstName, lastName, email, dob, gender, phone, address } = correction.patient;
  const names = await namesToSend(service, uuid, { firstName, lastName });
  const change = { ...names, email, dob, gender, phone, address };
  try {
    return {
      kind: "patched",
      snapshot: await service.updateReferral(uuid, change, { deadlineAt }),
    };
  } catch (error) {
    if (isUnreadable(error)) return patchedAfterAll(service, uuid, { change, error });
    if (serviceRefusal(error) === null) throw error;
    // The code of a refusal is not shown (interface §7, gaps): the referral itself tells why.
    const snapshot = await service.getReferral(uuid);
    const kind = snapshot && !snapshot.deletedAt && isBeingMade(snapshot) ? "waiting" : "refused";
    return snapshot && kind === "waiting" ? { kind, snapshot } : { kind: "refused", snapshot };
  }
}

/** An answer that nobody can read may be of a PATCH that was done. Done again, it would make one more form each time. */
async function patchedAfterAll(
  service: ReferralService,
  uuid: string,
  { change, error }: { change: Partial<Patient>; error: Error },
): Promise<Patched> {
  const snapshot = await service.getReferral(uuid);
  if (!snapshot || !isStated(change, snapshot.person)) throw error;
  return { kind: "patched", snapshot };
}

/** Whether a person has each of these details, to the letter. */
function isStated({ address, ...change }: Partial<Patient>, person: PersonSnapshot): boolean {
  const isIn = (details: object, stated: object) => {
    const known = new Map<string, unknown>(Object.entries(stated));
    return Object.entries(details).every(
      ([field, value]) => (value ?? "") === (known.get(field) ?? ""),
    );
  };
  return isIn(change, person) && isIn(address ?? {}, person.address ?? {});
}

/** The interface's PATCH takes no shorter name (§4.2), though its create does. */
const MIN_NAME = 2;

type Names = { firstName: string; lastName: string };

/** A name that is too short for PATCH and that the referral has already is left out: what is left out stays (interface §4.2). */
async function namesToSend(
  service: ReferralService,
  uuid: string,
  names: Names,
): Promise<Partial<Names>> {
  const isShort = ([, name]: [string, string]) => name.length < MIN_NAME;
  if (!Object.entries(names).some(isShort)) return names;
  const person: Partial<Names> = (await service.getReferral(uuid))?.person ?? {};
  const isKept = ([field, name]: [string, string]) => person[field as keyof Names] === name;
  return Object.fromEntries(
    Object.entries(names).filter((entry) => !isShort(entry) || !isKept(entry)),
  );
}

/** Writes down what one call has brought, as any reading is, and has its form fetched. */
async function record(
  tenant: Tenant,
  news: {
    request: ReferralRequest;
    correction: PendingCorrection;
    outcome: Patched;
    askedAt: Date;
    now: Date;
  },
): Promise<void> {
  const { correction, askedAt, now } = news;
  const { kind, snapshot } = news.outcome;
  const request = await tenant.requests.findForUpdate(news.request.id);
  if (!snapshot || !request) return;
  const { uuid } = snapshot;
  const { environment } = request;
  // A later correction may have taken this one's place meanwhile; the referral has this one's details all the same.
  const corrected = kind === "patched" ? { corrected: correction.patient } : {};
  await recordReferral(tenant, request, snapshot, { askedAt, now, ...corrected });
  await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  if (kind === "patched") await tenant.referrals.markCorrected(uuid, correction.number);
}

async function settle(
  tenant: Tenant,
  work: {
    request: ReferralRequest;
    correction: PendingCorrection;
    deadlineAt: Date;
    isRefused: boolean;
    now: Date;
  },
): Promise<CorrectReferralsOutcome> {
  const { correction, deadlineAt, isRefused, now } = work;
  const { id: requestId, orderId } = work.request;
  const { number } = correction;
  const entry = {
    actor: "pathway",
    at: now,
    orderId,
    requestId,
    detail: { correction: number },
  } as const;
  // The lock orders this correction before or after a re-order, and before or after the next correction.
  await tenant.requests.findForUpdate(requestId);
  await tenant.corrections.release(requestId, number, deadlineAt);
  if (isRefused) {
    if (!(await tenant.corrections.settle(requestId, number, "refused", now)))
      return { kind: "nothing_to_correct" };
    await apply(tenant, requestId, { kind: "correction_refused", correction: number }, entry);
    await tellOwner(tenant, requestId, correction, now);
    // The form is of use as it is, unless the service has taken it away: a mail about it waited for the new one.
    await queueUnsentMails(tenant, [requestId]);
    return { kind: "refused" };
  }
  const current = (await tenant.referrals.forRequests([requestId])).filter(isCurrent);
  if (current.some((one) => one.correction < number)) return { kind: "waiting" };
  // Where no referral is left, the details are kept for another order, and the service has none of them.
  const end = current.length > 0 ? "applied" : "superseded";
  if (!(await tenant.corrections.settle(requestId, number, end, now)))
    return { kind: "nothing_to_correct" };
  const before = await tenant.requests.patientOf(requestId);
  const medicare = before?.medicare ?? null;
  const { patient } = correction;
  await tenant.requests.savePatient(requestId, { patient, medicare }, now);
  await tellPatient(tenant, work.request, { patient, before: before?.patient ?? null, now });
  if (end === "superseded") return { kind: "nothing_to_correct" };
  // Where the service makes no new form of it, as of one that has the details already, the mail goes out now.
  await queueUnsentMails(tenant, [requestId]);
  await tenant.timeline.add({ ...entry, kind: "correction_passed_on" });
  return { kind: "applied" };
}

/**
 * Tells the unit's owner that the service does not take the correction. The owner believes that the details are right
 * by now.
 */
async function tellOwner(
  tenant: Tenant,
  requestId: string,
  { number }: PendingCorrection,
  now: Date,
): Promise<void> {
  const due = { requestId, kind: "correction_refused", occurrence: String(number) } as const;
  await queueMail(tenant, due, { now });
}
