import type { OrderId } from "../../kernel/ids.ts";
import type { Patient } from "../../patients/patient.ts";
import type { Shop } from "../../shops/shop.ts";
import { reachMilestone } from "../reach-milestone.ts";
import { isCurrent, type StoredReferral } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { hasBecomeOther, isOtherPerson, orderedFor, statesAll } from "../same-person.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { isFormMade, isPastForm } from "../status.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Stores a snapshot of one referral of a locked request (`ReferralRepository.save`), and has the store told when its form was
 * issued that is its patient's, or the laboratory is done with the unit. `known` is what is stored of it, for whoever read it under this lock, `shop` its shop,
 * and `corrected` details that are just being passed on. The caller lets the
 * ledger look at the request afterwards (apply.ts). `otherPerson`: whether its form is shown to nobody, because it names somebody else.
 * `referrals`: all of the request, where they were read afterwards.
 */
export async function saveReferral(
  tenant: Tenant,
  { id: requestId, environment, orderId }: Pick<ReferralRequest, "id" | "environment" | "orderId">,
  snapshot: ReferralSnapshot,
  at: Date,
  { known, shop, corrected }: SaveOptions = {},
) {
  const otherPerson = await namesAnother(tenant, requestId, snapshot, { known, corrected });
  const more = { known, otherPerson };
  const saved = await tenant.referrals.save(environment, requestId, snapshot, at, more);
  const isIssued = saved.outcome === "stored" && snapshot.status === "ISSUED";
  const previous = saved.outcome === "stored" ? saved.previousStatus : undefined;
  // A status that goes back after the laboratory has reported issues no form.
  const isNew =
    isIssued && previous !== "ISSUED" && !(previous && isPastForm({ status: previous }));
  // The store may tell the patient that their form is there.
  const isPutRight =
    saved.outcome === "stored" && known?.otherPerson === true && isFormMade(snapshot);
  if (!otherPerson && (isNew || isPutRight))
    await reachMilestone(tenant, { orderId, requestId, milestone: "referral_issued" }, shop);
  const isComplete = saved.outcome === "stored" && snapshot.status === "COMPLETE";
  const referrals =
    isComplete && saved.previousStatus !== "COMPLETE"
      ? await tenant.referrals.forRequests([requestId])
      : undefined;
  const isDone = referrals && (await isLaboratoryDone(tenant, requestId, referrals));
  if (isDone && !(await wasDoneBefore(tenant, { orderId, requestId }, referrals)))
    await reachMilestone(tenant, { orderId, requestId, milestone: "results_ready" }, shop);
  return { ...saved, otherPerson, referrals };
}

interface SaveOptions {
  known?: StoredReferral | null | undefined;
  shop?: Shop | null | undefined;
  corrected?: Patient | undefined;
}

/**
 * Whether a referral names another person than its unit's patient. Details that are on their way to it count as well as those it
 * was ordered with. Whom a reading was found to mean, or a person has found it to mean, it goes on meaning, also where the service puts
 * one fact of them right. A referral that was found to be another's is so until a reading states who it is.
 */
async function namesAnother(
  tenant: Tenant,
  requestId: string,
  snapshot: ReferralSnapshot,
  { known, corrected }: Pick<SaveOptions, "known" | "corrected">,
): Promise<boolean> {
  const { medicareCardNumber = null, medicare, uuid } = snapshot;
  const named = { ...snapshot.person, medicareCardNumber };
  const given = await tenant.requests.patientOf(requestId);
  if (!given) return false;
  const stored = async () => known ?? (await tenant.referrals.find(uuid));
  const ordered = orderedFor(given);
  // The card stands on one referral of two.
  const asked = medicare ? ordered : { ...ordered, medicareCardNumber: null };
  if (!statesAll(named, asked) && (await stored())?.otherPerson) return true;
  if (!isOtherPerson(named, ordered)) return false;
  const pending = corrected ?? (await tenant.corrections.pending(requestId))?.patient;
  if (pending && !isOtherPerson(named, orderedFor({ ...given, patient: pending }))) return false;
  if ((await stored())?.otherPerson !== false) return true;
  const meant = await tenant.referrals.personOf(uuid);
  return meant === null || hasBecomeOther(named, { meant, ordered });
}

/**
 * Whether every referral of a unit is complete. Its results count for nothing here: a milestone that came later for one which is
 * held, or never, would tell whoever sees orders in Shopify that something was found.
 */
async function isLaboratoryDone(
  tenant: Tenant,
  requestId: string,
  referrals: StoredReferral[],
): Promise<boolean> {
  const request = await tenant.requests.find(requestId);
  const current = referrals.filter(isCurrent);
  return (
    request?.missingPart === null &&
    current.length > 0 &&
    current.every(({ status }) => status === "COMPLETE")
  );
}

/** Whether the laboratory was done with the unit at an earlier time, by the statuses that were read: the store was told then. */
async function wasDoneBefore(
  tenant: Tenant,
  { orderId, requestId }: { orderId: OrderId; requestId: string },
  referrals: StoredReferral[],
): Promise<boolean> {
  const uuids = referrals.filter(isCurrent).map(({ uuid }) => uuid);
  const statuses = new Map<string, unknown>();
  const isDone = () => uuids.every((uuid) => statuses.get(uuid) === "COMPLETE");
  for (const { kind, requestId: of, detail } of await tenant.timeline.forOrder(orderId)) {
    if (kind !== "referral_status" || of !== requestId) continue;
    const uuid = String(detail.uuid);
    // The status that it came with is told by the change that follows.
    for (const status of [detail.from, detail.to]) {
      statuses.set(uuid, status);
      if (isDone()) return true;
    }
  }
  return false;
}
