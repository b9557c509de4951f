import { expect, test } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { eventually } from "../harness/index.ts";
import { orderPage } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openUntil, signIn } from "./as-shopper.ts";
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

  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
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

  const { store_url: shop } = world.line.store;
  const { page, look } = await newPageAuditor();
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  const step = page.getByText("Please open your results today and read the note at the top.");
  await openUntil(page, `${shop}/account/pages/my-tests`, step);
  await look("account-today");
  await page.getByRole("button", { name: /^See results/ }).click();
  await page.getByText("Share with a doctor").click();
  await page.getByRole("button", { name: "Make a link and a passcode" }).click();
  await page.getByText("The link is ready").waitFor();
  await look("account-shared");
});
