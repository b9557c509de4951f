import type { Platform } from "../platform.ts";
import { Refusal } from "../refusal.ts";
import { globalId } from "../state/global-id.ts";
import type { InstallDocument } from "../state/install.ts";
import { nextId } from "../state/next-id.ts";
import type { ShopDocument } from "../state/shop.ts";
import { publish } from "../webhooks/publish.ts";

/** The answer to `shopify.scopes.query()`. */
export interface ScopesDetail {
  granted: string[];
  required: string[];
  optional: string[];
}

export function scopesOf({ data, config }: Platform, shop: ShopDocument): ScopesDetail {
  const install = data.installs.get(shop.id);
  return {
    granted: install?.installed ? install.scopes : [],
    required: config.scopes,
    optional: config.optionalScopes,
  };
}

/** Scopes as Shopify tells them to the app: a read scope is left out where the write scope of its resource is there. */
export const compressed = (scopes: readonly string[]): string[] =>
  scopes.filter((scope) => !scopes.some((other) => impliedBy(other) === scope));

/** The read scope that a write scope includes; null for any other scope. */
const impliedBy = (scope: string): string | null =>
  /^(unauthenticated_)?write_/.test(scope)
    ? scope.replace(/^(unauthenticated_)?write_/, "$1read_")
    : null;

/**
 * The merchant chooses which optional scopes the app has; required ones stay. `granted` may be compressed. Throws
 * {@link Refusal} for a scope that shopify.app.toml does not declare.
 */
export function chooseScopes(platform: Platform, shop: ShopDocument, granted: string[]): void {
  const { required, optional } = scopesOf(platform, shop);
  const declared = [...required, ...optional];
  const undeclared = granted.find((scope) => !declared.includes(scope));
  if (undeclared !== undefined) {
    throw new Refusal(422, `${undeclared} is not declared in shopify.app.toml`);
  }
  const implied = granted.map(impliedBy);
  const kept = declared.filter(
    (scope) => required.includes(scope) || granted.includes(scope) || implied.includes(scope),
  );
  setScopes(platform, shop, [...new Set(kept)]);
}

/** The merchant grants optional scopes. Throws {@link Refusal} for one that shopify.app.toml does not declare. */
export function grantOptionalScopes(
  platform: Platform,
  shop: ShopDocument,
  scopes: string[],
): void {
  const { required, optional } = scopesOf(platform, shop);
  const undeclared = scopes.find((scope) => ![...required, ...optional].includes(scope));
  if (undeclared !== undefined) {
    throw new Refusal(422, `${undeclared} is not declared in shopify.app.toml`);
  }
  const install = installed(platform, shop);
  setScopes(platform, shop, [...new Set([...install.scopes, ...scopes])]);
}

/** Takes optional scopes back; a required one stays. */
export function revokeOptionalScopes(
  platform: Platform,
  shop: ShopDocument,
  scopes: string[],
): void {
  const { required } = scopesOf(platform, shop);
  const kept = installed(platform, shop).scopes.filter(
    (scope) => required.includes(scope) || !scopes.includes(scope),
  );
  setScopes(platform, shop, kept);
}

/** Shop and tokens have these scopes from here on; the app is told when that is a change: app/scopes_update. */
export function setScopes(platform: Platform, shop: ShopDocument, scopes: string[]): void {
  const { data, clock } = platform;
  const install = installed(platform, shop);
  if (install.scopes.join() === scopes.join()) return;
  data.installs.put({ ...install, scopes });
  for (const token of data.tokens.all()) {
    if (token.shop === shop.id) data.tokens.put({ ...token, scopes });
  }
  publish(platform, shop, "app/scopes_update", {
    id: nextId(data),
    shop_id: globalId("Shop", shop.numericId),
    previous: compressed(install.scopes),
    current: compressed(scopes),
    updated_at: new Date(clock.nowMs()).toISOString(),
  });
}

function installed({ data }: Platform, shop: ShopDocument): InstallDocument {
  const install = data.installs.get(shop.id);
  if (!install?.installed) throw new Refusal(409, "the app is not installed");
  return install;
}
