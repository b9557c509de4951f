import type { Api } from "@shopify/ui-extensions/customer-account.order-status.block.render";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AppServer, startAppServer } from "../../testing/app-server.ts";
import { hostOfLocale } from "../../testing/host-of-locale.ts";
import { one, renderInto, until } from "../../testing/render.tsx";
import { sampleRequest } from "../../testing/sample-request.ts";
import { OrderTests } from "./order-tests.tsx";

const LIST = "GET /api/customer/requests?paged";
let server: AppServer;
beforeAll(async () => {
  server = await startAppServer();
});
afterAll(() => server.close());

const TEST = { target: { type: "product" }, metafield: { key: "pathway" } };

/** The page of an order that was placed just now. Without `ofTests`, no product of it is mapped to a test. */
function show({ ofTests }: { ofTests: boolean }): Element {
  const signal = (value: unknown) => ({ value });
  const page = {
    authenticationState: signal("fully_authenticated"),
    order: signal({ id: "gid://shopify/Order/1001", processedAt: new Date().toISOString() }),
    appMetafields: signal(ofTests ? [TEST] : []),
  } as unknown as Api;
  return renderInto(hostOfLocale("order-tests"), server.origin, <OrderTests page={page} />);
}
const asked = () => server.received.filter(({ path }) => path.includes("/requests")).length;

test("says of a new order of tests that they are being set up", async () => {
  server.answer(LIST, 200, []);
  const root = show({ ofTests: true });
  expect(root.textContent).toContain("Loading your tests…");
  await until(() =>
    one(
      root,
      "s-paragraph",
      "We are still setting up the tests of this order. They appear here within a few minutes of payment.",
    ),
  );
});

test("says nothing of tests beside a new order of other goods", async () => {
  server.answer(LIST, 200, []);
  const before = asked();
  const root = show({ ofTests: false });
  expect(root.textContent).toBe("");
  // It asks again in silence: the app may not know the order yet.
  await until(() => expect(asked()).toBe(before + 2), 5_000);
  expect(root.textContent).toBe("");
});

test("shows the tests of an order that no product tells of, and that they could not be asked for", async () => {
  server.answer(LIST, 503, { error: "no" });
  const root = show({ ofTests: false });
  await until(() => one(root, "s-banner", "That did not work"));
  server.answer(LIST, 200, [sampleRequest({ title: "Ferritin" })]);
  const other = show({ ofTests: false });
  await until(() => one(other, "s-heading", "Ferritin"));
});
