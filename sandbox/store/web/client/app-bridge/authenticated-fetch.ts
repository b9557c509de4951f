import type { Connection } from "./connection.ts";
import { leaveTo } from "./navigation.ts";

const RETRY = "X-Shopify-Retry-Invalid-Session-Request";
const REAUTHORIZE_URLS = [
  "X-Shopify-API-Request-Failure-Reauthorize-Url",
  "Shopify-API-Request-Failure-Reauthorize-Url",
];
/** Direct API access: `fetch("shopify:admin/api/graphql.json")` or with a version in the path. */
const DIRECT_API = /^shopify:(\/\/)?admin\/api\/(?:[\w-]+\/)?graphql\.json$/;

/** The browser's own fetch, kept on the window: a bounced document runs this script a second time. */
declare global {
  interface Window {
    sandboxOriginalFetch?: typeof fetch;
  }
}
window.sandboxOriginalFetch ??= window.fetch.bind(window);
export const originalFetch = window.sandboxOriginalFetch;

/**
 * Replaces the global fetch as App Bridge does: requests to the app's own origin carry a fresh session token, are
 * repeated once when the server asks for it, and lead out of the frame when the server wants a new authorisation.
 */
export function patchFetch(connection: Connection, allowedOrigins: () => string[]): void {
  window.fetch = async (input, init) => {
    const address =
      input instanceof Request ? input.url : new URL(String(input), document.baseURI).href;
    if (DIRECT_API.test(address)) return directApi(connection, init);
    const request = new Request(input, init);
    if (!allowedOrigins().includes(new URL(request.url).origin)) return originalFetch(input, init);
    if (request.headers.has("Authorization")) return originalFetch(request);

    const attempt = async (original: Request): Promise<Response> => {
      const headers = new Headers(original.headers);
      headers.set("Authorization", `Bearer ${await connection.call("idToken", null)}`);
      headers.set("X-Requested-With", "XMLHttpRequest");
      return originalFetch(new Request(original, { headers }));
    };
    const spare = request.clone();
    let response = await attempt(request);
    if (response.headers.has(RETRY)) response = await attempt(spare);

    const reauthorize = REAUTHORIZE_URLS.map((name) => response.headers.get(name)).find(Boolean);
    if (!reauthorize) return response;
    leaveTo(connection, new URL(reauthorize, location.href).href, "_top");
    // The page is about to go: an answer would only show the app an error for a moment.
    return new Promise(() => {});
  };
}

async function directApi(connection: Connection, init?: RequestInit): Promise<Response> {
  const body = JSON.parse(String(init?.body ?? "{}"));
  return Response.json(await connection.call("graphql", body));
}
