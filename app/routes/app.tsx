import type {
  HeadersFunction,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/node";
import { isRouteErrorResponse, Outlet, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { boundary } from "@shopify/shopify-app-remix/server";
import { documentLinks } from "../components/document/document-links.ts";
import { EmbeddedFrame } from "../components/document/embedded-frame.tsx";
import { PlatformAnswer } from "../components/document/platform-answer.tsx";
import { EmbeddedError } from "../components/feedback/embedded-error.tsx";
import { ErrorPage } from "../components/feedback/error-page.tsx";

export const meta: MetaFunction = () => [{ title: "Pathway" }];

export const links: LinksFunction = () => documentLinks;

export const headers: HeadersFunction = (args) => boundary.headers(args);

export async function loader({ request, context }: LoaderFunctionArgs) {
  await context.merchant(request);
  const { apiKey, appBridgeUrl } = context.app.embedding;
  return { apiKey, appBridgeUrl };
}

export default function AppLayout() {
  return (
    <EmbeddedFrame>
      <Outlet />
    </EmbeddedFrame>
  );
}

/** Every failure of an embedded page ends here, so that the answers of Shopify's library keep their headers. */
export function ErrorBoundary() {
  const error = useRouteError();
  const embedded = useRouteLoaderData<typeof loader>("routes/app");
  if (isRouteErrorResponse(error) && typeof error.data === "string" && error.data)
    return <PlatformAnswer html={error.data} />;
  if (!embedded) return <ErrorPage />;
  return (
    <EmbeddedFrame>
      <EmbeddedError />
    </EmbeddedFrame>
  );
}
