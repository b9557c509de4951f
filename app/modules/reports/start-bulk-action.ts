import { randomUUID } from "node:crypto";
import { hasEnded, type NewBatchItem } from "../kernel/batch.ts";
import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { SeenReasons } from "./attention-item.ts";
import type { BulkAction } from "./bulk-action.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

/**
 * The orders of an action: named one by one, by some of the reasons for which they need a person, or all of a
 * selection.
 */
export type BulkTarget =
  | {
      orderIds: OrderId[];
      /** Why each of them needs a person, as the page showed it; absent: nobody says. */
      seen?: ReadonlyMap<OrderId, SeenReasons> | undefined;
    }
  | {
      items: {
        orderId: OrderId;
        reason: string;
        /** The `version` of the item that the page showed; absent: nobody says. */
        seen?: string | undefined;
      }[];
    }
  | { selection: string };

/** Notes what is asked for and has it worked on in the background; answers the batch's id. */
export async function startBulkAction(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; action: BulkAction; actor: Actor; target: BulkTarget },
): Promise<string> {
  const { shop, action, actor, target } = asked;
  const id = randomUUID();
  const isSelection = "selection" in target;
  await tenancy.inShop(shop, async (tenant) => {
    const batch = {
      ...({ id, kind: "order_action", action, actor, cursor: null } as const),
      state: isSelection ? ("collecting" as const) : ("running" as const),
      plan: isSelection ? { selection: target.selection } : {},
      createdAt: clock.now(),
      finishedAt: null,
    };
    await tenant.batches.add(batch, isSelection ? [] : namedOrders(target));
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: id });
  });
  return id;
}

export type UndoHandledOutcome = { kind: "started"; runId: string } | { kind: "nothing" };

/**
 * Takes back what a run marked as handled, in the background; answers the run that does it, and the same one however often
 * it is asked. What somebody else has handled since stays handled.
 */
export async function undoHandledRun(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, actor, batchId }: { shop: ShopDomain; actor: Actor; batchId: string },
): Promise<UndoHandledOutcome> {
  const id = randomUUID();
  return tenancy.inShop(shop, async (tenant) => {
    const run = await tenant.batches.find(batchId);
    if (run?.kind !== "order_action" || run.action !== "handled" || !hasEnded(run))
      return { kind: "nothing" };
    const earlier = await tenant.batches.latest("order_action", { plan: { undoes: batchId } });
    if (earlier) return { kind: "started", runId: earlier.id };
    const items = await doneItems(tenant, batchId);
    if (items.length === 0) return { kind: "nothing" };
    const batch = {
      ...({ id, kind: "order_action", action: "reopen", actor, cursor: null } as const),
      state: "running" as const,
      plan: { undoes: batchId, handledBy: run.actor },
      createdAt: clock.now(),
      finishedAt: null,
    };
    await tenant.batches.add(batch, items);
    await tenant.jobs.enqueue({ name: "work-batch", shop, batchId: id });
    return { kind: "started", runId: id };
  });
}

const PAGE = 1_000;

/** Those that a run has done, as items for another one. */
async function doneItems(tenant: Tenant, batchId: string): Promise<NewBatchItem[]> {
  const found: NewBatchItem[] = [];
  for (let after = 0; ; ) {
    const page = await tenant.batches.items(batchId, { after, limit: PAGE, outcome: "done" });
    found.push(...page.map(({ subject, detail }) => ({ subject, detail })));
    const last = page[PAGE - 1];
    if (!last) return found;
    after = last.position;
  }
}

/**
 * `reasons`: those that were chosen of the reasons for which an order needs a person; none: whichever they are. `seen`: what the page
 * showed of them; null: nobody says.
 */
export const orderItem = (
  subject: OrderId,
  reasons: string[] = [],
  seen: SeenReasons | null = null,
): NewBatchItem => ({ subject, detail: { reasons, seen } });

function namedOrders(target: Exclude<BulkTarget, { selection: string }>): NewBatchItem[] {
  if ("orderIds" in target)
    return target.orderIds.map((id) =>
      orderItem(id, [], target.seen && (target.seen.get(id) ?? {})),
    );
  const byOrder = Map.groupBy(target.items, (item) => item.orderId);
  return [...byOrder].map(([orderId, items]) =>
    orderItem(
      orderId,
      items.map((item) => item.reason),
      seenOf(items),
    ),
  );
}

function seenOf(
  items: readonly { reason: string; seen?: string | undefined }[],
): SeenReasons | null {
  const said = items.flatMap(({ reason, seen }) => (seen ? [[reason, seen] as const] : []));
  return said.length > 0 ? Object.fromEntries(said) : null;
}
