import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { ThankYou } from "./thank-you.tsx";

/** Block on the thank-you page: leads whoever bought a test to its details. */
export default function extension(): void {
  render(<ThankYou page={shopify} />, document.body);
}
