import { actionOf } from "../../modules/reports/attention-action.ts";
import type { AttentionReason } from "../../modules/reports/attention-item.ts";

/** The action of an order's banner: the one that the list of what needs attention offers. Undefined where a line has it. */
export function bannerAction(
  reason: AttentionReason,
  number: string,
): { content: string; url: string } | undefined {
  const action = actionOf(reason);
  // An unmapped line has its own button beside it.
  if (action.kind === "go" && action.to === "mapping") return undefined;
  if (action.kind === "go" && action.to === "import")
    return { content: action.label, url: "/app/settings/orders" };
  return { content: "View in Shopify", url: `shopify://admin/orders/${number}` };
}
