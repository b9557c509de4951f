import { AppProvider } from "@shopify/polaris";
import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
} from "react-router-dom/server";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { newRun } from "../../modules/catalogue/start-run.ts";
import { ENVIRONMENTS } from "../../modules/shops/connection.ts";
import { presentRun } from "../app.mappings/present-mappings.ts";
import { DraftCard } from "./draft-card.tsx";

/** Renders the card as the server does. */
async function draw(card: ReactElement): Promise<string> {
  const { query, dataRoutes } = createStaticHandler([{ path: "*", element: card }]);
  const context = await query(new Request("https://pathway.example/"));
  if (context instanceof Response) throw new Error("the page leads elsewhere");
  return renderToStaticMarkup(
    <AppProvider i18n={{}}>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} />
    </AppProvider>,
  );
}

test.each(ENVIRONMENTS)(
  "a draft says that it is for %s, and so does the next file",
  async (environment) => {
    const counts = { done: 0, nothing_to_do: 0, refused: 0, failed: 0, waiting: 2, total: 2 };
    const made = {
      environment,
      kind: "file",
      state: "draft",
      at: START,
      actor: "staff:1",
    } as const;
    const run = newRun({ ...made, fileName: "m.csv" });
    const html = await draw(<DraftCard run={presentRun({ ...run, counts, mayUndo: false })} />);
    expect(html).toContain(`For ${environment}.`);
    expect(html).toContain(`Apply 2 changes to ${environment}`);
    expect(html).toContain(`/app/mappings/import?environment=${environment}`);
  },
);
