import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { OrderReferrals } from "./order-referrals.tsx";

/** Block on the order page of the Shopify admin: where each referral of the order stands. No health data. */
export default function extension(): void {
  render(<OrderReferrals page={shopify} />, document.body);
}
