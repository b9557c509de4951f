import { Banner } from "@shopify/polaris";
import type { OrderView } from "./present-order.ts";

/** Shows what is wrong with the order as a whole, and the one thing to do about it. */
export function OrderAttention({ view }: { view: OrderView }) {
  if (!view.attention) return null;
  // An unmapped line has its own button beside it.
  const action =
    view.attentionReason === "unmapped_line"
      ? undefined
      : { content: "View in Shopify", url: `shopify://admin/orders/${view.number}` };
  return (
    <Banner tone="warning" title={view.attention.sentence} action={action}>
      <p>{view.attention.nextStep}</p>
    </Banner>
  );
}
