import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Batch, BatchKind, BatchResult, DueBatchItem, NewBatchItem } from "./batch.ts";
import type { ShopDomain } from "./ids.ts";
import type { TenancyOf, Tenant } from "./tenant.ts";

/** The work of one kind of batch, by the module that knows the subject. */
export interface BatchHandler<RoomTenant, RoomPorts> {
  /**
   * The number of items in one job. A small number means that a worker that stops loses little, and that others get
   * their turn.
   */
  atOnce: number;
  /** How long the next job waits, so that the service gets what it can take. */
  pauseMs?: number;
  /** Finds the next items of a batch that is collecting. */
  collect?(
    tenant: RoomTenant,
    batch: Batch,
  ): Promise<{ items: NewBatchItem[]; next: string | null }>;
  /** Asks others about the next item, before the transaction in which it is done. `later`: they don't answer, and the item waits. */
  prepare?(
    ports: RoomPorts,
    next: { shop: ShopDomain; batch: Batch; item: DueBatchItem },
  ): Promise<"now" | "later">;
  /**
   * Does one item. Everything is one transaction with the item's outcome, the use cases called with these ports
   * included: an item is done once, wherever a process dies.
   */
  work(
    ports: RoomPorts,
    work: { tenant: RoomTenant; batch: Batch; item: DueBatchItem },
  ): Promise<BatchResult>;
}

/** A job that has taken so long takes no further item: those whom it asks may be slow. */
const LONG_MS = 10_000;
/** How long a batch waits for others that don't answer. */
const UNANSWERED_MS = 30_000;

type BatchPorts<RoomTenant> = { tenancy: TenancyOf<RoomTenant>; clock: Clock; logger: Logger };

export type WorkBatchOutcome =
  | "collected"
  | "more"
  | "done"
  /** Unknown, cancelled, done, of a shop that has left, or its last items are with another worker. */
  | "ended";

/** Takes a batch further, and queues the next job when something is left. Safe to run twice, at once and late. */
export async function workBatch<RoomTenant extends Tenant, RoomPorts>(
  ports: RoomPorts & BatchPorts<RoomTenant>,
  { shop, batchId }: { shop: ShopDomain; batchId: string },
  handlers: Partial<Record<BatchKind, BatchHandler<RoomTenant, RoomPorts>>>,
): Promise<WorkBatchOutcome> {
  const { tenancy, clock } = ports;
  const batch = await tenancy.inShop(shop, (tenant) => tenant.batches.find(batchId));
  if (!batch) return "ended";
  const handler = handlers[batch.kind];
  if (!handler) throw new Error(`Nothing works on batches of the kind ${batch.kind}`);
  if (batch.state === "collecting") return collect(ports, { shop, batchId, handler });
  const began = clock.now().getTime();
  const isLong = () => clock.now().getTime() - began > LONG_MS;
  let { pauseMs } = handler;
  for (let done = 0; done < handler.atOnce && !isLong(); done++) {
    const item = await workItem(ports, { shop, batch, handler });
    if (item === "none")
      return tenancy.inShop(shop, async (tenant) =>
        (await tenant.batches.finish(batchId, clock.now())) ? "done" : "ended",
      );
    if (item === "done") continue;
    pauseMs = UNANSWERED_MS;
    break;
  }
  await tenancy.inShop(shop, async (tenant) => {
    const rest = pauseMs ? { startAfter: new Date(clock.now().getTime() + pauseMs) } : {};
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId }, rest);
  });
  return "more";
}

/** Notes what was found, and how far the search is, in one transaction. */
async function collect<RoomTenant extends Tenant, RoomPorts>(
  { tenancy }: { tenancy: TenancyOf<RoomTenant> },
  {
    shop,
    batchId,
    handler,
  }: { shop: ShopDomain; batchId: string; handler: BatchHandler<RoomTenant, RoomPorts> },
): Promise<WorkBatchOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const batch = await tenant.batches.lockCollecting(batchId);
    if (!batch || !handler.collect) return "ended";
    const { items, next } = await handler.collect(tenant, batch);
    await tenant.batches.collect(batchId, items, next);
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId });
    return "collected";
  });
}

/** Does the next item. An item's failure is its own, and the next one is done all the same. */
async function workItem<RoomTenant extends Tenant, RoomPorts>(
  ports: RoomPorts & BatchPorts<RoomTenant>,
  {
    shop,
    batch,
    handler,
  }: { shop: ShopDomain; batch: Batch; handler: BatchHandler<RoomTenant, RoomPorts> },
): Promise<"done" | "none" | "later"> {
  const { tenancy, logger } = ports;
  let taken = null as number | null;
  if (handler.prepare) {
    const next = await tenancy.inShop(shop, (tenant) => tenant.batches.takeDue(batch.id));
    const isDue = !next || (await handler.prepare(ports, { shop, batch, item: next })) === "now";
    if (!isDue) return "later";
  }
  try {
    await tenancy.inShop(shop, async (tenant) => {
      const item = await tenant.batches.takeDue(batch.id);
      taken = item?.position ?? null;
      if (!item) return;
      const inside = { ...ports, tenancy: within(tenant) };
      const result = await handler.work(inside, { tenant, batch, item });
      await tenant.batches.settle(batch.id, item.position, result);
    });
  } catch (error) {
    const position = taken;
    if (position === null) throw error;
    logger.warn({ shop, batchId: batch.id, position, err: error }, "an item of a batch failed");
    await tenancy.inShop(shop, (tenant) =>
      tenant.batches.settle(batch.id, position, { outcome: "failed" }),
    );
  }
  return taken === null ? "none" : "done";
}

/** A transaction that is under way, as the tenancy of use cases that are called in it. */
function within<RoomTenant extends Tenant>(tenant: RoomTenant): TenancyOf<RoomTenant> {
  const inShop: TenancyOf<RoomTenant>["inShop"] = async (shop, work) => {
    if (shop !== tenant.shop) throw new Error("A transaction sees its own shop only");
    return work(tenant);
  };
  return { inShop, inKnownShop: inShop };
}
