import { randomUUID } from "node:crypto";
import { ReferralServiceError } from "../../platform/errors.ts";
import { tolerate } from "../../platform/tolerate.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "./apply.ts";
import { isOrderedAnew } from "./items-to-order.ts";
import type { Ports } from "./ports.ts";
import { referenceNumber } from "./reference-number.ts";
import { isCurrent } from "./referral-repository.ts";
import type { OrderedItems } from "./referral-service.ts";
import { refetchReferral } from "./referrals/refetch-referral.ts";
import { reorderableParts } from "./reorderable-parts.ts";
import type { ReferralRequest } from "./request.ts";
import type { PatientOnRequest } from "./request-repository.ts";
import { type AskedOnPage, requestVersion } from "./request-version.ts";
import { itemsOfParts, partOfReferral, partsOfAll } from "./requests/referral-parts.ts";
import { presentItems } from "./retry-request.ts";
import { watchAskedAnew, watchUnasked } from "./schedule-reminders.ts";
import type { Tenant } from "./tenant.ts";

export type ReorderOutcome =
  /** Also when somebody else was faster: there is one next generation, and this is its request. */
  | { kind: "reordered"; requestId: string }
  /** The store took the unit back: nobody paid for it any more. */
  | { kind: "not_bought" }
  /** It may still become something: the same is not ordered twice. */
  | { kind: "not_reorderable" }
  /** Other parts of it could be ordered again than the page showed, or it stands elsewhere. */
  | { kind: "changed_meanwhile" };

/** Names what ordering a unit again would order, and where it stands: another text once either changed. */
export const reorderVersion = (
  facts: Parameters<typeof reorderableParts>[0] & { request: ReferralRequest },
): string => [requestVersion(facts.request), ...reorderableParts(facts)].join(" ");

/**
 * Orders one unit again because a person decides so: the next generation, for its present owner, with the details that were
 * given last, and with a reference number of its own. Details whose correction was refused, or of which the service misses
 * some, are asked for anew. The replaced request stays, linked to the new one.
 *
 * A request that was refused, or cancelled whole, is ordered as its product is mapped to now: the mapping may have been why.
 * In a Medicare request only the referral that failed is ordered again; should the other one fail later, it is ordered
 * again alone as well. A second click finds the request of the first. `seen`: the `reorderVersion` that the page showed.
 */
export async function reorderRequest(
  ports: RefetchPorts & Pick<Ports, "logger">,
  { shop, requestId, actor, seen = null }: AskedOnPage,
): Promise<ReorderOutcome> {
  const { tenancy, clock, waits } = ports;
  await readFormer(ports, shop, requestId);
  const by = { actor, now: clock.now(), dayMs: waits.reminderDayMs, seen };
  return tenancy.inShop(shop, (tenant) => reorder(tenant, requestId, by));
}

type RefetchPorts = Parameters<typeof refetchReferral>[0];

/**
 * Reads what a unit has at the service, which may live again. Returns whether the service answered; the first time that it does not,
 * nothing more is asked. A former one that cannot be read now is read before anything is sent (create-referral.ts).
 */
export async function readFormer(
  ports: RefetchPorts & Pick<Ports, "logger">,
  shop: ShopDomain,
  requestId: string,
): Promise<boolean> {
  const former = await ports.tenancy.inShop(shop, (tenant) =>
    tenant.referrals.forRequests([requestId]),
  );
  for (const { environment, uuid } of former.filter((one) => one.replacedBy === null))
    try {
      await refetchReferral(ports, { shop, environment, uuid });
    } catch (error) {
      tolerate(ports.logger, "reorder.former")(error);
      if (error instanceof ReferralServiceError && error.retryable) return false;
    }
  return true;
}

/** A wish to order again: who, when, and how long a day of reminders is. */
interface ReorderWish {
  actor: Actor;
  now: Date;
  dayMs: number;
  /** The `reorderVersion` that the page showed; null: nobody says. */
  seen?: string | null;
}

/** `reorderRequest` within a transaction. */
export async function reorder(
  tenant: Tenant,
  requestId: string,
  wish: ReorderWish,
): Promise<ReorderOutcome> {
  const found = await tenant.requests.find(requestId);
  if (!found) return { kind: "not_reorderable" };
  // A refund that is being read must not miss the new request, nor this the refund.
  await tenant.orders.lock(found.orderId);
  const request = await tenant.requests.findForUpdate(requestId);
  if (!request) return { kind: "not_reorderable" };
  if (isTakenBack(request)) return { kind: "not_bought" };
  const referrals = await tenant.referrals.forRequests([requestId]);
  const later = (await tenant.requests.laterGenerations([requestId])).get(requestId) ?? [];
  const facts = { request, referrals, orderedAgain: partsOfAll(later) };
  if (wish.seen != null && wish.seen !== reorderVersion(facts))
    return { kind: "changed_meanwhile" };
  const parts = reorderableParts(facts);
  if (parts.length === 0)
    return request.replacedBy
      ? { kind: "reordered", requestId: request.replacedBy }
      : { kind: "not_reorderable" };
  const anew = isOrderedAnew(request, parts) ? await presentItems(tenant, request) : null;
  const replaced = referrals.filter((one) => parts.includes(partOfReferral(one)));
  return openNext(tenant, request, {
    items: anew ?? itemsOfParts(request.items, parts),
    replaced: replaced.map(({ uuid }) => uuid),
    isIncomplete: replaced.some((one) => isCurrent(one) && one.status === "INSUFFICIENT_DATA"),
    latest: await latestGeneration(tenant, [request, ...later]),
    generation: Math.max(request.generation, ...later.map((one) => one.generation)) + 1,
    ...wish,
  });
}

