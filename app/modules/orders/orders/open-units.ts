import { randomUUID } from "node:crypto";
import { together } from "../../../platform/together.ts";
import type { NewTimelineEntry } from "../../kernel/timeline.ts";
import { referenceNumber } from "../../referrals/reference-number.ts";
import type { NewRequest } from "../../referrals/request-repository.ts";
import type { StoreOrder } from "../order.ts";
import type { Tenant } from "../tenant.ts";
import type { LineToOpen } from "./plan-order.ts";

/**
 * Opens a request for each of these units of one line, unless there is one. Returns the ids of those that are new. What the
 * service may hold of them already, after a restore, is fetched.
 */
export async function openUnits(
  tenant: Tenant,
  { order, line, mapping, units, now }: LineToOpen & { order: StoreOrder; now: Date },
): Promise<string[]> {
  const requests = units.map((unit): NewRequest => {
    const fact = { orderId: order.id, lineItemId: line.id, unit, generation: 1 };
    return {
      ...fact,
      id: randomUUID(),
      environment: mapping.environment,
      referenceNumber: referenceNumber({ shop: tenant.shop, ...fact }),
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
