import { fileURLToPath } from "node:url";
import { ClientBundles } from "./client-bundles.ts";
import type { StoreFacts, StorePorts, WebOptions } from "./ports.ts";

const ROOT = new URL("../../../", import.meta.url);

/** The parts that every page handler is given. */
export interface WebContext {
  ports: StorePorts;
  facts: StoreFacts;
  bundles: ClientBundles;
  /** Folder of the app's extensions. */
  extensionsDir: string;
  /** Folder for what is built once and kept. */
  cacheDir: string;
}

export function createContext(ports: StorePorts, options: WebOptions): WebContext {
  const cacheDir = options.cacheDir ?? fileURLToPath(new URL(".cache/store-web/", ROOT));
  return {
    ports,
    facts: ports.facts,
    bundles: new ClientBundles(cacheDir),
    extensionsDir: options.extensionsDir ?? fileURLToPath(new URL("extensions/", ROOT)),
    cacheDir,
  };
}

/** Name of the shop in the admin's addresses: `example` of `example.myshopify.com`. */
export function shopHandle(facts: StoreFacts): string {
  return facts.shop.replace(/\.myshopify\.com$/, "");
}

/** Path of the admin: `/admin-ui/store/example`. */
export function adminBase(facts: StoreFacts): string {
  return `/admin-ui/store/${shopHandle(facts)}`;
}

/** Path of the app inside the admin: `/admin-ui/store/example/apps/pathway`. */
export function adminAppBase(facts: StoreFacts): string {
  return `${adminBase(facts)}/apps/${facts.app.handle}`;
}
