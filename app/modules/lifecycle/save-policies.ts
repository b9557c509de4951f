import { isDeepStrictEqual } from "node:util";
import { publishAllIn } from "../catalogue/publish-details.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import { cancelRequest } from "../referrals/cancel-request.ts";
import { lookAfterHolds } from "../referrals/escalate-hold.ts";
import { keepOthersChanges } from "../shops/keep-others-changes.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import { settingChanges } from "../shops/setting-changes.ts";
import type { PolicyChange } from "../shops/shop.ts";
import { isInTheWay, type PreflightCheck, readPreflight } from "./preflight.ts";

export type SavePoliciesOutcome =
  /** How many referrals that waited for a decision are cancelled. */
  | { kind: "saved"; cancelled: number }
  /** Orders cannot go to an environment that is not connected. */
  | { kind: "not_connected" }
  /** Something is missing without which no real order could work. */
  | { kind: "not_ready"; checks: PreflightCheck[] }
  /** Only a named person can release what these policies hold. */
  | { kind: "reviewer_needed" }
  /** Nobody goes live before the shop has accepted the clinical texts of this version. */
  | { kind: "texts_not_accepted" }
  /** Another number waits than the merchant saw: nothing was saved. */
  | { kind: "waiting_changed"; waiting: number }
  /** Somebody else changed these settings since the page was opened: nothing was saved. */
  | { kind: "changed_meanwhile"; settings: (keyof PolicyChange)[]; byName: string | null }
  | NotAllowed;

/** Among so many changes the one that got in the way is looked for. */
const LATEST_CHANGES = 50;

/**
 * Stores how the shop wants its orders handled. Applies to what happens from now on: a refund that waits for a decision
 * goes on waiting. `cancelWaiting` is that decision, taken with a change to deleting automatically: so many as the
 * merchant saw are cancelled. Each is cancelled alone; were the process to die, the rest would still wait.
 */
export async function savePolicies(
  ports: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    policies: wished,
    seen = null,
    clinicalTexts,
    cancelWaiting,
    actor,
  }: {
    shop: ShopDomain;
    policies: PolicyChange;
    /** What the page showed when it was opened: what is unchanged since then is not saved. Null: all of it is. */
    seen?: PolicyChange | null;
    /** The version of the clinical texts that patients see, and whether the shop accepts it with this change. */
    clinicalTexts: { version: string; isAccepted: boolean };
    cancelWaiting: number | null;
    actor: Actor;
  },
): Promise<SavePoliciesOutcome> {
  const outcome = await ports.tenancy.inShop(shop, async (tenant) => {
    const at = ports.clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_policies", { at });
    if (refused) return refused;
    const before = await tenant.shops.find();
    const { policies, conflicts } =
      before && seen
        ? keepOthersChanges(before, { policies: wished, seen })
        : { policies: wished, conflicts: [] };
    if (conflicts.length > 0) {
      const changes = await tenant.accessLog.ofShop(LATEST_CHANGES);
      const change = changes.find(
        ({ what, detail }) =>
          what === "policies_changed" && conflicts.some((name) => detail && name in detail),
      );
      const byName = change?.actorName ?? null;
      return { kind: "changed_meanwhile", settings: conflicts, byName } as const;
    }
    const switches = before?.environment !== policies.environment;
    if (switches && !(await tenant.connections.find(policies.environment)))
      return { kind: "not_connected" } as const;
    const reviewer = policies.reviewer === undefined ? before?.reviewer : policies.reviewer;
    // The default holds nothing without a reviewer, and says so; these were chosen.
    if (!reviewer && ["hold_abnormal", "hold_all"].includes(policies.releasePolicy))
      return { kind: "reviewer_needed" } as const;
    const { version, isAccepted } = clinicalTexts;
    const goesLive = switches && policies.environment === "production";
    if (goesLive && !isAccepted && before?.clinicalTexts?.version !== version)
      return { kind: "texts_not_accepted" } as const;
    const checks = goesLive && before ? await readPreflight(tenant, before) : [];
    if (checks && isInTheWay(checks)) return { kind: "not_ready", checks } as const;
    const asksNoMore = before?.refundPolicy === "ask" && policies.refundPolicy === "automatic";
    const decided = asksNoMore && cancelWaiting !== null;
    const waiting = decided ? await tenant.requests.refundsToDecide() : [];
    if (decided && waiting.length !== cancelWaiting)
      return { kind: "waiting_changed", waiting: waiting.length } as const;
    const changed = Object.entries(policies).filter(
      ([name, value]) => !isDeepStrictEqual(value, before?.[name as keyof PolicyChange]),
    );
    await tenant.shops.updateSettings(Object.fromEntries(changed));
    const deed = { at, who: "staff", actor } as const;
    const detail = settingChanges(before && { ...before }, policies);
    if (detail) await tenant.accessLog.add({ ...deed, what: "policies_changed", detail });
    if (isAccepted) {
      await tenant.shops.acceptClinicalTexts({ version, at, by: actor });
      const accepted = { what: "clinical_texts_accepted", detail: { version } } as const;
      await tenant.accessLog.add({ ...deed, ...accepted });
    }
    if (reviewer) await lookAfterHolds(tenant);
    if (switches) await publishAllIn(tenant);
    if (policies.tagOrders || policies.markFulfilled)
      await tenant.jobs.enqueue({ name: "read-store-facts", shop });
    return { kind: "saved", waiting } as const;
  });
  if (outcome.kind !== "saved") return outcome;
  let cancelled = 0;
  for (const requestId of outcome.waiting) {
    const { kind } = await cancelRequest(ports, { shop, requestId, actor });
    if (kind === "cancelled" || kind === "deleting") cancelled++;
  }
  return { kind: "saved", cancelled };
}
