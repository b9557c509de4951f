import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { installPage } from "../web/public-pages/install-page.ts";

/** Shopify opens the app at its root, and the embedded pages live under /app. Anybody else is told how to install it. */
export function loader({ request }: LoaderFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  return searchParams.has("shop") ? redirect(`/app${search}`) : installPage();
}
