import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor, TimelineEntry } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { CONTACTS, type ContactReached } from "./contact.ts";
import type { Ports } from "./ports.ts";
import { isHeld, type StoredResult } from "./referral-repository.ts";
import type { ReferralRequest } from "./request.ts";
import type { Tenant } from "./tenant.ts";

/** The patient was told, or whoever cares for them. */
const TOLD: ReadonlySet<string> = new Set<ContactReached>(["patient", "carer"]);

/** The same person who tells so soon of the same contact pressed twice, or again because the answer never came. */
const AGAIN_MS = 2 * 60_000;

/** A contact about held results: who was reached, when, and who of the staff wrote it down. */
export interface Contact {
  reached: ContactReached;
  at: Date;
  by: string;
}

export type RecordContactOutcome =
  | { kind: "recorded" }
  | { kind: "nothing_held" }
  /** Before the result was held, or in the future. */
  | { kind: "wrong_time" }
  | NotAllowed;

/**
 * Records that somebody was reached about the held results of a request, or that nobody was. It stands in the timeline,
 * where nobody can change it, and once for two presses. Once the patient was told, a sensitive result can be released without being asked again.
 */
export async function recordContact(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  wish: {
    shop: ShopDomain;
    requestId: string;
    actor: Actor;
    reached: ContactReached;
    contactedAt: Date;
  },
): Promise<RecordContactOutcome> {
  const { shop, requestId, actor, reached, contactedAt } = wish;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.requests.findForUpdate(requestId);
    if (request?.state !== "created") return { kind: "nothing_held" };
    const now = clock.now();
    const place = { at: now, requestId };
    const refused = await refuseUnlessAllowed(tenant, actor, "release_results", place);
    if (refused) return refused;
    const since = await heldSince(tenant, requestId);
    if (since === null) return { kind: "nothing_held" };
    if (contactedAt < since || contactedAt > now) return { kind: "wrong_time" };
    if (await isRecordedAlready(tenant, request, wish)) return { kind: "recorded" };
    const detail = { reached, contactedAt: contactedAt.toISOString() };
    const { orderId } = request;
    await tenant.timeline.add({
      ...{ kind: "patient_contacted", actor, at: now, orderId, requestId, detail },
    });
    return { kind: "recorded" };
  });
}

/** Whether the patient of a request was told since its results are held with the figures that they have now. */
export async function isPatientContacted(
  tenant: Tenant,
  { id, orderId }: Pick<ReferralRequest, "id" | "orderId">,
): Promise<boolean> {
  const held = await heldOf(tenant, id);
  const since = latest(held.map(({ heldAt, fetchedAt }) => heldAt ?? fetchedAt));
  const figuresSince = figuresSinceOf(held);
  const contacts = contactsOf(id, await tenant.timeline.forOrder(orderId));
  return contacts.some(
    ({ reached, at }) =>
      TOLD.has(reached) &&
      since !== null &&
      at >= since &&
      // A call about other figures told something else.
      (figuresSince === null || at >= figuresSince),
  );
}

/** The recorded contacts of a request, oldest first. */
export function contactsOf(id: string, timeline: readonly TimelineEntry[]): Contact[] {
  return timeline.flatMap(({ kind, requestId, actor, at, detail }) => {
    if (kind !== "patient_contacted" || requestId !== id) return [];
    // Said with a release: the patient was told in person.
    const reached = CONTACTS.find((one) => one === detail.reached) ?? "patient";
    const { contactedAt } = detail;
    return [{ reached, at: contactedAt ? new Date(String(contactedAt)) : at, by: actor }];
  });
}

/** Whether this contact about these figures stands in the timeline already. */
async function isRecordedAlready(
  tenant: Tenant,
  { id, orderId }: Pick<ReferralRequest, "id" | "orderId">,
  { actor, reached, contactedAt }: { actor: Actor; reached: ContactReached; contactedAt: Date },
): Promise<boolean> {
  const figuresSince = figuresSinceOf(await heldOf(tenant, id));
  const contacts = contactsOf(id, await tenant.timeline.forOrder(orderId));
  return contacts.some(
    ({ at, ...one }) =>
      one.by === actor &&
      one.reached === reached &&
      Math.abs(contactedAt.getTime() - at.getTime()) < AGAIN_MS &&
      (figuresSince === null || at >= figuresSince),
  );
}

const figuresSinceOf = (held: StoredResult[]): Date | null =>
  latest(held.flatMap(({ figuresAt }) => figuresAt ?? []));

/** Since when the latest of its held results waits; null when none does. */
async function heldSince(tenant: Tenant, requestId: string): Promise<Date | null> {
  const held = await heldOf(tenant, requestId);
  return latest(held.map(({ heldAt, fetchedAt }) => heldAt ?? fetchedAt));
}

const heldOf = async (tenant: Tenant, requestId: string): Promise<StoredResult[]> =>
  (await tenant.results.forRequests([requestId])).filter(isHeld);

const latest = (dates: Date[]): Date | null =>
  dates.length > 0 ? new Date(Math.max(...dates.map((date) => date.getTime()))) : null;
