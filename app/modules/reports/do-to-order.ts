import type { OrderId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { resendDetails } from "../notifications/resend-details.ts";
import { resyncOrder } from "../orders/resync-order.ts";
import { holdRequest } from "../referrals/hold-request.ts";
import { releaseRequest } from "../referrals/release-request.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import { requestVersion } from "../referrals/request-version.ts";
import { mayRetry, retryRequest } from "../referrals/retry-request.ts";
import { reasonKey } from "../referrals/review-reason.ts";
import type { AttentionItem, SeenReasons } from "./attention-item.ts";
import type { BulkAction, BulkOutcome } from "./bulk-action.ts";
import { lockedAttention } from "./locked-attention.ts";
import type { Ports } from "./ports.ts";

type Target = {
  shop: ShopDomain;
  orderId: OrderId;
  actor: Actor;
  /** Acts only on what needs a person for one of these reasons (`reasonKey`); none: whatever the reasons are. */
  reasons?: string[];
  /** The order's reasons as the page showed them; null: nobody says. */
  seen?: SeenReasons | null;
};
/** Actions that the order's own page has too; marks are given and taken back one reason at a time. */
type OrderDeed = Exclude<BulkAction, "handled" | "reopen">;
type Needed = Pick<Ports, "tenancy" | "clock">;

/**
 * Does one action to one order, by the use cases that its own page calls. As one of many, what may exist at the
 * service is not sent again: whoever wants that looks there first, order by order (ledger rule 5). What somebody
 * has marked as handled is left alone: it may have been ordered by hand. Its own page still sends it.
 */
export async function doToOrder(
  ports: Needed,
  { action, isOneOfMany = false, ...target }: Target & { action: OrderDeed; isOneOfMany?: boolean },
): Promise<BulkOutcome | "changed_meanwhile"> {
  switch (action) {
    case "resync":
      return told((await resyncOrder(ports, target)).kind === "queued");
    case "resend":
      // A customer who was asked a moment ago has the email that this is about.
      return told((await resendDetails(ports, target)).kind !== "nothing_to_ask");
    case "retry":
      return toOpenRequests(ports, target, async (request) => {
        if (isOneOfMany && request.state === "ambiguous") return "left";
        if (!mayRetry(request)) return "not_meant";
        const about = { requestId: request.id, seen: requestVersion(request) };
        const outcome = await retryRequest(ports, { ...target, ...about });
        return outcome.kind === "queued" ? "done" : "left";
      });
    case "release":
      return toOpenRequests(ports, target, async (request) => {
        const about = { requestId: request.id, seen: requestVersion(request) };
        const outcome = await releaseRequest(ports, { ...target, ...about });
        return outcome.kind === "queued" ? "done" : "not_meant";
      });
    case "hold":
      return toRequests(ports, target, async (request) => {
        const about = { requestId: request.id, seen: requestVersion(request) };
        const outcome = await holdRequest(ports, { ...target, ...about });
        return outcome.kind === "held" ? "done" : "not_meant";
      });
  }
}

const told = (isDone: boolean): BulkOutcome => (isDone ? "done" : "nothing_to_do");

/** The outcome for one test: `left` to a person, though the action was meant for it. */
type Act = (request: ReferralRequest) => Promise<"done" | "left" | "not_meant">;

async function toRequests(
  { tenancy }: Needed,
  { shop, orderId }: Target,
  act: Act,
): Promise<BulkOutcome> {
  const requests = await tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(orderId));
  return actOn(
    requests.filter((request) => request.handledReason === null),
    act,
  );
}

/** The same for what needs a person, for one of the target's reasons. An item that is another thing than the page showed is left. */
async function toOpenRequests(
  { tenancy }: Needed,
  { shop, orderId, reasons = [], seen = null }: Target,
  act: Act,
): Promise<BulkOutcome | "changed_meanwhile"> {
  const { requests, isChanged } = await tenancy.inShop(shop, async (tenant) => {
    // Locked: each test is as its item says. A colleague who marks one between two looks may have ordered it by hand.
    const open = await lockedAttention(tenant, orderId);
    const meant = open.filter(
      ({ reason }) => reasons.length === 0 || reasons.includes(reasonKey(reason)),
    );
    const chosen = meant.filter((item) => isAsSeen(item, seen));
    const ids = new Set(chosen.flatMap((item) => item.requestIds));
    const requests = (await tenant.requests.forOrder(orderId)).filter(({ id }) => ids.has(id));
    return { requests, isChanged: chosen.length < meant.length };
  });
  const outcome = await actOn(requests, act);
  if (!isChanged) return outcome;
  return outcome === "nothing_to_do" ? "changed_meanwhile" : "refused";
}

const isAsSeen = ({ reason, version }: AttentionItem, seen: SeenReasons | null): boolean =>
  seen === null || seen[reasonKey(reason)] === version;

async function actOn(requests: ReferralRequest[], act: Act): Promise<BulkOutcome> {
  const outcomes: Awaited<ReturnType<Act>>[] = [];
  for (const request of requests) outcomes.push(await act(request));
  if (!outcomes.includes("done")) return "nothing_to_do";
  return outcomes.includes("left") ? "refused" : "done";
}
