import { type AlertKind, CONTACT_ID, KEPT_KINDS, readersFor, readersOf } from "./alert.ts";
import type { AlertFacts } from "./alert-facts.ts";
import type { Shop } from "./shop.ts";
import type { Tenant } from "./tenant.ts";

/**
 * Notes an email to everybody who wants alerts of this kind, and queues it, in the transaction of the fact that calls for
 * it. Each occurrence is noted once for each address, whichever process finds it. The reviewer and the contact address are
 * left out of held results: they hear of those in any case. What somebody must hear of and nobody can be told is noted too: it
 * waits (`sendWaitingAlerts`). Returns how many emails were noted and queued.
 */
export async function noteAlert(
  tenant: Tenant,
  settings: Pick<Shop, "contactEmail" | "reviewer">,
  {
    occurrence,
    facts,
    at,
  }: {
    occurrence: string;
    facts: AlertFacts;
    at: Date;
  },
): Promise<number> {
  const readers = readersOf(settings, await tenant.alerts.recipients());
  const mailed = facts.kind === "critical_held" ? addressesOfReview(settings) : [];
  const told = new Set(mailed.map((address) => address.toLowerCase()));
  const wanting = readersFor(facts.kind, readers);
  if (wanting.length + told.size === 0 && mustBeHeard(facts))
    await tenant.alerts.note({ occurrence, facts, reader: NO_READER, at });
  let noted = 0;
  for (const reader of wanting) {
    if (told.has(reader.address.toLowerCase())) continue;
    const alertId = await tenant.alerts.note({ occurrence, facts, reader, at });
    if (!alertId) continue;
    await tenant.jobs.enqueue({ name: "send-alert", shop: tenant.shop, alertId });
    noted++;
  }
  return noted;
}

/** The contact address while nobody knows it: nobody has this one. */
export const NO_READER = { id: CONTACT_ID, address: "" };

/** The end of an outage that nobody heard of is no news. */
const mustBeHeard = (facts: AlertFacts): boolean =>
  KEPT_KINDS.includes(facts.kind) && !(facts.kind === "outage" && facts.isOver);

/** The addresses that are emailed of held results whatever anybody chose. */
export const addressesOfReview = ({
  reviewer,
  contactEmail,
}: Pick<Shop, "contactEmail" | "reviewer">): string[] =>
  [reviewer?.email, contactEmail].flatMap((one) => one ?? []);

/** Sends the alerts that wait because nobody was there to read them: somebody wants them now. */
export async function sendWaitingAlerts(
  tenant: Tenant,
  kinds: readonly AlertKind[],
): Promise<void> {
  const kept = KEPT_KINDS.filter((kind) => kinds.includes(kind));
  for (const alertId of await tenant.alerts.waiting(kept, MAX_WAITING))
    await tenant.jobs.enqueue({ name: "send-alert", shop: tenant.shop, alertId });
}

/** Older ones are of outages that are over. */
const MAX_WAITING = 100;
