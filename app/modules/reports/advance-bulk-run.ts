import type { ShopDomain } from "../kernel/ids.ts";
import type { BulkRun, BulkRunOrder } from "./bulk-run.ts";
import { doToOrder } from "./do-to-order.ts";
import type { Ports } from "./ports.ts";
import { readSelection } from "./selection-text.ts";

export type AdvanceOutcome = "gone" | "collected" | "worked" | "finished";

/** One step of a job: short, so that a process that stops loses little and other work gets its turn. */
const COLLECTED_AT_ONCE = 1000;
const WORKED_AT_ONCE = 20;

/**
 * Takes a bulk run one step further and queues the next one. Each order is done in transactions of its own and
 * settled afterwards: should the process die in between, it is done again, and every action finds nothing to do
 * the second time.
 */
export async function advanceBulkRun(
  ports: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, runId }: { shop: ShopDomain; runId: string },
): Promise<AdvanceOutcome> {
  const { tenancy, clock } = ports;
  const step = await tenancy.inShop(shop, async (tenant) => {
    const run = await tenant.bulkRuns.lock(runId);
    if (!run || run.state === "done") return null;
    if (run.state === "running")
      return { run, orders: await tenant.bulkRuns.waiting(runId, WORKED_AT_ONCE) };
    const page = await tenant.overview.orderPage({
      ...readSelection(run.selection ?? ""),
      start: run.cursor ? { after: run.cursor } : null,
      size: COLLECTED_AT_ONCE,
    });
    const added = await tenant.bulkRuns.note(
      runId,
      page.orders.map(({ orderId }) => ({ orderId, reasons: [] })),
    );
    await tenant.bulkRuns.change(runId, {
      cursor: page.next,
      total: run.total + added,
      ...(page.next ? {} : { state: "running" }),
    });
    await tenant.jobs.enqueue({ name: "run-bulk", shop, runId });
    return { run, orders: null };
  });
  if (!step) return "gone";
  if (!step.orders) return "collected";
  for (const order of step.orders) await settleOrder(ports, { shop, run: step.run, order });
  return tenancy.inShop(shop, async (tenant) => {
    if ((await tenant.bulkRuns.waiting(runId, 1)).length > 0) {
      await tenant.jobs.enqueue({ name: "run-bulk", shop, runId });
      return "worked";
    }
    await tenant.bulkRuns.change(runId, { state: "done", finishedAt: clock.now() });
    return "finished";
  });
}

/** One order's failure is its own. */
async function settleOrder(
  ports: Pick<Ports, "tenancy" | "clock" | "logger">,
  { shop, run, order }: { shop: ShopDomain; run: BulkRun; order: BulkRunOrder },
): Promise<void> {
  const { action, actor, id } = run;
  const { orderId } = order;
  const one = { shop, ...order, action, actor, isOneOfMany: true };
  const outcome = await doToOrder(ports, one).catch((error) => {
    ports.logger.warn({ shop, orderId, action, err: error }, "bulk action failed");
    return "failed" as const;
  });
  await ports.tenancy.inShop(shop, (tenant) => tenant.bulkRuns.settle(id, orderId, outcome));
}
