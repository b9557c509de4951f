import { expect, test } from "vitest";
import { storeCalls } from "../flows/store-calls.ts";
import { adminAddress } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";

// A world of its own: nobody's colleagues have been here yet.
const { world, newPageAuditor } = await openOwnBrowserFixture();

test("somebody whom Shopify has never told about reads what was tried and how to get in, and is let in by the same page", async () => {
  const calls = storeCalls(world);
  const colleague = (await calls.staff()).at(-1)?.id;
  const token = () => calls.staffToken(world.line.store.shop, colleague);
  const auditor = await newPageAuditor({ isClosed: true });
  const { page } = auditor;
  // The admin of the sandbox is its owner's: the colleague's tokens go where the owner's would.
  await page.route(/[?&]id_token=/, async (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set("id_token", await token());
    await route.continue({ url: url.href });
  });
  await page.route("**/admin-ui/api/session-token", async (route) =>
    route.fulfill({ json: { token: await token() } }),
  );

  await world.store.setFaults({ graphqlStatus: 500 });
  await page.goto(adminAddress(world, "/apps/pathway/app"));
  const frame = page.frameLocator("#app-frame");
  await frame.getByRole("heading", { name: "Shopify hasn’t told Pathway who you are" }).waitFor();
  const said = await frame.locator("body").innerText();
  expect(said).toContain("Pathway asked Shopify for your name and your store");
  expect(said).toContain("open Pathway again from Apps");
  await auditor.look("admin-unknown-staff", { isWaiting: true });

  await world.store.setFaults({});
  await frame.getByRole("heading", { name: "Home", level: 1 }).waitFor({ timeout: 40_000 });
}, 150_000);
