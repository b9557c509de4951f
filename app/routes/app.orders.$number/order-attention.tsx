import { Banner } from "@shopify/polaris";
import type { OrderView } from "./present-order.ts";

/** Shows what is wrong with the order as a whole, and the one thing to do about it. */
export function OrderAttention({ view }: { view: OrderView }) {
  if (!view.attention) return null;
  return (
    <Banner tone="warning" title={view.attention.sentence} action={view.attentionAction}>
      <p>{view.attention.nextStep}</p>
    </Banner>
  );
}
