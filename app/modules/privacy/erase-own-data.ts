import { logAccess } from "../access/log-access.ts";
import { savedCopiesOf } from "../access/saved-patients.ts";
import { isOwner, type ViewerScope } from "../access/viewer.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import { apply } from "../referrals/apply.ts";
import { cancelUnit } from "../referrals/cancel-unit.ts";
import { isShown } from "../referrals/customer-view.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { gatherFacts } from "../referrals/request-facts.ts";
import { announceState } from "../referrals/state-news.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { type ErasureEffect, effectOn, holdsElse } from "./data-version.ts";
import type { Ports } from "./ports.ts";
import { redact } from "./privacy/redact.ts";
import { repackExports } from "./privacy/repack-exports.ts";
import { requireRecord } from "./privacy/require-record.ts";
import type { Tenant } from "./tenant.ts";

/** How long until a request that is just being sent is looked at again. */
const WAIT_MS = 60_000;

type ErasePorts = Pick<Ports, "tenancy" | "clock">;
type Target = ViewerScope & { requestId: string };
type Staff = `staff:${string}`;

/** What deleting the data of one test would do; null for somebody else's. Throws `LinkRefused` before the mailed code was shown. */
export async function previewErasure(
  { tenancy }: ErasePorts,
  { shop, viewer, requestId }: Target,
): Promise<{ request: ReferralRequest; effect: ErasureEffect } | null> {
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request || !isOwner(request, viewer)) return null;
    requireRecord(viewer, request);
    return { request, effect: await effectOn(tenant, request) };
  });
}

/**
 * Deletes what is held of one test because its owner withdraws their consent. Before it is
 * ordered, nothing is ordered. A referral without results is deleted at the service. Results are hidden at once. What is
 * just being sent is finished by the job `erase-request`. Nothing happens where the page said that something else would be deleted:
 * a result may have come since that nobody has been shown. Throws as `previewErasure`.
 */
export async function eraseOwnData(
  { tenancy, clock }: ErasePorts,
  {
    shop,
    viewer,
    requestId,
    seen = null,
  }: Target & {
    /** The effect that the page showed; null: nobody says. */
    seen?: ErasureEffect | null;
  },
): Promise<{ kind: "erased" | "waiting" } | { kind: "not_found" | "changed_meanwhile" }> {
  return tenancy.inShop(shop, async (tenant) => {
    const found = await tenant.requests.find(requestId);
    if (!found || !isOwner(found, viewer)) return { kind: "not_found" };
    requireRecord(viewer, found);
    await tenant.orders.lock(found.orderId);
    // While this waited, its holder may have handed it to somebody whose data they must not destroy.
    const held = await tenant.requests.findForUpdate(requestId);
    if (!held || !isOwner(held, viewer)) return { kind: "not_found" };
    if (seen && seen !== (await effectOn(tenant, held))) return { kind: "changed_meanwhile" };
    const now = clock.now();
    await logAccess(tenant, viewer, { what: "data_erased", requestId, at: now });
    await tenant.links.endSessionsOf([requestId]);
    return { kind: await erase(tenant, held, { actor: "shopper", at: now }) };
  });
}

/**
 * The same because the patient asked the shop for it: whoever gave the details, they are the patient's.
 * The member of staff is in the access log and in the timeline. Nothing happens where the page showed somebody else's data, or
 * said that something else would be deleted.
 */
export async function eraseForPatient(
  { tenancy, clock }: ErasePorts,
  {
    shop,
    orderId,
    requestId,
    actor,
    seen = null,
  }: {
    shop: ShopDomain;
    orderId: OrderId;
    requestId: string;
    actor: Staff;
    /** The `version` that the page showed; null: nobody says. */
    seen?: string | null;
  },
): Promise<
  | {
      kind: "erased" | "waiting";
      /** How many people the customer keeps of whom nobody can tell whether they are this patient: a key is damaged. */
      unmatched?: number;
    }
  | { kind: "not_found" }
  | { kind: "changed_meanwhile" }
  | NotAllowed
