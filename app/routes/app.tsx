import type {
  HeadersFunction,
  LinksFunction,
  LoaderFunctionArgs,
  MetaFunction,
} from "@remix-run/node";
import {
  isRouteErrorResponse,
  Outlet,
  type ShouldRevalidateFunction,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { Box } from "@shopify/polaris";
import { boundary } from "@shopify/shopify-app-remix/server";
import { documentLinks } from "../components/document/document-links.ts";
import { EmbeddedFrame } from "../components/document/embedded-frame.tsx";
import { PlatformAnswer } from "../components/document/platform-answer.tsx";
import { EmbeddedError } from "../components/feedback/embedded-error.tsx";
import { ErrorPage } from "../components/feedback/error-page.tsx";
import { OutageBanner, presentOutage } from "../components/feedback/outage-banner.tsx";
import { rereadAnswered } from "../components/form/keep-page.ts";
import { isLookingAgain } from "../components/loading/looks.ts";
import { describeOutage } from "../modules/lifecycle/connection-words.ts";
import { readFailing } from "../modules/lifecycle/read-failing.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { readRights } from "../modules/shops/may-do.ts";
import { TIME_ZONE } from "../platform/calendar-day.ts";

export const meta: MetaFunction = () => [{ title: "Pathway" }];

export const links: LinksFunction = () => documentLinks;

export const headers: HeadersFunction = (args) => boundary.headers(args);

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { shop, actor } = await context.merchant(request);
  const { ports, describeFailure } = context.app;
  const { apiKey, appBridgeUrl } = context.app.embedding;
  const [failing, help, rights] = await Promise.all([
    readFailing(ports, shop),
    customerHelp(ports, shop),
    readRights(ports, { shop, actor }),
  ]);
  const timeZone = help?.timeZone ?? TIME_ZONE;
  const outage = describeOutage(failing, { now: ports.clock.now(), describeFailure });
  return {
    ...{ apiKey, appBridgeUrl, timeZone, rights },
    outage: outage?.isDown ? presentOutage(outage) : null,
  };
}

/** A page that looks again by itself asks for its own data alone, which stay where no answer comes. */
export const shouldRevalidate: ShouldRevalidateFunction = (read) =>
  rereadAnswered(read) && !isLookingAgain(read.currentUrl);

export default function AppLayout() {
  const { outage } = useLoaderData<typeof loader>();
  return (
    <EmbeddedFrame>
      {outage && (
        <Box padding="400">
          <OutageBanner outage={outage} />
        </Box>
      )}
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
