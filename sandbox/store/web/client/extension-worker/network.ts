import type { ExtensionDescription, HostApi } from "../extension-contract.ts";

const ADMIN_API = /^shopify:(?:\/\/)?admin\/api\/(?:[\w-]+\/)?graphql\.json$/;
const CUSTOMER_API = /^shopify:(?:\/\/)?customer-account\/api\/(?:[\w-]+\/)?graphql(?:\.json)?$/;

/**
 * Replaces the worker's fetch by what Shopify lets an extension do: its own GraphQL addresses, relative addresses and
 * the automatic token in the admin, no network without the capability elsewhere. The app's public address leads to
 * where the app runs.
 */
export function restrictNetwork(description: ExtensionDescription, host: HostApi): void {
  const { app, surface } = description;
  const original = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const given = input instanceof Request ? input.url : String(input);
    if (ADMIN_API.test(given) || CUSTOMER_API.test(given)) {
      const { query, variables } = JSON.parse(String(init?.body ?? "{}"));
      const ask = ADMIN_API.test(given) ? host.adminQuery : host.customerQuery;
      return Response.json(await ask(query, variables));
    }
    const base = surface === "admin" ? (app.publicOrigin ?? undefined) : undefined;
    const url = URL.canParse(given, base) ? new URL(given, base) : null;
    if (!url) throw new TypeError(`Failed to fetch: ${given} is no absolute address`);
    const toApp = url.origin === app.publicOrigin || url.origin === app.origin;
    if (!description.networkAccess && !(surface === "admin" && toApp)) {
      throw new TypeError("Failed to fetch: the extension has no network_access capability");
    }
    const actual = toApp && app.origin ? url.href.replace(url.origin, app.origin) : url.href;
    const request = input instanceof Request ? new Request(actual, input) : actual;
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : {}));
    if (surface === "admin" && toApp && !headers.has("Authorization")) {
      headers.set("Authorization", `Bearer ${await host.sessionToken()}`);
    }
    return original(request, { ...init, headers, credentials: "omit" });
  };
}
