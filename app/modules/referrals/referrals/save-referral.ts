import type { Patient } from "../../patients/patient.ts";
import type { Shop } from "../../shops/shop.ts";
import { reachMilestone } from "../reach-milestone.ts";
import { isCurrent, type StoredReferral } from "../referral-repository.ts";
import type { ReferralRequest } from "../request.ts";
import { hasBecomeOther, isOtherPerson, orderedFor, statesAll } from "../same-person.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { isFormMade } from "../status.ts";
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
  const isNew = isIssued && saved.previousStatus !== "ISSUED";
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
  if (referrals && (await isLaboratoryDone(tenant, requestId, referrals)))
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
  return (
    request?.missingPart === null &&
    referrals.filter(isCurrent).every(({ status }) => status === "COMPLETE")
  );
}
