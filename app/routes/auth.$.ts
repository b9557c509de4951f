import type { LoaderFunctionArgs } from "@remix-run/node";

/** Shopify's library answers here: the bounce page that fetches a session token, and leaving the frame. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  await context.merchant(request);
  return null;
}
