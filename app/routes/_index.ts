import { type LoaderFunctionArgs, redirect } from "@remix-run/node";

/** Shopify opens the app at its root; the embedded pages live under /app. */
export function loader({ request }: LoaderFunctionArgs) {
  const { search } = new URL(request.url);
  return redirect(`/app${search}`);
}
