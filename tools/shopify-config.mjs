// Checks of shopify.app.toml before anything is deployed. Plain JavaScript without packages.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The file of a named configuration, as Shopify's command line calls it. */
export const configFile = (name) =>
  name ? `shopify.app.${name.replace(/^shopify\.app\.|\.toml$/g, "")}.toml` : "shopify.app.toml";

/** A client id that nobody has replaced yet. */
const PLACEHOLDER_ID = "0123456789abcdef0123456789abcdef";

/** Ours, those that Shopify gives a new app, this machine, and the tunnels of `shopify app dev`. */
const PLACEHOLDERS = [
  /\.example$/,
  /(^|\.)example\.(com|org|net)$/,
  /^shopify\.dev$/,
  /^localhost$|^127\.|^\[::1\]$/,
  /\.trycloudflare\.com$/,
];

/**
 * What the app cannot work without, as text of the file. `shopify app config link` writes what Shopify knows of an app
 * over the file, and a new app has none of it: Shopify would then send nothing, and refuse every call.
 */
export const REQUIRED = {
  scopes: [
    ..."read_products write_products read_orders read_customers read_customer_merge".split(" "),
    ..."write_orders read_merchant_managed_fulfillment_orders".split(" "),
    "write_merchant_managed_fulfillment_orders",
  ],
  topics: [
    ..."orders/paid orders/updated orders/cancelled orders/edited refunds/create".split(" "),
    ..."orders/risk_assessment_changed orders/delete".split(" "),
    ..."products/create products/update products/delete customers/merge".split(" "),
    ..."app/uninstalled app/scopes_update".split(" "),
    ..."customers/data_request customers/redact shop/redact".split(" "),
  ],
  sections: ["app_proxy", "product.metafields.app.pathway"],
};

/**
 * Reads a configuration's address and what keeps it from being deployed, each fault with its remedy.
 * @param {string} path
 * @returns {{address: string | undefined, faults: string[]}}
 */
export function readConfig(path) {
  if (!existsSync(path))
    return {
      address: undefined,
      faults: ["The file does not exist. Make it from shopify.app.toml: docs/shopify.md, 2.2."],
    };
  const text = readFileSync(path, "utf8").replace(/^\s*#.*$/gm, "");
  const value = (key) => new RegExp(`^${key} = "([^"]*)"`, "m").exec(text)?.[1];
  const address = value("application_url");
  const faults = [];
  if (value("client_id") === PLACEHOLDER_ID)
    faults.push("client_id is a placeholder. Write the one of your app: docs/shopify.md, 1.4.");
  if (!address?.startsWith("https://"))
    faults.push("application_url has to be the HTTPS address at which Pathway runs.");
  const addresses = [...text.matchAll(/"(https?:\/\/[^"]*)"/g)].map(([, one]) => one);
  for (const one of addresses.filter(isPlaceholder))
    faults.push(`${one} is a placeholder. Write the address at which Pathway runs in its place.`);
  return { address, faults: [...faults, ...missingFrom(text)] };
}

function isPlaceholder(address) {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return PLACEHOLDERS.some((one) => one.test(hostname));
}

function missingFrom(text) {
  const granted = new Set(text.match(/\w+/g));
  const missing = [
    ...REQUIRED.scopes.filter((one) => !granted.has(one)),
    ...REQUIRED.topics.filter((one) => !text.includes(`"${one}"`)),
    ...REQUIRED.sections.map((one) => `[${one}]`).filter((one) => !text.includes(one)),
  ];
  if (missing.length === 0) return [];
  return [`${missing.join(", ")}: missing. Take it from the repository's shopify.app.toml.`];
}

/**
 * Shopify's command line writes the variables of .env into the extensions wherever they are named, and APP_URL is: a
 * deployment would call that address instead of the configuration's. Returns a fault for each file that has it.
 * @param {string} folder
 * @param {string} [name] of the configuration
 * @returns {string[]}
 */
export function strayAddresses(folder, name) {
  const short = name?.replace(/^shopify\.app\.|\.toml$/g, "");
  const files = [".env", ...(short ? [`.env.${short}`] : [])];
  return files
    .filter((file) => existsSync(join(folder, file)))
    .filter((file) => /^(export )?APP_URL=[^\s#]/m.test(readFileSync(join(folder, file), "utf8")))
    .map((file) => `${file} sets APP_URL, which would go into the extensions. Take it out.`);
}
