import { randomUUID } from "node:crypto";
import type { OrderId, ShopDomain } from "../ids.ts";
import type { Ports } from "../ports.ts";
import type { Actor } from "../timeline/timeline.ts";
import type { BulkAction } from "./bulk-run.ts";

/** Which orders: named one by one, or every order of a selection. */
export type BulkTarget = { orderIds: OrderId[] } | { selection: string };

/** Notes what is asked for and has it worked on in the background; answers the run's id. */
export async function startBulkRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; action: BulkAction; actor: Actor; target: BulkTarget },
): Promise<string> {
  const { shop, action, actor, target } = asked;
  const id = randomUUID();
  await tenancy.inShop(shop, async (tenant) => {
    const isNamed = "orderIds" in target;
    await tenant.bulkRuns.add({
      id,
      action,
      actor,
      selection: isNamed ? null : target.selection,
      cursor: null,
      state: isNamed ? "running" : "collecting",
      total: 0,
      createdAt: clock.now(),
      finishedAt: null,
    });
    if (isNamed) {
      const total = await tenant.bulkRuns.note(id, target.orderIds);
      await tenant.bulkRuns.change(id, { total });
    }
    await tenant.jobs.enqueue({ name: "run-bulk", shop, runId: id });
  });
  return id;
}