const isTakenBack = ({ state, cancellation }: ReferralRequest) =>
  cancellation?.requestedBy === "store" || (state === "cancelled" && cancellation === null);

async function openNext(
  tenant: Tenant,
  request: ReferralRequest,
  work: {
    items: OrderedItems;
    replaced: string[];
    isIncomplete: boolean;
    latest: ReferralRequest;
    generation: number;
  } & ReorderWish,
): Promise<ReorderOutcome> {
  const { items, replaced, isIncomplete, latest, generation, actor, now } = work;
  const { orderId, lineItemId, unit } = request;
  const { shop } = tenant;
  const correction = await tenant.corrections.pending(request.id);
  const patient = isIncomplete ? null : await latestPatient(tenant, latest, items);
  const next = {
    id: randomUUID(),
    generation,
    referenceNumber: referenceNumber({ shop, orderId, lineItemId, unit, generation }),
    items,
    ...(patient
      ? ({ state: "ready", stage: "in_progress" } as const)
      : ({ state: "awaiting_details", stage: "awaiting_details" } as const)),
    patient,
  };
  if (!(await tenant.requests.openNext(latest.id, next, now)))
    throw new Error("A unit has a next generation that its request does not know");
  await tenant.referrals.markReplaced(replaced, next.id);
  await apply(tenant, request.id, { kind: "replaced", by: next.id }, { actor, at: now });
  const stands = (await tenant.referrals.forRequests([request.id])).some(isCurrent);
  // A referral that is left still has to get it.
  if (correction && !stands)
    await tenant.corrections.settle(request.id, correction.number, "superseded", now);
  const entry = { kind: "request_reordered", actor, at: now, orderId } as const;
  await tenant.timeline.add(
    { ...entry, requestId: request.id, detail: { generation, requestId: next.id } },
    { ...entry, requestId: next.id, detail: { generation, replaces: request.id } },
  );
  const opened = await tenant.requests.find(next.id);
  if (opened) await begin(tenant, opened, work);
  return { kind: "reordered", requestId: next.id };
}

/**
 * The latest generation of a unit whose data was not destroyed. It knows who holds the unit by now, and was given other details
 * where those of an earlier one were wrong: each part may have been ordered again by itself.
 */
async function latestGeneration(
  tenant: Tenant,
  [first, ...later]: [ReferralRequest, ...ReferralRequest[]],
): Promise<ReferralRequest> {
  for (const { id } of later.toReversed()) {
    // Its patient may be invited, or other details be given, at this moment.
    const one = await tenant.requests.findForUpdate(id);
    if (one && !(await tenant.requests.isRedacted(id))) return one;
  }
  return first;
}

/**
 * The details that the next generation is ordered with: what the latest one was given last, though the service was not told of it
 * yet. Null when there are none, or when they are known to be wrong: the shop refused their date of birth since, or the service
 * what should have corrected them, and both are forgotten.
 */
async function latestPatient(
  tenant: Tenant,
  { id: requestId, underAge }: Pick<ReferralRequest, "id" | "underAge">,
  { medicareTests }: OrderedItems,
): Promise<PatientOnRequest | null> {
  const given = await tenant.requests.patientOf(requestId);
  if (!given || underAge) return null;
  // Given for the commercial part alone, which asks for no card.
  if (medicareTests.length > 0 && given.medicare === null) return null;
  if (await tenant.corrections.wasRefused(requestId)) return null;
  const correction = await tenant.corrections.pending(requestId);
  return correction ? { ...given, patient: correction.patient } : given;
}

/** Sends it, or asks the owner for the details. */
async function begin(
  tenant: Tenant,
  request: ReferralRequest,
  { now, dayMs }: Pick<ReorderWish, "now" | "dayMs">,
): Promise<void> {
  const { shop } = tenant;
  const { id: requestId, hasPatient, owner } = request;
  if (hasPatient) return tenant.jobs.enqueue({ name: "create-referral", shop, requestId });
  // The first mail to a patient speaks of a unit that is new to them, and its reminders count from then.
  const isPatients = owner === "patient";
  const due = isPatients
    ? ({ requestId, kind: "details_reminder", occurrence: "ordered again" } as const)
    : ({ requestId, kind: "details_needed" } as const);
  if (isPatients) await watchAskedAnew(tenant, request, { at: now, dayMs });
  if (isPatients && request.remindersStoppedAt) return;
  // Asked once there is an address (modules/orders/orders/ask-for-details.ts).
  const buyer = isPatients ? null : await tenant.orders.buyerOf(request.orderId);
  if (buyer && buyer.email === null) return watchUnasked(tenant, request);
  await tenant.notifications.note(due, now);
  await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
}
