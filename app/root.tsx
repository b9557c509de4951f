import {
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { LOAD_AGAIN } from "./components/document/load-again.ts";
import { useNonce } from "./components/document/nonce.ts";
import { ErrorPage } from "./components/feedback/error-page.tsx";
import type { loader as appLoader } from "./routes/app.tsx";

/**
 * The document. App Bridge comes before every other script, as Shopify asks; only embedded pages need it. Style sheets
 * come before it: it stops the parser, and a browser that has waited for it lays out what follows without those that
 * are still on their way.
 */
export function Layout({ children }: { children: ReactNode }) {
  const embedded = useRouteLoaderData<typeof appLoader>("routes/app");
  const nonce = useNonce();
  return (
    <html lang="en-AU">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <Meta />
        <script
          nonce={nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, before every script that it watches.
          dangerouslySetInnerHTML={{ __html: LOAD_AGAIN }}
        />
        <Links />
        {embedded && <script src={embedded.appBridgeUrl} data-api-key={embedded.apiKey} />}
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

/** Shows failures outside the embedded pages, which have a boundary of their own. */
export function ErrorBoundary() {
  return <ErrorPage />;
}
