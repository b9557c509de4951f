/** The worker in which one extension runs: the unmodified bundle on a remote DOM, with Shopify's globals around it. */
// First of all: it makes the `document` that everything after it needs.
import "@remote-dom/core/polyfill";
import { ThreadWebWorker } from "@quilted/threads";
import type { RemoteRootElement } from "@remote-dom/core/elements";
import type { WorkerApi } from "../extension-contract.ts";
import { ExtensionNavigation } from "./navigation.ts";
import { restrictNetwork } from "./network.ts";
import { defineRemoteElements } from "./remote-elements.ts";
import { createShopifyGlobal } from "./shopify-global.ts";

// Workers have it; the DOM library of the compiler does not list it.
declare function importScripts(...urls: string[]): void;

let navigation: ExtensionNavigation | null = null;

const api: WorkerApi = {
  async run({ description, rules, connection, host }) {
    defineRemoteElements(rules);
    restrictNetwork(description, host);
    navigation = new ExtensionNavigation(description, host);
    const { shopify, targets, signals } = createShopifyGlobal(description, host, navigation);
    Object.defineProperty(globalThis, "shopify", { value: shopify });
    if (description.surface === "customer-account") {
      Object.defineProperty(globalThis, "navigation", { value: navigation });
    }
    const root = document.createElement("remote-root") as RemoteRootElement;
    document.documentElement.append(root);
    // Extensions render into `document.body`.
    Object.defineProperty(document, "body", { value: root });
    root.connect(connection);

    importScripts(description.scriptUrl);
    const entry = targets.get(description.target);
    if (!entry) throw new Error(`The bundle has nothing for the target ${description.target}`);
    await entry(shopify);
    signals.set("extension.rendered", true);
    await host.setRendered();
  },
  async entryChanged(path, kind) {
    navigation?.entryChanged(path, kind);
  },
};

ThreadWebWorker.self.export(api);
