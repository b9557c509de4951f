// Checks of shopify.app.toml before anything is deployed. Plain JavaScript without packages.
import { existsSync, readFileSync } from "node:fs";

/** The file of a named configuration, as Shopify's command line calls it. */
export const configFile = (name) =>
  name ? `shopify.app.${name.replace(/^shopify\.app\.|\.toml$/g, "")}.toml` : "shopify.app.toml";

/** A client id that `shopify app config link` has not replaced yet. */
const PLACEHOLDER_ID = "0123456789abcdef0123456789abcdef";

/**
 * Reads a configuration's address and what keeps it from being deployed, each fault with its remedy.
 * @param {string} path
 * @returns {{address: string | undefined, faults: string[]}}
 */
export function readConfig(path) {
  if (!existsSync(path))
    return {
      address: undefined,
      faults: ["The file does not exist. Make it with: npx @shopify/cli@4.8.2 app config link"],
    };
  const text = readFileSync(path, "utf8");
  const value = (key) => new RegExp(`^${key} = "([^"]*)"`, "m").exec(text)?.[1];
  const address = value("application_url");
  const faults = [];
  if (value("client_id") === PLACEHOLDER_ID)
    faults.push(
      "client_id is a placeholder. Link your app with: npx @shopify/cli@4.8.2 app config link",
    );
  if (!address?.startsWith("https://"))
    faults.push("application_url has to be the HTTPS address at which Pathway runs.");
  const left = [...text.matchAll(/"(https?:\/\/[^"]*\.example(?:[/:][^"]*)?)"/g)].map(
    ([, one]) => one,
  );
  for (const one of left)
    faults.push(`${one} is a placeholder. Write the address at which Pathway runs in its place.`);
  return { address, faults };
}
