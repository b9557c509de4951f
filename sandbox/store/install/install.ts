import { revokeTokens } from "../oauth/issue-token.ts";
import type { Platform } from "../platform.ts";
import type { InstallDocument } from "../state/install.ts";
import { nextId } from "../state/next-id.ts";
import type { ShopDocument } from "../state/shop.ts";
import { shopPayload } from "../webhooks/payloads/shop.ts";
import { mayReceive, publish } from "../webhooks/publish.ts";

/**
 * The app has the scopes that it requires from here on, and keeps the optional ones that it was granted. Does nothing but refresh them when it is installed
 * already.
 */
export function completeInstall(platform: Platform, shop: ShopDocument): InstallDocument {
  const { data, config, clock } = platform;
  const known = data.installs.get(shop.id);
  const optional = known?.installed
    ? known.scopes.filter((scope) => config.optionalScopes.includes(scope))
    : [];
  const scopes = [...new Set([...config.scopes, ...optional])];
  if (known?.installed && sameScopes(known.scopes, scopes)) return known;
  for (const { topic } of config.subscriptions) {
    if (!mayReceive(platform, topic, scopes)) {
      platform.log(
        `${topic} will not be sent: Shopify refuses this subscription for want of a scope or an approval`,
      );
    }
  }
  return data.installs.put({
    id: shop.id,
    numericId: known?.numericId ?? nextId(data),
    installed: true,
    scopes,
    installedAt: known?.installed ? known.installedAt : clock.nowIso(),
    uninstalledAt: null,
    redactSent: false,
  });
}

/** Revokes all tokens and tells the app: app/uninstalled. False when it was not installed. */
export function uninstall(platform: Platform, shop: ShopDocument): boolean {
  const install = platform.data.installs.get(shop.id);
  if (!install?.installed) return false;
  publish(platform, shop, "app/uninstalled", shopPayload(shop));
  revokeTokens(platform, shop.id);
  // Shopify does not say what becomes of them. An app that relied on their staying would find its texts gone.
  for (const { id, shop: owner, namespace } of platform.data.metafields.all())
    if (owner === shop.id && namespace.startsWith("app--")) platform.data.metafields.delete(id);
  platform.data.installs.put({
    ...install,
    installed: false,
    uninstalledAt: platform.clock.nowIso(),
  });
  return true;
}

const sameScopes = (left: string[], right: string[]): boolean =>
  left.length === right.length && left.every((scope) => right.includes(scope));
