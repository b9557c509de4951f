import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { AppProvider } from "../../shared/app-context.ts";
import { createCustomerApi } from "../../shared/customer-api.ts";
import { hostOf } from "../../shared/host.ts";
import { OrderTests } from "./order-tests.tsx";

/** Block on the order status page: where each test of this order stands and what to do next. */
export default function extension(): void {
  const host = hostOf(shopify, navigation);
  const api = createCustomerApi(() => host.sessionToken.get());
  render(
    <AppProvider value={{ host, api }}>
      <OrderTests page={shopify} />
    </AppProvider>,
    document.body,
  );
}
