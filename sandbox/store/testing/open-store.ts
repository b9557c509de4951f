import "@shopify/shopify-api/adapters/node";
import { ApiVersion, RequestedTokenType, type Session, shopifyApi } from "@shopify/shopify-api";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import { completeInstall } from "../install/install.ts";
import { type RunningStore, type StoreOptions, startStore } from "../start-store.ts";
import { type AppReceiver, startAppReceiver } from "./app-receiver.ts";

export type Json = Record<string, unknown>;

export interface OpenStore extends RunningStore {
  app: AppReceiver;
  /** Calls the control interface. */
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json }>;
  /** The same, for calls that are to succeed. Throws otherwise. */
  ok(method: string, path: string, body?: unknown): Promise<Json>;
  /** Shopify's own library, as the app would set it up, talking to this store. */
  library: ReturnType<typeof libraryFor>;
  /** Installs the app if need be and exchanges a fresh session token. */
  session(): Promise<Session>;
  /** One Admin API call; without a token, with that of a new session. */
  graphql(query: string, variables?: Json, accessToken?: string): Promise<GraphqlAnswer>;
  close(): Promise<void>;
}

export interface GraphqlAnswer {
  status: number;
  headers: Headers;
  body: {
    data?: Json | null;
    /** A text when the call was refused before GraphQL. */
    errors?: string | { message: string; path?: unknown; extensions?: Json }[];
    extensions?: {
      cost: { requestedQueryCost: number; actualQueryCost: number; throttleStatus: Json };
    };
  };
}

/** A store with an app beside it, on free ports and without a data folder. */
export async function openStore(options: Partial<StoreOptions> = {}): Promise<OpenStore> {
  const app = await startAppReceiver();
  const store = await startStore({
    port: 0,
    dataDirectory: null,
    appUrl: app.url,
    retryScale: 1 / 200_000,
    log: () => {},
    ...options,
  });
  const { ready } = store;
  const control: OpenStore["control"] = async (method, path, body) => {
    const response = await fetch(`${ready.control_url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${ready.control_token}`,
        "Content-Type": "application/json",
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  };
  const library = libraryFor(store);
  const opened: OpenStore = {
    ...store,
    app,
    control,
    library,
    async ok(method, path, body) {
      const answer = await control(method, path, body);
      if (answer.status > 299) {
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      return answer.body;
    },
    async session() {
      const shop = store.platform.data.shops.get(ready.shop);
      if (shop) completeInstall(store.platform, shop);
      const { token } = await opened.ok("GET", "/tokens/admin");
      const { session } = await library.auth.tokenExchange({
        shop: ready.shop,
        sessionToken: String(token),
        requestedTokenType: RequestedTokenType.OfflineAccessToken,
        expiring: true,
      });
      return session;
    },
    async graphql(query, variables, accessToken) {
      const token = accessToken ?? (await opened.session()).accessToken ?? "";
      const response = await fetch(`${ready.api_url}/admin/api/2026-07/graphql.json`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": token },
        body: JSON.stringify({ query, variables }),
      });
      const body: GraphqlAnswer["body"] = JSON.parse(await response.text());
      return { status: response.status, headers: response.headers, body };
    },
    async close() {
      await store.stop();
      await app.stop();
    },
  };
  return opened;
}

function libraryFor({ ready }: RunningStore) {
  setAbstractFetchFunc((input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const headers = new Headers(init?.headers);
    headers.set("X-Forwarded-Host", url.host);
    return fetch(`${ready.api_url}${url.pathname}${url.search}`, { ...init, headers });
  });
  return shopifyApi({
    apiKey: ready.api_key,
    apiSecretKey: ready.api_secret,
    hostName: "app.example",
    apiVersion: ApiVersion.July26,
    isEmbeddedApp: true,
    scopes: [],
    logger: { log: () => {} },
  });
}
