import { crashPoint } from "../../../platform/crash-points.ts";
import { apply, heldByService } from "../apply.ts";
import { cancelUnit } from "../cancel-unit.ts";
import { findLostPatient, recallOwner } from "../recall-owner.ts";
import type { StoredReferral } from "../referral-repository.ts";
import { saveReferral } from "../referrals/save-referral.ts";
import type { ReferralPart, ReferralRequest } from "../request.ts";
import { splitForgotten } from "../restore/split-forgotten.ts";
import type { ReferralSnapshot } from "../snapshots.ts";
import { attentionFor } from "../status.ts";
import type { Tenant } from "../tenant.ts";
import { isOfAnother } from "./of-another.ts";
import { recordWhose } from "./record-whose.ts";
import { partOfReferral, partsOfItems } from "./referral-parts.ts";

/** A referral whose status is another than was stored; null where none was. */
export interface NewStatus {
  referral: ReferralSnapshot;
  from: string | null;
}

/** How long the event that a form is there may take, once a referral was created without one. */
export const FIRST_LOOK_MS = 5_000;

/**
 * Makes referrals of the service this request's own and ends its ledger: `created`. The refetch that is
 * queued with them brings documents and results. Doing it again with the same referrals changes nothing.
 * Of a Medicare order that made only one of its two referrals, the other is looked for from then on, and sent
 * by itself when it is certainly missing (ledger rule 6): never the whole again. A referral of another request stays that one's:
 * returns null, and has written nothing, when each of them is. Returns those whose status is news otherwise (first-status.ts).
 */
export async function linkReferrals(
  tenant: Tenant,
  request: ReferralRequest,
  referrals: ReferralSnapshot[],
  now: Date,
): Promise<NewStatus[] | null> {
  const named = referrals.filter((one) => !isOfAnother(request, one));
  // The lock makes the decisions below final: a cancelled unit may be bought again meanwhile.
  const found = await tenant.requests.findForUpdate(request.id);
  if (!found) {
    await keepInMind(tenant, request, named);
    return [];
  }
  // The copy is from some moment of the attempt. A change that was announced since may not be in it.
  const readAt = request.attemptStartedAt ?? now;
  const recall = await recallOwner(tenant, found, { now, isFound: true });
  const owned = recall === "recalled" ? await tenant.requests.find(request.id) : found;
  const ours: ReferralSnapshot[] = [];
  const ofOthers: string[] = [];
  const news: NewStatus[] = [];
  for (const snapshot of named) {
    const saved = await saveReferral(tenant, request, snapshot, readAt);
    if (saved.outcome === "anothers") continue;
    ours.push(snapshot);
    if (saved.otherPerson && saved.outcome === "stored") ofOthers.push(snapshot.uuid);
    await tenant.restores.forget(request.environment, snapshot.uuid);
    // A known referral was fetched, or is about to be. A refetch that finds it again must not ask for another.
    if (saved.outcome === "stale" || saved.previousStatus === snapshot.status) continue;
    news.push({ referral: snapshot, from: saved.previousStatus ?? null });
    const { environment } = request;
    const refetch = { name: "refetch-referral", shop: tenant.shop, environment } as const;
    // There is no form yet, and an event tells when there is: it is looked for if none has come.
    if (saved.previousStatus === undefined && isWithoutForm(snapshot))
      await tenant.jobs.enqueue(
        { ...refetch, uuid: snapshot.uuid, ifStill: "CREATED" },
        { startAfter: new Date(now.getTime() + FIRST_LOOK_MS) },
      );
    else await tenant.jobs.enqueue({ ...refetch, uuid: snapshot.uuid });
  }
  if (ours.length === 0) return null;
  crashPoint("adopt.after-save");
  if (owned) await findLostPatient(tenant, owned, { referrals: ours, now });
  await settle(tenant, found, now);
  for (const uuid of ofOthers)
    await recordWhose(tenant, found, { uuid, is: true, was: false, now });
  return news;
}

/** Ends the ledger of a request by what is stored of its referrals. */
async function settle(tenant: Tenant, found: ReferralRequest, now: Date): Promise<void> {
  const held = await heldByService(tenant, found.id);
  const missing = missingPartOf(found, held.referrals);
  // Nobody wants the other one either.
  const by = { actor: "pathway", at: now } as const;
  const made = [...new Set(held.referrals.map(partOfReferral))];
  const isMissing = missing !== null && found.cancellation === null;
  if (isMissing && !(await splitForgotten(tenant, found, { missing, made, now }))) {
    await apply(tenant, found.id, { kind: "part_missing", part: missing, now }, by);
    return;
  }
  const known = isMissing ? undefined : held;
  const applied = await apply(tenant, found.id, { kind: "found" }, by, known);
  // Its first status may be one that needs somebody. Its refetch finds the same, and has nothing new to tell.
  const looked = attentionFor(held.referrals)
    ? await apply(tenant, found.id, { kind: "referrals_read" }, by)
    : null;
  const created = looked?.request ?? applied?.request ?? (await tenant.requests.find(found.id));
  // A person decides which of two referrals is deleted.
  if (created?.cancellation && created.reviewReason?.code !== "duplicate_referral")
    await cancelUnit(tenant, created, {
      by: created.cancellation.requestedBy,
      actor: "pathway",
      now,
    });
}

const isWithoutForm = ({ status, referralAttachment, deletedAt }: ReferralSnapshot) =>
  status === "CREATED" && referralAttachment === null && deletedAt === null;

/** The database was restored while its request was being sent: they are its own once its order is brought in again. */
function keepInMind(
  tenant: Tenant,
  { environment, referenceNumber }: ReferralRequest,
  referrals: ReferralSnapshot[],
): Promise<void> {
  const unclaimed = referrals.map(({ uuid }) => ({ uuid, referenceNumber }));
  return tenant.restores.recordUnclaimed(environment, unclaimed);
}

/** The part that never was; one that was deleted again is not missing. */
function missingPartOf({ items }: ReferralRequest, stored: StoredReferral[]): ReferralPart | null {
  const made = new Set(stored.map(partOfReferral));
  return partsOfItems(items).find((part) => !made.has(part)) ?? null;
}
