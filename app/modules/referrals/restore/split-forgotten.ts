import { randomUUID } from "node:crypto";
import { referenceNumber } from "../reference-number.ts";
import type { ReferralPart, ReferralRequest } from "../request.ts";
import type { NextGeneration } from "../request-repository.ts";
import { itemsOfParts, partsOfItems } from "../requests/referral-parts.ts";
import type { Tenant } from "../tenant.ts";

/**
 * The parts of a unit were ordered again one by one, a restored database forgot it, and a person ordered them again together. The
 * service has the missing one under the unit's next number: it is left to the next generation, which takes up what is there.
 * Returns false where nothing is kept in mind under that number: then the part is missing indeed.
 */
export async function splitForgotten(
  tenant: Tenant,
  request: ReferralRequest,
  { missing, made, now }: { missing: ReferralPart; made: ReferralPart[]; now: Date },
): Promise<boolean> {
  if (request.generation === 1) return false;
  const { shop } = tenant;
  const { environment, orderId, lineItemId, unit, items } = request;
  const generations = (await tenant.requests.forOrder(orderId)).filter(
    (one) => one.lineItemId === lineItemId && one.unit === unit,
  );
  const generation = Math.max(...generations.map((one) => one.generation)) + 1;
  const number = referenceNumber({ shop, orderId, lineItemId, unit, generation });
  const { uuids } = await tenant.restores.holds(environment, number);
  // The part that was made may not be the one that was ordered again first.
  const whole = generations.find(({ items: own }) =>
    made.every((part) => partsOfItems(own).includes(part)),
  );
  if (uuids.length === 0 || !whole) return false;
  const patient = await tenant.requests.patientOf(request.id);
  const next: NextGeneration = {
    id: randomUUID(),
    generation,
    referenceNumber: number,
    items: itemsOfParts(items, [missing]),
    ...(patient
      ? ({ state: "ready", stage: "in_progress" } as const)
      : ({ state: "awaiting_details", stage: "awaiting_details" } as const)),
    patient,
  };
  if (!(await tenant.requests.openNext(request.id, next, now))) return false;
  await tenant.requests.setItems(request.id, itemsOfParts(whole.items, made));
  const entry = { kind: "request_reordered", actor: "pathway", at: now, orderId } as const;
  await tenant.timeline.add(
    { ...entry, requestId: request.id, detail: { generation, requestId: next.id } },
    { ...entry, requestId: next.id, detail: { generation, replaces: request.id } },
  );
  for (const uuid of uuids)
    await tenant.jobs.enqueue({ name: "refetch-referral", shop, environment, uuid });
  return true;
}
