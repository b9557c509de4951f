import { readUuid, type ShopDomain, shopDomain } from "../../modules/kernel/ids.ts";
import { TOKEN_FORM } from "../../modules/kernel/secret.ts";

const TOKEN = new RegExp(`^([a-z0-9-]{1,60})\\.(${TOKEN_FORM})$`);

/**
 * Reads `{shop}.{secret}`, the form of every secret that travels in an address, a cookie or a bearer: the shop
 * goes with it, because every table is looked into through one shop's eyes. Null for anything else.
 */
export function readToken(text: string | undefined): { shop: ShopDomain; token: string } | null {
  const [, name, token] = TOKEN.exec(text ?? "") ?? [];
  const shop = name && shopDomain(`${name}.myshopify.com`);
  return shop && token ? { shop, token } : null;
}

/** The other way round. */
export const writeToken = (shop: ShopDomain, secret: string): string =>
  `${shop.replace(".myshopify.com", "")}.${secret}`;

/**
 * A path as it may be written down: whoever reads logs must not be able to use a link that nobody has opened yet. A sign may stand
 * there by its number, as "%2D".
 */
export const withoutSecrets = (path: string): string =>
  path.replace(/(?:[\w-]|%(?!2E)[0-9A-F]{2}){43,}/gi, "…");

/** Reads `{shop}.{link id}`, where the pages of one visit are. It is no secret. */
export function readLinkAddress(
  text: string | undefined,
): { shop: ShopDomain; linkId: string } | null {
  const [, name, linkId] = /^([a-z0-9-]{1,60})\.([0-9a-f-]{36})$/.exec(text ?? "") ?? [];
  const shop = name && shopDomain(`${name}.myshopify.com`);
  return shop && linkId && readUuid(linkId) ? { shop, linkId } : null;
}
