/**
 * A stand-in for Shopify's app-bridge.js, towards the app the same: see @shopify/app-bridge-types for the interface
 * and @shopify/shopify-app-remix for what servers expect of it. What it does not model says so when it is called.
 */
import type { BridgeConfig } from "../bridge-protocol.ts";
import { patchFetch } from "./authenticated-fetch.ts";
import { bounce } from "./bounce.ts";
import { byId } from "./buttons.ts";
import { Connection } from "./connection.ts";
import { defineModal } from "./modal-element.ts";
import { defineNavMenu } from "./nav-menu-element.ts";
import {
  patchHistory,
  patchOpen,
  redirectIntoAdmin,
  watchAdminLinks,
  watchHistory,
} from "./navigation.ts";
import { resourcePicker } from "./resource-picker.ts";
import { defineSaveBar, SaveBarController, watchForms } from "./save-bar.ts";
import { defineTitleBar } from "./title-bar-element.ts";
import { createToast } from "./toast.ts";

declare const sandboxAppBridge: BridgeConfig;
declare global {
  interface Window {
    /** A bounced document takes this over from the one before it, with which it shares its window. */
    sandboxBridgeState?: { connection: Connection; bars: SaveBarController };
  }
}

interface Toggleable extends HTMLElement {
  show(): Promise<void>;
  hide(): Promise<void>;
  toggle(): Promise<void>;
}

function toggleable(id: string): Toggleable {
  const element = document.getElementById(id);
  if (element && "show" in element && "hide" in element) return element as Toggleable;
  throw new Error(`There is no element with the id "${id}" to show or hide`);
}

function notModelled(name: string): () => never {
  return () => {
    throw new Error(`shopify.${name} is not modelled by the sandbox`);
  };
}

function start(): void {
  const script = document.currentScript;
  const meta = (name: string) =>
    document.querySelector(`meta[name="shopify-${name}"]`)?.getAttribute("content") ?? null;
  const apiKey = script?.getAttribute("data-api-key") ?? meta("api-key");
  if (!apiKey) {
    console.error(
      'App Bridge: missing required configuration: <meta name="shopify-api-key"> or data-api-key',
    );
    return;
  }
  const query = new URL(location.href).searchParams;
  const list = (text: string | null) => (text ? text.split(",").map((part) => part.trim()) : []);
  const config = {
    apiKey,
    shop: query.get("shop") ?? sandboxAppBridge.shop,
    host: query.get("host") ?? sandboxAppBridge.host,
    locale: query.get("locale") ?? sandboxAppBridge.locale,
    appOrigins: list(script?.getAttribute("data-app-origins") ?? meta("app-origins")),
    disabledFeatures: list(
      script?.getAttribute("data-disabled-features") ?? meta("disabled-features"),
    ),
    debug: {},
  };
  const enabled = (feature: string) => !config.disabledFeatures.includes(feature);

  const earlier = window.sandboxBridgeState;
  const connection = earlier?.connection ?? new Connection(sandboxAppBridge);
  connection.listen();
  if (enabled("auto-redirect") && redirectIntoAdmin(connection)) return;

  const bars = earlier?.bars ?? new SaveBarController(connection);
  window.sandboxBridgeState = { connection, bars };
  const ready = connection.embedded
    ? connection.call("hello", { href: location.href, title: document.title }).then(() => {})
    : Promise.resolve();
  const setVisible = (method: "show" | "hide" | "toggle") => async (id: string) =>
    toggleable(id)[method]();

  const shopify = {
    config,
    origin: sandboxAppBridge.adminOrigin,
    ready,
    environment: { embedded: connection.embedded, mobile: false, pos: false, intent: false },
    idToken: () => connection.call("idToken", null),
    loading: (isLoading = false) => connection.tell("loading", isLoading),
    toast: createToast(connection),
    user: () => connection.call("user", null),
    resourcePicker: resourcePicker(connection),
    modal: { show: setVisible("show"), hide: setVisible("hide"), toggle: setVisible("toggle") },
    saveBar: {
      show: setVisible("show"),
      hide: setVisible("hide"),
      toggle: setVisible("toggle"),
      leaveConfirmation: () => bars.leaveConfirmation(),
    },
    scopes: {
      query: () => connection.call("scopes", null),
      request: (scopes: string[]) => connection.call("requestScopes", scopes),
      revoke: async (scopes: string[]) => ({
        detail: await connection.call("revokeScopes", scopes),
      }),
    },
    webVitals: { onReport: () => {} },
    support: { registerHandler: () => {} },
    reviews: {
      request: async () => ({
        success: false,
        code: "merchant-ineligible",
        message: "Not in the sandbox",
      }),
    },
    intents: {
      request: { value: null, subscribe: () => () => {} },
      invoke: notModelled("intents.invoke"),
    },
    picker: notModelled("picker"),
    scanner: { capture: notModelled("scanner.capture") },
    app: { extensions: async () => sandboxAppBridge.extensions },
    setSignals: () => {},
  };
  Object.assign(window, { shopify });
  hideElements();
  watchForms(bars);
  watchHistory(connection);
  watchAdminLinks(connection);
  if (!earlier) {
    if (enabled("fetch")) patchFetch(connection, () => [location.origin, ...config.appOrigins]);
    patchHistory(connection);
    patchOpen(connection);
    defineTitleBar(connection);
    defineNavMenu(connection);
    defineSaveBar(bars);
    defineModal();
    connection.on("titleBarAction", ({ id }) => byId(id)?.click());
  }
  bounce(connection).catch((error) =>
    console.error("App Bridge: the page could not be loaded", error),
  );
}

/** These elements are instructions for the admin and never seen in the app. */
function hideElements(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "ui-title-bar, ui-nav-menu, s-app-nav, ui-save-bar { display: none !important }",
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

start();
