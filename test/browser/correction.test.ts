import { expect, test } from "vitest";
import { z } from "zod";
import { linkIn, mailTo } from "../flows/mailed-links.ts";
import { putBack } from "../harness/index.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { openDocument, openUntil, signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { openMail } from "./by-mail.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

test("details are corrected in the account and behind a link; each time a new form replaces the former", async () => {
  // Behind a link, where no account can sign the buyer in; then in an account.
  await world.store.chooseAccounts("legacy");
  putBack(() => world.store.chooseAccounts("new"));
  const buyer = await shopping.newShopper();
  await shopping.buyToForm(buyer);
  const { page, look } = await newPageAuditor({ refusals: true });
  await openMail(page, linkIn(await mailTo(world, buyer.email, /form is ready/)));
  // The link to the form does not open the details: one that does comes by mail.
  await page.getByRole("button", { name: /^Email me a link to change the details/ }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await openMail(page, linkIn(await mailTo(world, buyer.email, /link to change the details/)));
  await page.getByRole("link", { name: /^Edit details/ }).click();
  const [year] = shopping.patient(0).dob.split("-");
  expect(await page.getByLabel("Year", { exact: true }).inputValue()).toBe(year);
  await look("guest-correction");
  await page.getByLabel("Last name").fill("Corrected");
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "Details corrected" }).waitFor();
  await mailTo(world, buyer.email, /corrected form/);
  await world.store.chooseAccounts("new");

  const { store_url: shop } = world.line.store;
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  const form = async (version: number) => {
    const name = new RegExp(`^Open referral form \\(version ${version}\\)`);
    await openUntil(page, `${shop}/account/pages/my-tests`, page.getByRole("button", { name }));
    return openDocument(page, /^Open referral form/);
  };
  expect(await form(2)).toMatch(/CORRECTED/i);
  await page.getByRole("button", { name: /^Edit details/ }).click();
  expect(await page.getByLabel("Last name").inputValue()).toBe("Corrected");
  await page.getByLabel("Last name").fill("Again");
  await page.getByLabel(/^I agree to/).check();
  await look("account-correction");
  await page.getByRole("button", { name: "Save details" }).click();
  // It says so, then that a new form is made; the corrected form may be there at once.
  await page
    .getByText("Details corrected")
    .or(page.getByText("We are making a new form"))
    .or(page.getByRole("button", { name: /^Open referral form \(version 3\)/ }))
    .first()
    .waitFor();
  expect(await form(3)).toMatch(/AGAIN/i);
});

test("a refunded test waits closed, mid-form too, until the shop lets the patient keep it", async () => {
  await savePolicies(world, { refundPolicy: "ask" });
  await world.store.chooseAccounts("legacy");
  putBack(async () => {
    await savePolicies(world);
    await world.store.chooseAccounts("new");
  });
  const buyer = await shopping.newShopper();
  const { order } = await shopping.buyToForm(buyer);
  const { page, look } = await newPageAuditor({ refusals: true, isScriptless: true });
  await openMail(page, linkIn(await mailTo(world, buyer.email, /form is ready/)));
  await page.getByRole("button", { name: /^Email me a link to change the details/ }).click();
  await openMail(page, linkIn(await mailTo(world, buyer.email, /link to change the details/)));
  await page.getByRole("link", { name: /^Edit details/ }).click();
  await page.getByLabel("Last name").fill("Typed-Meanwhile");
  const form = page.url();

  await world.store.refund(order.id, [{ lineItemId: order.lines[0]?.id ?? "", quantity: 1 }]);
  await mailTo(world, buyer.email, /don’t use your form for now/);
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "This test is waiting for the shop" }).waitFor();
  await look("refund-form-closed");
  await page.goto(form);
  await page.getByText("Until then its details and its form are closed").waitFor();
  await page.getByRole("link", { name: /Back/ }).click();
  await page.getByText("the shop is deciding whether the test goes ahead").waitFor();
  await look("refund-waits", { paper: ["Please don’t use its form for now"] });

  const [unit] = await world.sql.rows(
    z.object({ id: z.string() }),
    "SELECT id::text FROM referral_requests WHERE order_id = $1",
    [order.id],
  );
  await world.pages.submit(orderPage(order), { intent: "keep-request", requestId: unit?.id ?? "" });
  await mailTo(world, buyer.email, /You can go on with your order/);
  await page.goto(form);
  expect(await page.getByLabel("Last name").inputValue()).toBe("Typed-Meanwhile");
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "Details corrected" }).waitFor();
  await mailTo(world, buyer.email, /corrected form/);
});
