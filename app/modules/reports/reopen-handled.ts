import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { apply } from "../referrals/apply.ts";
import { reachMilestone } from "../referrals/reach-milestone.ts";
import { parseReasonKey, reasonKey } from "../referrals/review-reason.ts";
import { URGENT_SHOWN } from "../referrals/urgency.ts";
import { type HandledItem, isOfOrder } from "./attention-item.ts";
import type { Ports } from "./ports.ts";
import type { Tenant } from "./tenant.ts";

export type ReopenOutcome =
  | { kind: "reopened"; items: number }
  /** Somebody has reopened it already, or it arose again by itself. */
  | { kind: "open_already" }
  /** Nobody is needed for that reason any more. */
  | { kind: "cause_gone" }
  /** An undo comes too late: somebody else, by name where it is known, has marked it as handled since. */
  | { kind: "handled_by_other"; by: string | null };

interface Asked {
  shop: ShopDomain;
  orderId: OrderId;
  /** The key of the reason (`reasonKey`). */
  reason: string;
  actor: Actor;
  /** Takes back what this person did, and not what somebody else did since. */
  isUndo?: boolean;
  /** Whose mark is undone, when it is not the one who asks; for `isUndo`. */
  handledBy?: Actor;
}

/** Brings a reason that was marked as handled back to the list of what needs attention. Doing it twice changes nothing. */
export async function reopenHandled(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: Asked,
): Promise<ReopenOutcome> {
  const { shop, orderId, reason: key, actor, isUndo = false, handledBy = actor } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    // One after the other: the second of two presses finds it open.
    await tenant.orders.lock(orderId);
    const handled = await tenant.overview.handledOf([orderId]);
    const item =
      handled.find(({ reason }) => reasonKey(reason) === key) ??
      (await behindAnother(tenant, orderId, key));
    if (!item) return whyNot(tenant, orderId, key);
    const by = isUndo ? await lastHandledBy(tenant, orderId, key) : null;
    if (by !== null && by !== handledBy)
      return { kind: "handled_by_other", by: (await tenant.staff.find(by))?.name ?? null };
    const items = await reopen(tenant, item, { actor, at: clock.now() });
    return items > 0 ? { kind: "reopened", items } : whyNot(tenant, orderId, key);
  });
}

/** Returns how many were reopened: the order, or its tests that share the reason. */
async function reopen(
  tenant: Tenant,
  { orderId, reason, requestIds }: HandledItem,
  by: { actor: Actor; at: Date },
): Promise<number> {
  if (!isOfOrder(reason)) {
    let reopened = 0;
    for (const requestId of requestIds.toSorted())
      if (await apply(tenant, requestId, { kind: "reopened", reason }, by)) reopened++;
    return reopened;
  }
  if (!(await tenant.orders.reopen(orderId, reason.code))) return 0;
  const detail = { reason: reason.code };
  await tenant.timeline.add({ kind: "attention_reopened", ...by, orderId, detail });
  await tenant.alerts.noteAttention(orderId);
  await reachMilestone(tenant, { orderId, requestId: null, milestone: "attention_needed" });
  return 1;
}

/**
 * A critical result that was shown and dealt with, where the tests need somebody for something else by now. It can still be brought
 * back: somebody may have pressed by mistake.
 */
async function behindAnother(
  tenant: Tenant,
  orderId: OrderId,
  key: string,
): Promise<HandledItem | null> {
  if (key !== URGENT_SHOWN) return null;
  const entries = await tenant.timeline.forOrder(orderId);
  const marks = new Map(
    entries.flatMap(({ kind, requestId, detail }) =>
      requestId && detail.reason === key && MARKS.has(kind) ? [[requestId, kind] as const] : [],
    ),
  );
  const requestIds = [...marks].flatMap(([id, kind]) => (kind === "attention_handled" ? [id] : []));
  return requestIds.length > 0 ? { orderId, reason: parseReasonKey(key), requestIds } : null;
}

const MARKS: ReadonlySet<string> = new Set(["attention_handled", "attention_reopened"]);

async function whyNot(tenant: Tenant, orderId: OrderId, key: string): Promise<ReopenOutcome> {
  const open = await tenant.overview.attentionOf([orderId]);
  const isOpen = open.some(({ reason }) => reasonKey(reason) === key);
  return { kind: isOpen ? "open_already" : "cause_gone" };
}

/** Who marked the reason as handled last, as the timeline tells; null when it is too long ago to be there. */
async function lastHandledBy(
  tenant: Tenant,
  orderId: OrderId,
  key: string,
): Promise<string | null> {
  const entries = await tenant.timeline.forOrder(orderId);
  const last = entries.findLast(
    ({ kind, detail }) => kind === "attention_handled" && detail.reason === key,
  );
  return last?.actor ?? null;
}
