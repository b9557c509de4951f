import { z } from "zod";
import type { Environment } from "../shops/connection.ts";
import { apply, updateStanding } from "./apply.ts";
import type { ReferralRequest } from "./request.ts";
import type { HandedUnit } from "./request-repository.ts";
import type { ReferralSnapshot } from "./snapshots.ts";
import type { Tenant } from "./tenant.ts";

/** Units of one page, so that no list is read whole. */
const BATCH = 500;

const emailSchema = z.email();

type RecalledUnit = HandedUnit & Pick<ReferralRequest, "environment" | "referenceNumber">;

/**
 * Gives a unit to whom it was given since the backup from which this database was restored (docs/decisions/0219). A patient's address
 * is lost with the other database: staff are told, and the buyer, who alone knows it, may invite the patient again. Details
 * that the buyer typed of a patient are forgotten, as by an invitation. While a referral by that patient may still be found at the service, the
 * unit is “awaited”, and nothing is written: the referral will tell where they are (`isFound`). Doing it twice changes nothing.
 */
export async function recallOwner(
  tenant: Tenant,
  unit: RecalledUnit,
  { now, isFound = false }: { now: Date; isFound?: boolean },
): Promise<"as_it_was" | "awaited" | "recalled"> {
  const { id, orderId, environment, referenceNumber } = unit;
  const known = await tenant.requests.ownerSinceBackup(unit);
  if (!known) return "as_it_was";
  const { owner, since } = known;
  if (owner === "patient") {
    const held = isFound ? null : await tenant.restores.holds(environment, referenceNumber);
    if (held && (held.isSendingPaused || held.uuids.length > 0)) return "awaited";
    // Nothing is to be sent with the buyer's details. Where the unit was sent, its state stays.
    if (await apply(tenant, id, { kind: "handed_over" }, { actor: "pathway", at: now }))
      await tenant.requests.forgetPatient(id);
    await tenant.requests.recordLostPatient(id, { since, now });
  } else if (!(await tenant.requests.revokeInvitation(id, since))) return "as_it_was";
  await updateStanding(tenant, id);
  const kind = owner === "patient" ? "patient_lost" : "unit_taken_back";
  await tenant.timeline.add({ kind, actor: "pathway", at: now, orderId, requestId: id });
  return "recalled";
}

/** The same for every unit of a connection that may still be handed over: the others are asked for as their referrals are found. */
export async function recallOwners(
  tenant: Tenant,
  environment: Environment,
  now: Date,
): Promise<void> {
  let after: string | null = null;
  do {
    const units = await tenant.requests.unsentOf(environment, { after, limit: BATCH });
    for (const unit of units) await recallOwner(tenant, unit, { now });
    after = units.length === BATCH ? (units.at(-1)?.id ?? null) : null;
  } while (after !== null);
}

/** Whether a unit is its patient's, and nobody here knows where that patient is. */
export async function isPatientLost(
  { requests }: Pick<Tenant, "requests">,
  { id, owner, mailRefusedAt }: ReferralRequest,
): Promise<boolean> {
  return (
    owner === "patient" && mailRefusedAt !== null && (await requests.invitedEmailOf(id)) === null
  );
}

/**
 * Finds the patient of such a unit by a referral of it: details of a unit that was handed over are given by its patient alone, and the
 * service keeps their address (interface §2.1). So the patient has come, and nobody else can be invited.
 */
export async function findLostPatient(
  tenant: Tenant,
  request: ReferralRequest,
  { referrals, now }: { referrals: readonly ReferralSnapshot[]; now: Date },
): Promise<void> {
  if (!(await isPatientLost(tenant, request))) return;
  const { id, orderId } = request;
  const email = referrals
    .map(({ person }) => emailSchema.safeParse(person.email?.trim()).data)
    .find((one) => one !== undefined);
  await tenant.requests.recordFoundPatient(id, email ?? null);
  if (email === undefined) return;
  await updateStanding(tenant, id);
  await tenant.timeline.add({
    kind: "patient_found",
    actor: "pathway",
    at: now,
    orderId,
    requestId: id,
  });
}
