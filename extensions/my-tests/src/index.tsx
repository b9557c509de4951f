import "@shopify/ui-extensions/preact";
import { render } from "preact";
import { AppProvider } from "../../shared/app-context.ts";
import { createCustomerApi } from "../../shared/customer-api.ts";
import { hostOf } from "../../shared/host.ts";
import { MyTests } from "./my-tests.tsx";

/** Page of the customer account: every test of the signed-in customer, their documents and results. */
export default function extension(): void {
  const host = hostOf(shopify, navigation);
  const api = createCustomerApi(() => host.sessionToken.get());
  render(
    <AppProvider value={{ host, api }}>
      <MyTests navigation={navigation} />
    </AppProvider>,
    document.body,
  );
}
