/** The messages between the page and the worker of a hosted extension. */
import type { RemoteConnection } from "@remote-dom/core";
import type { ElementRules } from "../extensions/element-rules.ts";

export type Surface = "customer-account" | "admin";

/** A signal of the real API travels as its value and becomes a signal in the worker. */
export interface ExtensionData {
  /**
   * Members of `shopify` that are signals: `order`, `settings`, `authenticationState`, …; a dot leads into a group.
   * One whose value is undefined is a signal all the same.
   */
  signals: Record<string, unknown>;
  /** Names of the signals whose value is undefined: JSON leaves them out on the way to the page. */
  absent: string[];
  /** Members of `shopify` that are plain values: `shop`, `orderId`, `data`, … */
  values: Record<string, unknown>;
}

export interface ExtensionDescription {
  surface: Surface;
  target: string;
  handle: string;
  name: string;
  apiVersion: string;
  /** Address of the unmodified bundle. */
  scriptUrl: string;
  networkAccess: boolean;
  translations: Record<string, unknown>;
  locale: string;
  currencyCode: string;
  data: ExtensionData;
  app: {
    /** The app's address as shopify.app.toml names it and bundles contain it. */
    publicOrigin: string | null;
    /** Where the app really is. */
    origin: string | null;
  };
  /** Full-page targets: the path inside the extension at which they open, with query. */
  entryPath: string | null;
}

export interface GraphqlAnswer {
  data?: unknown;
  errors?: unknown;
}

/** The page's services for the worker. */
export interface HostApi {
  sessionToken(): Promise<string>;
  adminQuery(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  customerQuery(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  storefrontQuery(query: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
  toast(message: string): Promise<void>;
  navigate(address: string, replace: boolean): Promise<void>;
  requireLogin(): Promise<void>;
  close(): Promise<void>;
  readStorage(key: string): Promise<unknown>;
  writeStorage(key: string, value: unknown): Promise<void>;
  deleteStorage(key: string): Promise<boolean>;
  storageEntries(): Promise<[string, unknown][]>;
  setRendered(): Promise<void>;
}

/** The worker's services for the page. */
export interface WorkerApi {
  run(input: {
    description: ExtensionDescription;
    rules: ElementRules;
    connection: RemoteConnection;
    host: HostApi;
  }): Promise<void>;
  /** The address of a full page changed by the browser's buttons or by a link. */
  entryChanged(path: string, kind: "push" | "replace" | "traverse"): Promise<void>;
}

/** Path inside an extension that an address means, with the handle it names (null: this extension). */
export function readExtensionAddress(
  address: string,
): { handle: string | null; path: string } | null {
  const match = /^extension:(\/\/)?([^/?#]*)(.*)$/s.exec(address);
  if (!match) return null;
  const rest = match[3] || "/";
  return { handle: match[2] || null, path: rest.startsWith("/") ? rest : `/${rest}` };
}
