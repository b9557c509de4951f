import { expect, test } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { eventually } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";

// A world of its own: the setup guide is there until somebody dismisses it, and nothing else is for today.
const { world, shopping, newPageAuditor } = await openOwnBrowserFixture();

test("what cannot wait stands above the setup guide, with the patient to ring on the order's page", async () => {
  const merchant = await newPageAuditor();
  const home = { path: "/app", heading: "Home" };
  const headings = async () => {
    const frame = await openApp(world, merchant, home);
    return frame.getByRole("heading", { level: 2 }).allInnerTexts();
  };
  expect((await headings())[0]).toBe("Get set up");

  const { order, requests } = await shopping.buyToForm(await shopping.newShopper());
  const [referral] = await oneReferralEach(world, requests);
  await world.console.sendResults(referral?.uuid ?? "", { critical: true, seed: 5 });
  await eventually(async () => expect((await headings())[0]).toBe("Needs attention"));
  const frame = merchant.page.frameLocator("#app-frame");
  await frame.getByText("Today", { exact: true }).waitFor();
  await merchant.look("admin-home-today");

  await openApp(world, merchant, { path: orderPage(order), heading: order.name });
  await frame.getByText("Ring the patient:").waitFor();
  const { phone } = shopping.patient(0);
  const number = frame.getByRole("link", { name: phone.replaceAll(" ", "") });
  expect(await number.getAttribute("href")).toMatch(/^tel:\+?\d+$/);
  await merchant.look("admin-order-today");
}, 120_000);
