import type { LoaderFunctionArgs } from "@remix-run/node";
import { shopDomain } from "../modules/kernel/ids.ts";
import { installPage } from "../web/public-pages/install-page.ts";

/** Answered by Shopify's library: the page that fetches a session token. */
const BOUNCE = "session-token";
/** Where it goes with the token. */
const RELOAD = "shopify-reload";

/**
 * Shopify installs the app by itself, so nothing else under /auth signs anybody in. The library's page that leaves the frame is
 * left out: nothing here leads to it, and it goes where its address says. The one that fetches a token is for a shop's admin:
 * the library writes the shop of its address into a header as it stands there. It takes the token to the page that it names, which
 * is one of ours: whether App Bridge looks, only Shopify knows.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const shop = shopDomain(searchParams.get("shop") ?? "");
  const { origin } = new URL(context.app.ports.appUrl);
  const isOurs = (address: string) => URL.parse(address, origin)?.origin === origin;
  const goesToUs = searchParams.getAll(RELOAD).every(isOurs);
  if (params["*"] !== BOUNCE || !shop || !goesToUs) return installPage();
  await context.merchant(request);
  return null;
}
