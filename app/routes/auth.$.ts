import type { LoaderFunctionArgs } from "@remix-run/node";
import { installPage } from "../web/public-pages/install-page.ts";

/** Answered by Shopify's library: the page that fetches a session token, and the one that leaves the frame. */
const LIBRARYS = new Set(["session-token", "exit-iframe"]);

/** Shopify installs the app by itself, so nothing else under /auth signs anybody in. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  if (!LIBRARYS.has(params["*"] ?? "")) return installPage();
  await context.merchant(request);
  return null;
}
