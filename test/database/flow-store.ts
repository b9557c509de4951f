import { createOrderStatusPublisher } from "../../app/clients/shopify/order-status-publisher.ts";
import { openStore } from "../../sandbox/store/testing/open-store.ts";

/** Starts the sandbox's own store, as far as a test of workflows needs it: it knows the triggers of our extensions alone. */
export async function startFlowStore() {
  const store = await openStore({ extensionsDirectory: "extensions" });
  const { accessToken } = await store.session();
  return {
    orderStatusPublisher: createOrderStatusPublisher(async (_shop, operation, variables, reads) =>
      reads.parse((await store.graphql(operation, variables, accessToken)).body.data),
    ),
    /** The payloads of the workflows that were started, the latest first. */
    flows: () => store.ok("GET", "/flow"),
    close: () => store.close(),
  };
}
