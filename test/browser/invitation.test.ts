import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { textOfPdf } from "../flows/customer-documents.ts";
import { linkIn, mailTo } from "../flows/mailed-links.ts";
import { requestsOf } from "../flows/rows.ts";
import { fillInBirth, signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { enterCode, openMail } from "./by-mail.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

test("a buyer hands a unit over, takes it back, hands it over again; the patient alone sees the rest", async () => {
  const { store_url: shop } = world.line.store;
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  await shopping.requestsWhen(order, 1);
  const mistaken = shopping.newAddress("wrong");
  const address = shopping.newAddress("right");

  const shopper = await newPageAuditor({ refusals: true });
  const { page } = shopper;
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  await page.goto(`${shop}/account/pages/my-tests`);
  await page.getByRole("button", { name: /^It’s for someone else/ }).click();
  await page.getByLabel("Patient's email").fill(mistaken);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText(`Link sent to ${mistaken}`).waitFor();
  await shopper.look("account-handed-over");
  const wrong = linkIn(await mailTo(world, mistaken, /ordered something for you/));
  await page.getByRole("button", { name: /^Cancel the invitation/ }).click();
  await page.getByRole("button", { name: /^It’s for someone else/ }).click();
  await page.getByLabel("Patient's email").fill(address);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText(`Link sent to ${address}`).waitFor();

  // The link that was taken back leads nowhere; the other one to the patient's own page.
  const patient = await newPageAuditor({ refusals: true });
  await patient.page.goto(wrong);
  await patient.page.getByRole("heading", { name: "This link is closed" }).waitFor();
  await patient.look("patient-link-gone");
  const mail = await mailTo(world, address, /ordered something for you/);
  expect(mail.text).not.toContain(buyer.email);
  await openMail(patient.page, linkIn(mail));
  await patient.page.getByRole("link", { name: /^Add patient details/ }).click();
  expect(await patient.page.getByLabel("First name").inputValue()).toBe("");
  const person = shopping.patient(1);
  for (const [label, value] of [
    ["First name", person.firstName],
    ["Last name", person.lastName],
    ["Email", person.email],
    ["Street address", person.address.addressLine1],
    ["Suburb or town", person.address.city],
    ["Postcode", person.address.postCode],
  ] as const)
    await patient.page.getByLabel(label).fill(value);
  await fillInBirth(patient.page, person.dob);
  await patient.page.getByLabel(/^Phone/).fill(person.phone);
  await patient.page.getByLabel("Sex recorded for the test").selectOption(person.gender);
  await patient.page.getByLabel("State or territory").selectOption(person.address.state);
  await patient.page.getByLabel(/^I agree to/).check();
  await patient.page.getByRole("button", { name: "Save details" }).click();
  await patient.page.getByRole("heading", { name: "Details saved" }).waitFor();

  await openMail(patient.page, linkIn(await mailTo(world, address, /form is ready/)));
  const saving = patient.page.waitForEvent("download");
  await patient.page.getByRole("link", { name: /^Open referral form/ }).click();
  const words = await textOfPdf(await readFile(await (await saving).path()));
  expect(words).toContain(person.lastName.toUpperCase());
  const [referral] = await oneReferralEach(world, await requestsOf(world.sql, order.id));
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
  await openMail(patient.page, linkIn(await mailTo(world, address, /something new/)));
  await patient.page.getByRole("link", { name: /^See results/ }).click();
  await enterCode(patient.page, world, address);
  await patient.page.getByRole("heading", { name: "All values" }).waitFor();
  const result = patient.page.url();

  // The buyer learns that the details are there, and nothing after that, by no way.
  await page.goto(`${shop}/account/pages/my-tests`);
  await page.getByText("The patient has given the details").waitFor();
  await shopper.look("account-handed-over-done");
  const told = await page.locator("body").innerText();
  for (const secret of [person.lastName, address, "Results ready", "See results"])
    expect(told).not.toContain(secret);
  expect(await page.getByRole("button", { name: /Open|See|Take/ }).count()).toBe(0);
  const refused = await page.goto(result);
  expect(refused?.status()).toBe(404);
  expect(
    (await buyer.api.requests()).map(({ documents, resultId }) => [documents, resultId]),
  ).toEqual([[[], undefined]]);
});

test("a shop with legacy accounts shows the same pages inside its theme, to the signed-in customer alone", async () => {
  const { store_url: shop } = world.line.store;
  const buyer = await shopping.newShopper();
  const { order } = await shopping.buyToForm(buyer);
  const visitor = await newPageAuditor({ refusals: true, isScriptless: true });
  const { page } = visitor;
  await page.goto(`${shop}/apps/pathway`);
  await page.getByRole("heading", { name: "Sign in to see your tests" }).waitFor();
  expect(await page.locator("body").innerText()).not.toContain(order.name);
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  await page.goto(`${shop}/apps/pathway`);
  await page.getByText(`Order ${order.name}`, { exact: true }).waitFor();
  await visitor.look("theme-tests");
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Open referral form/ }).click();
  expect(await textOfPdf(await readFile(await (await saving).path()))).not.toBe("");

  // A form of another site, which Shopify would sign for whoever is signed in, changes nothing.
  const next = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const [unit] = await shopping.requestsWhen(next, 1);
  const answer = await page.request.post(`${shop}/apps/pathway/requests/${unit?.id}/hand-over`, {
    form: { email: "thief@example.com" },
  });
  expect(answer.status()).toBe(403);
  expect((await buyer.api.requests()).map(({ state }) => state).toSorted()).toEqual([
    "awaiting_details",
    "form_ready",
  ]);
  const invited = shopping.newAddress("theme");
  await page.goto(`${shop}/apps/pathway/requests/${unit?.id}/hand-over`);
  await page.getByLabel("Patient's email").fill(invited);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText("We have sent the patient a link").waitFor();
  await mailTo(world, invited, /ordered something for you/);

  // Neither unsigned nor for another customer.
  const app = world.line.app_url;
  for (const query of ["", "?logged_in_customer_id=1&shop=x.myshopify.com&signature=00"]) {
    const direct = await fetch(`${app}/proxy${query}`);
    expect([direct.status, await direct.text()]).toEqual([404, "There is nothing here."]);
  }
});