> {
  return tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.lock(orderId);
    // While this waited, its holder may have handed it to somebody else.
    const found = await tenant.requests.findForUpdate(requestId);
    if (found?.orderId !== orderId) return { kind: "not_found" };
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "erase_data", { at, requestId });
    if (refused) return refused;
    if (await holdsElse(tenant, found, seen)) return { kind: "changed_meanwhile" };
    await tenant.accessLog.add({ at, who: "staff", actor, what: "data_erased", requestId });
    const unmatched = await forgetSavedCopies(tenant, found, { at, actor });
    await tenant.links.endSessionsOf([requestId]);
    const kind = await erase(tenant, found, { actor, at });
    if (unmatched === 0) return { kind };
    const detail = { count: unmatched };
    await tenant.timeline.add({ kind: "copies_unread", actor, at, orderId, requestId, detail });
    return { kind, unmatched };
  });
}

/**
 * Destroys what the buyer keeps of the same person for their next tests, before nobody knows who that was. Returns of how many people
 * nobody can tell whether they are this one.
 */
async function forgetSavedCopies(
  tenant: Tenant,
  request: ReferralRequest,
  by: { at: Date; actor: Staff },
): Promise<number> {
  const { customerId } = request;
  if (!customerId) return 0;
  await tenant.savedPatients.lock(customerId);
  const { copies, unmatched } = await savedCopiesOf(tenant, request);
  if (copies.length === 0) return unmatched;
  await repackExports(tenant, { requestIds: [], orderIds: [], customerIds: [customerId] });
  for (const { id } of copies) {
    await tenant.savedPatients.remove(customerId, id);
    const deed = { ...by, who: "staff", what: "saved_patient_deleted" } as const;
    await tenant.accessLog.add({ ...deed, subjectId: id });
  }
  return unmatched;
}

/** Goes on with an erasure that waited for an answer of the service. Doing it again changes nothing. */
export async function eraseRequest(
  { tenancy, clock }: ErasePorts,
  { shop, requestId, actor }: { shop: ShopDomain; requestId: string; actor?: Staff },
): Promise<void> {
  await tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.find(requestId);
    if (!request) return;
    await tenant.orders.lock(request.orderId);
    await erase(tenant, request, { actor: actor ?? "shopper", at: clock.now() });
  });
}

async function erase(
  tenant: Tenant,
  { id, orderId, owner }: ReferralRequest,
  by: { actor: Staff | "shopper"; at: Date },
): Promise<"erased" | "waiting"> {
  const now = by.at;
  const request = await tenant.requests.find(id);
  if (!request) return "erased";
  const outcome = await cancelUnit(tenant, request, { by: "staff", actor: by.actor, now });
  const { receipt, sending } = await redact(tenant, { requestIds: [id], orderIds: [] }, now);
  const former = await hiddenBefore(tenant, request);
  for (const one of former) await cancelUnit(tenant, one, { by: "staff", actor: by.actor, now });
  const hidden = former.map((one) => one.id);
  if (hidden.length > 0) await redact(tenant, { requestIds: hidden, orderIds: [] }, now);
  if (sending > 0) {
    const staff = by.actor === "shopper" ? {} : { actor: by.actor };
    const job = { name: "erase-request", shop: tenant.shop, requestId: id, ...staff } as const;
    await tenant.jobs.enqueue(job, { startAfter: new Date(now.getTime() + WAIT_MS) });
    return "waiting";
  }
  if (Number(receipt.requests) === 0) return "erased";
  if (outcome !== "kept") await apply(tenant, id, { kind: "consent_withdrawn" }, by);
  await tenant.timeline.add({ kind: "consent_withdrawn", ...by, orderId, requestId: id });
  // The buyer is told as for every cancelled test. Of an invited patient no address is left.
  const after = await tenant.requests.find(id);
  if (owner === "buyer" && after?.state === "cancelled") {
    const news = { requestId: id, news: "cancelled", occurrence: now.toISOString() } as const;
    await announceState(tenant, news, now);
  }
  return "erased";
}

/**
 * Former generations of a unit that its owner is shown nothing of any more, so that nobody could have their data deleted. One with
 * a part that still counts, or with results, has a card of its own.
 */
async function hiddenBefore(
  tenant: Tenant,
  { orderId, lineItemId, unit, owner, generation }: ReferralRequest,
): Promise<ReferralRequest[]> {
  if (generation === 1) return [];
  const former = (await tenant.requests.forOrder(orderId)).filter(
    (one) =>
      one.lineItemId === lineItemId &&
      one.unit === unit &&
      one.owner === owner &&
      one.generation < generation,
  );
  const facts = await gatherFacts(tenant, former);
  return facts.filter((one) => !isShown(one)).map((one) => one.request);
}
