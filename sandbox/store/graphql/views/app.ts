import { compressed } from "../../install/scopes.ts";
import { credentials } from "../../state/credentials.ts";
import { globalId } from "../../state/global-id.ts";
import type { Caller } from "../context.ts";
import type { View } from "../view.ts";
import { metafieldFields } from "./metafield.ts";

/** AccessScope */
export const scopeView = (handle: string) => ({
  handle,
  description: handle.replace("_", " ").replaceAll("_", " "),
});

/** AppInstallation of the asking app; null when it is not installed. */
export function installationView(caller: Caller): View | null {
  const { platform, shop } = caller;
  const install = platform.data.installs.get(shop.id);
  if (!install?.installed) return null;
  const id = globalId("AppInstallation", install.numericId);
  const admin = `https://admin.shopify.com/store/${shop.id.replace(/\.myshopify\.com$/, "")}`;
  return {
    __typename: "AppInstallation",
    id,
    accessScopes: compressed(caller.scopes).map(scopeView),
    activeSubscriptions: [],
    launchUrl: `${admin}/apps/${platform.config.handle}`,
    uninstallUrl: `${admin}/settings/apps`,
    app: () => appView(caller),
    ...metafieldFields(caller, id, () => installationView(caller)),
  };
}

/** App */
export function appView(caller: Caller): View {
  const { config } = caller.platform;
  const { apiKey, appId } = credentials(caller.platform);
  return {
    __typename: "App",
    id: globalId("App", appId),
    apiKey,
    title: config.name,
    handle: config.handle,
    description: null,
    embedded: true,
    developerName: config.name,
    shopifyDeveloped: false,
    published: true,
    previouslyInstalled: true,
    requestedAccessScopes: config.scopes.map(scopeView),
    optionalAccessScopes: config.optionalScopes.map(scopeView),
    webhookApiVersion: config.apiVersion,
    installation: () => installationView(caller),
  };
}
