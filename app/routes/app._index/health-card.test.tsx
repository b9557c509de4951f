import { AppProvider } from "@shopify/polaris";
import { renderToStaticMarkup } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  StaticRouterProvider,
} from "react-router-dom/server";
import { expect, test } from "vitest";
import { HealthCard } from "./health-card.tsx";
import type { HomeView } from "./present-home.ts";

const SINCE = "2026-11-20T00:00:00.000Z";
const UNTIL = "2026-11-20T00:17:00.000Z";

/** As the server draws it. */
async function draw(
  now: string,
  pause: HomeView["health"]["pause"],
  clockSkewMinutes = 0,
): Promise<string> {
  const health: HomeView["health"] = {
    environment: "Staging",
    isConnected: true,
    failure: null,
    lastTestedAt: SINCE,
    lastEventAt: null,
    tailedThrough: null,
    eventsReceived: 0,
    eventsRepaired: 0,
    tailingPages: null,
    clockSkewMinutes,
    refused: null,
    unreadableEntries: 0,
    pause,
  };
  const element = <HealthCard health={health} now={now} />;
  const { query, dataRoutes } = createStaticHandler([{ path: "*", element }]);
  const context = await query(new Request("https://pathway.example/"));
  if (context instanceof Response) throw new Error("the page leads elsewhere");
  return renderToStaticMarkup(
    <AppProvider i18n={{}}>
      <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} />
    </AppProvider>,
  );
}

test("says since when, why and until when sending is paused", async () => {
  const html = await draw(SINCE, { since: SINCE, until: UNTIL });
  expect(html).toContain(`since <time dateTime="${SINCE}"`);
  expect(html).toContain("a standby took over");
  expect(html).toContain(`after <time dateTime="${UNTIL}"`);
  expect(html).toContain("Paused");
});

test("says that the comparison is under way once its earliest end is over", async () => {
  const html = await draw("2026-11-20T00:18:00.000Z", { since: SINCE, until: UNTIL });
  expect(html).toContain("when the comparison that is under way ends");
});

test("says nothing of a pause while nothing is paused", async () => {
  expect(await draw(SINCE, null)).not.toContain("paused");
});

test("says by how much the server's clock is off, and that orders are not affected", async () => {
  expect(await draw(SINCE, null, -30)).toMatch(/30 minutes\s+slow/);
  expect(await draw(SINCE, null)).not.toContain("clock");
});
