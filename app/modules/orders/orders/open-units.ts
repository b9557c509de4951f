import { randomUUID } from "node:crypto";
import { together } from "../../../platform/together.ts";
import type { NewTimelineEntry } from "../../kernel/timeline.ts";
import { recallOwner } from "../../referrals/recall-owner.ts";
import { referenceNumber } from "../../referrals/reference-number.ts";
import type { NewRequest } from "../../referrals/request-repository.ts";
import type { StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";
import type { LineToOpen } from "./plan-order.ts";

type UnitsToOpen = LineToOpen & { order: StoreOrder };

/**
 * Opens a request for each of these units of one line, unless there is one. Returns the ids of those that are new. What the
 * service may hold of them already, after a restore, is fetched.
 */
export async function openUnits(
  tenant: Tenant,
  { now, ...of }: UnitsToOpen & { now: Date },
): Promise<string[]> {
  const { order, line, mapping } = of;
  const units = await orderedFirst(tenant, of);
  const requests = units.map((unit): NewRequest => {
    return {
      ...factOf(of, unit),
      id: randomUUID(),
      environment: mapping.environment,
      referenceNumber: numberOf(tenant, of, unit),
      title: line.title,
      items: mapping.items,
      customerId: order.customerId,
      order: { paidAt: order.processedAt, isTest: order.test },
    };
  });
  if (requests.length === 0) return [];
  const [opened, unclaimed] = await together(
    () => tenant.requests.add(requests, now),
    () => tenant.restores.unclaimed(requests.map((request) => request.referenceNumber)),
  );
  for (const one of requests.filter(({ id }) => opened.includes(id)))
    await recallOwner(tenant, { ...one, owner: "buyer", invitedAt: null }, { now });
  for (const { uuid, environment } of opened.length > 0 ? unclaimed : [])
    await tenant.jobs.enqueue({ name: "refetch-referral", shop: tenant.shop, environment, uuid });
  await tenant.timeline.add(
    ...opened.map((requestId): NewTimelineEntry => {
      const detail = { sku: line.sku };
      const entry = { kind: "request_opened", actor: "pathway", at: now } as const;
      return { ...entry, orderId: order.id, requestId, detail };
    }),
  );
  return opened;
}

const factOf = ({ order, line }: UnitsToOpen, unit: number) => ({
  ...{ orderId: order.id, lineItemId: line.id },
  ...{ unit, generation: 1 },
});

const numberOf = ({ shop }: Tenant, of: UnitsToOpen, unit: number) =>
  referenceNumber({ shop, ...factOf(of, unit) });

/**
 * Numbers the units of a line of which nothing is known and some was taken back. A restored database does not know which units
 * those were: the ones that the service has a referral of come first, and the ones whose referral was deleted last.
 */
async function orderedFirst(tenant: Tenant, of: UnitsToOpen): Promise<number[]> {
  const { line, mapping, units } = of;
  // The first unit is opened where the line has none, and nowhere else.
  if (!units.includes(1) || units.length >= line.quantity) return units;
  const bought = Array.from({ length: line.quantity }, (_, index) => index + 1);
  const numbers = bought.map((unit) => ({ unit, number: numberOf(tenant, of, unit) }));
  const held = await tenant.restores.unclaimed(numbers.map(({ number }) => number));
  const ranked = numbers.map(({ unit, number }) => {
    const own = held.filter(
      (one) => one.referenceNumber === number && one.environment === mapping.environment,
    );
    if (own.length === 0) return { unit, rank: 1 };
    return { unit, rank: own.every(({ isDeleted }) => isDeleted) ? 2 : 0 };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, units.length)
    .map(({ unit }) => unit)
    .toSorted((a, b) => a - b);
}
