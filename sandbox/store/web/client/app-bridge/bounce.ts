import { originalFetch } from "./authenticated-fetch.ts";
import type { Connection } from "./connection.ts";

/**
 * The bounce page (`/auth/session-token?shopify-reload=…`) holds nothing but this script: the document that was meant
 * is fetched with a session token in the header and takes the page's place.
 *
 * Resolves to true when the page is a bounce page.
 */
export async function bounce(connection: Connection): Promise<boolean> {
  const reload = new URL(location.href).searchParams.get("shopify-reload");
  if (!reload) return false;
  const target = new URL(reload, location.href);
  if (target.origin !== location.origin) return false;
  const response = await originalFetch(target, {
    headers: {
      Authorization: `Bearer ${await connection.call("idToken", null)}`,
      "X-Shopify-Bounce": "1",
    },
  });
  const text = await response.text();
  history.replaceState(null, "", response.redirected ? response.url : target.href);
  document.open();
  document.write(text);
  document.close();
  return true;
}
