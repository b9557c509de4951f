import { isDeepStrictEqual } from "node:util";
import { publishAllIn } from "../catalogue/publish-details.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "../privacy/ports.ts";
import { cancelRequest, isRefundToDecide } from "../referrals/cancel-request.ts";
import { lookAfterHolds } from "../referrals/escalate-hold.ts";
import type { NotAllowed } from "../shops/may-do.ts";
import {
  type ChangedMeanwhile,
  openChange,
  recordSettingChange,
  type SettingsGroup,
} from "../shops/save-settings.ts";
import type { PolicyChange } from "../shops/shop.ts";
import { findInTheWay, type PreflightCheck, readPreflight } from "./preflight.ts";
import { testConnection } from "./test-connection.ts";

export type SavePoliciesOutcome =
  /** How many referrals that waited for a decision are cancelled. */
  | { kind: "saved"; cancelled: number }
  /** Orders cannot go to an environment that is not connected. */
  | { kind: "not_connected" }
  /** Something is in the way without which no real order could work, or costs more than the merchant could have read. */
  | { kind: "not_ready"; checks: PreflightCheck[] }
  /** Only a named person can release what these policies hold. */
  | { kind: "reviewer_needed" }
  /** Nobody goes live before the shop has accepted the clinical texts of this version. */
  | { kind: "texts_not_accepted" }
  /** Another number waits than the merchant saw: nothing was saved. */
  | { kind: "waiting_changed"; waiting: number }
  | ChangedMeanwhile
  | NotAllowed;

/** How many refunds that wait for a decision are read at once. */
const REFUNDS_AT_ONCE = 100;

const POLICIES: SettingsGroup<PolicyChange> = {
  what: "policies_changed",
  read: (shop) => ({ ...shop }),
  // Without a choice of the shop's the page shows the installation's.
  shown: (stored, { emailByService = null }) => ({
    ...stored,
    emailByService: stored.emailByService ?? emailByService,
  }),
};

/**
 * Stores how the shop wants its orders handled. Applies to what happens from now on: a refund that waits for a decision
 * goes on waiting. `cancelWaiting` is that decision, taken with a change to deleting automatically: so many as the
 * merchant saw are cancelled. Each is cancelled alone; were the process to die, the rest would still wait.
 */
export async function savePolicies(
  ports: Pick<Ports, "tenancy" | "clock" | "services">,
  {
    shop,
    policies: wished,
    seen = null,
    clinicalTexts,
    cancelWaiting,
    actor,
  }: {
    shop: ShopDomain;
    /** What is left out stays as it is. */
    policies: PolicyChange;
    /** What the page showed when it was opened: what is unchanged since then is not saved. Null: all of it is. */
    seen?: PolicyChange | null;
    /** The version of the clinical texts that patients see, and whether the shop accepts it with this change. */
    clinicalTexts: { version: string; isAccepted: boolean };
    cancelWaiting: number | null;
    actor: Actor;
  },
): Promise<SavePoliciesOutcome> {
  const preflight = wished.environment === "production" ? await lookAhead(ports, shop) : null;
  const outcome = await ports.tenancy.inShop(shop, async (tenant) => {
    const at = ports.clock.now();
    const opened = await openChange(tenant, POLICIES, { wished, seen, actor, at });
    if (opened.kind !== "open") return opened;
    const { before, settings: policies } = opened;
    const after = { ...before, ...policies };
    const switches = before.environment !== after.environment;
    if (switches && !(await tenant.connections.find(after.environment)))
      return { kind: "not_connected" } as const;
    // The default holds nothing without a reviewer, and says so; these were chosen.
    const isAboutReview = "releasePolicy" in policies || "reviewer" in policies;
    const holds = ["hold_abnormal", "hold_all"].includes(after.releasePolicy);
    if (isAboutReview && holds && !after.reviewer) return { kind: "reviewer_needed" } as const;
    const { version, isAccepted } = clinicalTexts;
    const goesLive = switches && after.environment === "production";
    if (goesLive && !isAccepted && before.clinicalTexts?.version !== version)
      return { kind: "texts_not_accepted" } as const;
    const checks = goesLive ? ((await readPreflight(tenant, before)) ?? []) : [];
    const inTheWay = findInTheWay(checks, preflight ?? checks);
    if (inTheWay.length > 0) return { kind: "not_ready", checks: inTheWay } as const;
    const asksNoMore = before.refundPolicy === "ask" && after.refundPolicy === "automatic";
    const decided = asksNoMore && cancelWaiting !== null;
    const waiting = decided ? await tenant.requests.countRefundsToDecide() : 0;
    if (decided && waiting !== cancelWaiting) return { kind: "waiting_changed", waiting } as const;
    const changed = Object.entries(policies).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name as keyof PolicyChange]),
    );
    await tenant.shops.updateSettings(Object.fromEntries(changed));
    await recordSettingChange(tenant, POLICIES, { before, settings: policies, actor, at });
    if (isAccepted) {
      await tenant.shops.acceptClinicalTexts({ version, at, by: actor });
      const accepted = { what: "clinical_texts_accepted", detail: { version } } as const;
      await tenant.accessLog.add({ at, who: "staff", actor, ...accepted });
    }
    if (after.reviewer) await lookAfterHolds(tenant);
    if (switches) await publishAllIn(tenant);
    if (policies.tagOrders || policies.markFulfilled)
      await tenant.jobs.enqueue({ name: "read-store-facts", shop });
    return { kind: "saved", waiting } as const;
  });
  if (outcome.kind !== "saved") return outcome;
  const cancelled = outcome.waiting > 0 ? await cancelWaitingRefunds(ports, { shop, actor }) : 0;
  return { kind: "saved", cancelled };
}

/**
 * Tests the connection to production before a shop goes live, so that the checks go by what the service takes and charges
 * now. Returns the checks as they were before that; null when the shop is live, or production is not connected.
 */
async function lookAhead(
  ports: Pick<Ports, "tenancy" | "clock" | "services">,
  shop: ShopDomain,
): Promise<PreflightCheck[] | null> {
  const preflight = await ports.tenancy.inShop(shop, async (tenant) => {
    const settings = await tenant.shops.find();
    if (!settings || settings.environment === "production") return null;
    return readPreflight(tenant, settings);
  });
  if (preflight) await testConnection(ports, { shop, environment: "production" });
  return preflight;
}

/** Cancels every referral whose refund waits for a decision, page by page; returns how many. */
async function cancelWaitingRefunds(
  ports: Pick<Ports, "tenancy" | "clock">,
  { shop, actor }: { shop: ShopDomain; actor: Actor },
): Promise<number> {
  let cancelled = 0;
  let after: string | null = null;
  do {
    const page: string[] = await ports.tenancy.inShop(shop, (tenant) =>
      tenant.requests.refundsToDecide({ after, limit: REFUNDS_AT_ONCE }),
    );
    for (const requestId of page) {
      const wish = { shop, requestId, actor, isMeant: isRefundToDecide };
      const { kind } = await cancelRequest(ports, wish);
      if (kind === "cancelled" || kind === "deleting") cancelled++;
    }
    after = page[REFUNDS_AT_ONCE - 1] ?? null;
  } while (after !== null);
  return cancelled;
}
