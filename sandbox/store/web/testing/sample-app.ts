/** A few pages that use App Bridge as an app does, for the tests of the admin frame: no framework, no Shopify library. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface SampleApp {
  url: string;
  /** The calls that arrived, newest last: method, path and how each was authorised. */
  requests: {
    method: string;
    path: string;
    authorisation: "bearer" | "id_token" | "none";
    bounce: boolean;
  }[];
  /** Answers the next request with a token as Shopify's library answers an invalid one. */
  refuseNext(): void;
  /** Where the store is; it has to be known before the app's pages are asked for. */
  setStore(origin: string): void;
  stop(): Promise<void>;
}

/** `answerFirst` may answer a request itself (true): the interface that extensions call, for example. */
export async function startSampleApp(
  apiKey: string,
  answerFirst: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<SampleApp> {
  let store = "";
  let refuse = false;
  const requests: SampleApp["requests"] = [];

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://app");
    if (answerFirst(request, response)) return;
    const bearer = request.headers.authorization?.startsWith("Bearer ") ?? false;
    const authorisation = bearer
      ? "bearer"
      : url.searchParams.has("id_token")
        ? "id_token"
        : "none";
    requests.push({
      method: request.method ?? "",
      path: url.pathname,
      authorisation,
      bounce: request.headers["x-shopify-bounce"] === "1",
    });
    response.setHeader("Content-Security-Policy", `frame-ancestors ${store}`);
    const script = `<script data-api-key="${apiKey}" src="${store}/app-bridge.js"></script>`;
    if (url.pathname === "/auth/session-token") {
      response.setHeader("Content-Type", "text/html");
      response.end(script);
      return;
    }
    if (url.pathname === "/api/ping") {
      if (refuse || !bearer) {
        refuse = false;
        response.writeHead(401, { "X-Shopify-Retry-Invalid-Session-Request": "1" });
        response.end();
        return;
      }
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ pong: true }));
      return;
    }
    if (url.pathname === "/api/reauthorise") {
      const target = "https://admin.shopify.com/store/x/settings";
      response.writeHead(401, { "X-Shopify-API-Request-Failure-Reauthorize-Url": target });
      response.end();
      return;
    }
    // Does as the library does: a page without a token is bounced to get one.
    if (authorisation === "none") {
      url.searchParams.set(
        "shopify-reload",
        `http://${request.headers.host}${url.pathname}${url.search}`,
      );
      response.writeHead(302, { Location: `/auth/session-token?${url.searchParams}` });
      response.end();
      return;
    }
    response.setHeader("Content-Type", "text/html");
    response.end(page(url.pathname, script));
  };

  const server = createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    refuseNext: () => {
      refuse = true;
    },
    setStore: (origin) => {
      store = origin;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const page = (path: string, script: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page ${path}</title>${script}
<style>body { font-family: sans-serif; padding: 24px } button { padding: 8px; margin: 4px }</style></head><body>
<ui-title-bar title="Sample ${path}">
  <button variant="breadcrumb" onclick="say('breadcrumb')">Home</button>
  <button onclick="say('secondary')">Export</button>
  <button variant="primary" onclick="say('primary')">Create</button>
</ui-title-bar>
<ui-nav-menu><a href="/app" rel="home">Home</a><a href="/app/orders">Orders</a><a href="/app/settings">Settings</a></ui-nav-menu>
<ui-save-bar id="bar"><button variant="primary" onclick="say('saved'); shopify.saveBar.hide('bar')">Save</button><button onclick="say('discarded'); shopify.saveBar.hide('bar')">Discard</button></ui-save-bar>
<ui-modal id="modal"><p style="padding: 16px">Inside the modal</p><ui-title-bar title="Sure?"><button variant="primary" onclick="say('confirmed'); shopify.modal.hide('modal')">Yes</button></ui-title-bar></ui-modal>
<main><h1>At ${path}</h1><p id="said" role="status"></p>
<form data-save-bar onsubmit="event.preventDefault(); say('form submitted')"><label>Name <input name="name" value="before"></label></form>
<button onclick="fetch('/api/ping').then((r) => r.json()).then((b) => say('ping ' + b.pong))">Ping</button>
<button onclick="fetch('/api/reauthorise')">Reauthorise</button>
<button onclick="shopify.toast.show('Hello from the app')">Toast</button>
<button onclick="shopify.saveBar.show('bar')">Change</button>
<button onclick="shopify.modal.show('modal')">Ask</button>
<button onclick="shopify.resourcePicker({ type: 'product', multiple: true }).then((list) => say(list ? list.length + ' picked' : 'closed'))">Pick</button>
<button onclick="shopify.scopes.request(['write_orders']).then((a) => say(a.result + ' ' + a.detail.granted), (e) => say(e.message))">More access</button>
<button onclick="shopify.scopes.request(['write_themes']).catch((e) => say(e.message))">Too much access</button>
<button onclick="shopify.scopes.revoke(['write_orders']).then((a) => say('left ' + a.detail.granted))">Less access</button>
<button onclick="window.open('shopify://admin/products', '_top')">Products</button>
<button onclick="window.open('/app/orders', '_top')">Top</button>
<button onclick="history.pushState(null, '', '/app/pushed'); say('pushed')">Push</button>
</main>
<script>function say(text) { document.getElementById('said').textContent = text }</script>
</body></html>`;
