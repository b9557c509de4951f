import { AppProvider } from "@shopify/polaris";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
} from "react-router-dom/server";

/** Draws a part of an admin page as the server does. */
export async function drawElement(element: ReactElement): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([{ path: "*", element }]);
  const context = await query(new Request("https://pathway.example/"));
  if (context instanceof Response) throw new Error("the page leads elsewhere");
  return renderToStaticMarkup(
    <AppProvider i18n={{}}>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} />
    </AppProvider>,
  );
}
