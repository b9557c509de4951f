import type { ExtensionDescription, HostApi } from "../extension-contract.ts";
import { createI18n } from "./i18n.ts";
import type { ExtensionNavigation } from "./navigation.ts";
import { Signals } from "./signals.ts";

/** Names below `localization` that are signals, of both APIs that have one. */
const LOCALIZATION = ["currency", "timezone", "language", "extensionLanguage", "country", "market"];
const BUYER_IDENTITY = ["customer", "email", "phone", "purchasingCompany"];
const COST = ["subtotalAmount", "totalShippingAmount", "totalTaxAmount", "totalAmount"];

export interface ShopifyGlobal {
  shopify: Record<string, unknown>;
  /** Entry points that the bundle registers while it is loaded. */
  targets: Map<string, (api: unknown) => unknown>;
  signals: Signals;
}

function notModelled(name: string): () => never {
  return () => {
    throw new Error(`shopify.${name} is not modelled by the sandbox`);
  };
}

/** The global `shopify` as version 2026-07 of the API describes it for the description's surface. */
export function createShopifyGlobal(
  description: ExtensionDescription,
  host: HostApi,
  navigation: ExtensionNavigation,
): ShopifyGlobal {
  const { locale } = description;
  const data = {
    ...description.data,
    signals: {
      ...description.data.signals,
      ...Object.fromEntries(description.data.absent.map((name) => [name, undefined])),
    },
  };
  const targets = new Map<string, (api: unknown) => unknown>();
  const signals = new Signals({
    "extension.capabilities": description.networkAccess ? ["network_access"] : [],
    "extension.rendered": false,
    ...data.signals,
  });
  const topLevel = Object.keys(data.signals).filter((name) => !name.includes("."));
  const group = (prefix: string, names: string[]) =>
    signals.members(
      names.filter((name) => `${prefix}.${name}` in data.signals),
      `${prefix}.`,
    );

  const shopify: Record<string, unknown> = {
    extend: (target: string, entry: (api: unknown) => unknown) => targets.set(target, entry),
    reload: () => location.reload(),
    setSignals: (Signal: new (value: unknown) => { value: unknown }) => signals.setClass(Signal),
    i18n: createI18n(description.translations, { locale, currencyCode: description.currencyCode }),
    navigation,
    intents: { invoke: notModelled("intents.invoke") },
    ...data.values,
  };
  Object.defineProperties(shopify, Object.getOwnPropertyDescriptors(signals.members(topLevel)));
  Object.assign(
    shopify,
    description.surface === "admin"
      ? adminMembers(description, host)
      : accountMembers(description, host),
  );
  if (description.surface === "customer-account") {
    Object.defineProperties(
      shopify.extension as object,
      Object.getOwnPropertyDescriptors(signals.members(["capabilities", "rendered"], "extension.")),
    );
    shopify.localization = group("localization", LOCALIZATION);
    shopify.buyerIdentity = group("buyerIdentity", BUYER_IDENTITY);
    shopify.cost = group("cost", COST);
    shopify.authenticatedAccount = group("authenticatedAccount", ["customer", "purchasingCompany"]);
  }
  return { shopify, targets, signals };
}

function adminMembers({ target }: ExtensionDescription, host: HostApi): Record<string, unknown> {
  return {
    extension: { target },
    auth: { idToken: () => host.sessionToken() },
    query: (query: string, options?: { variables?: Record<string, unknown> }) =>
      host.adminQuery(query, options?.variables),
    storage: {
      get: async (key: string) => (await host.readStorage(key)) ?? undefined,
      getMany: (keys: string[]) =>
        Promise.all(keys.map(async (key) => (await host.readStorage(key)) ?? undefined)),
      set: (key: string, value: unknown) => host.writeStorage(key, value),
      setMany: async (entries: Record<string, unknown>) => {
        for (const [key, value] of Object.entries(entries)) await host.writeStorage(key, value);
      },
      delete: (key: string) => host.deleteStorage(key),
      deleteMany: async (keys: string[]) =>
        Object.fromEntries(
          await Promise.all(keys.map(async (key) => [key, await host.deleteStorage(key)] as const)),
        ),
      clear: async () => {
        for (const [key] of await host.storageEntries()) await host.deleteStorage(key);
      },
      entries: async () => (await host.storageEntries()).values(),
    },
    ...(isAction(target) ? { close: () => host.close() } : {}),
    resourcePicker: notModelled("resourcePicker"),
    picker: notModelled("picker"),
  };
}

function accountMembers(
  { target, apiVersion, scriptUrl }: ExtensionDescription,
  host: HostApi,
): Record<string, unknown> {
  return {
    extension: { target, apiVersion, scriptUrl, version: undefined },
    extensionPoint: target,
    version: apiVersion,
    sessionToken: { get: () => host.sessionToken() },
    storage: {
      read: async (key: string) => (await host.readStorage(key)) ?? null,
      write: (key: string, value: unknown) => host.writeStorage(key, value),
      delete: async (key: string) => {
        await host.deleteStorage(key);
      },
    },
    query: (query: string, options?: { variables?: Record<string, unknown> }) =>
      host.storefrontQuery(query, options?.variables),
    toast: {
      show: async (message: string) => {
        await host.toast(message);
        return { hide: () => {} };
      },
    },
    analytics: {
      publish: async () => true,
      visitor: async () => ({ type: "success" }),
    },
    applyTrackingConsentChange: async () => ({ type: "success" }),
    ...(target.includes(".order-status.") || target === "customer-account.order.page.render"
      ? { requireLogin: () => host.requireLogin() }
      : {}),
    ...(isAction(target) ? { close: () => host.close() } : {}),
  };
}

/** Only actions run in a modal of the page that they may close. */
function isAction(target: string): boolean {
  return target.endsWith(".action.render");
}
