import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { linkIn, mailedCode, mailTo } from "../flows/mailed-links.ts";
import { requestsOf } from "../flows/rows.ts";
import { SHIPPING_ADDRESS } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { fillInBirth } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { openMail, openPdf } from "./by-mail.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
// Guests are mailed links where no account can sign them in.
await world.store.chooseAccounts("legacy");
afterAll(async () => {
  await world.store.chooseAccounts("new");
  await savePolicies(world, { finderName: "", finderUrl: "" });
});

const FINDER = {
  finderName: "Smith & Sons <Pathology>",
  finderUrl: "https://example.com/centres?state=VIC&near=me",
};

test("a guest gives details, opens the form and reads the results by mailed links, without script", async () => {
  const email = shopping.newAddress("guest");
  const order = await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const patient = shopping.patient(0);
  await savePolicies(world, FINDER);
  const guest = await newPageAuditor({ refusals: true, isScriptless: true });
  const { page } = guest;
  const asking = await mailTo(world, email, /few details/);
  await page.goto(linkIn(asking));
  await guest.look("guest-link");
  await openMail(page, linkIn(asking));
  await guest.look("guest-page", { paper: [shopping.product("bundle").title, order.name] });

  await page.getByRole("link", { name: /^Add patient details/ }).click();
  await guest.look("guest-who");
  await page.getByRole("link", { name: "It’s for me" }).click();
  // The lines that decide are in sight, the rest is one press away, and all of it is there on paper.
  const rest = page.getByText(
    /can open the results, also before they are released, only by giving/,
  );
  await page.getByText(/^Who sees the results/).waitFor();
  expect(await rest.isVisible()).toBe(false);
  await guest.look("guest-form", { paper: ["Office of the Australian Information Commissioner"] });
  await page.getByText(/^The rest of this notice/).click();
  await rest.waitFor();
  // The order's facts are there already; a missing one is said at its field.
  expect(await page.getByLabel("Suburb or town").inputValue()).toBe(SHIPPING_ADDRESS.city);
  await page.getByLabel("First name").fill(patient.firstName);
  await page.getByLabel("Last name").fill(patient.lastName);
  await page.getByLabel("Postcode").fill("0800");
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("alert").waitFor();
  expect(await page.getByLabel("First name").inputValue()).toBe(patient.firstName);
  expect(await page.title()).toMatch(/^Error: /);
  const summary = page.getByRole("alert");
  expect(await summary.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await summary.getByRole("link").allInnerTexts()).toEqual([
    "Enter the date of birth.",
    "Choose the sex that the laboratory should use for its reference ranges.",
    "This postcode is not in VIC.",
    "Tick the box to continue.",
  ]);
  await summary.getByRole("link", { name: "Enter the date of birth." }).click();
  const day = page.getByLabel("Day", { exact: true });
  expect(await day.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await day.getAttribute("aria-invalid")).toBe("true");
  await page.waitForLoadState();
  await guest.look("guest-form-errors", { paper: ["Enter the date of birth."] });

  await fillInBirth(page, patient.dob);
  await page.getByLabel("Sex recorded for the test").selectOption(patient.gender);
  await page.getByLabel("Email").fill(patient.email);
  await page.getByLabel(/^Phone/).fill(patient.phone);
  await page.getByLabel("Street address").fill(patient.address.addressLine1);
  await page.getByLabel("Suburb or town").fill(patient.address.city);
  await page.getByLabel("State or territory").selectOption(patient.address.state);
  await page.getByLabel("Postcode").fill(patient.address.postCode);
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "Details saved" }).waitFor();
  await guest.look("guest-saved");

  // A later mail brings a link of its own.
  await openMail(page, linkIn(await mailTo(world, email, /form is ready/)));
  const centres = page.getByRole("link", {
    name: `Find a collection centre: ${FINDER.finderName}`,
  });
  expect(await centres.getAttribute("href")).toBe(FINDER.finderUrl);
  expect(await centres.getAttribute("rel")).toBe("noopener noreferrer");
  const paper = ["For Mia T.", order.name, "What to bring", FINDER.finderUrl];
  await guest.look("guest-form-ready", { paper });
  expect(await openPdf(page, /^Open referral form/)).toContain(patient.lastName.toUpperCase());

  const requests = await requestsOf(world.sql, order.id);
  const [referral] = await oneReferralEach(world, requests);
  await world.console.sendResults(referral?.uuid ?? "", { abnormal: true, seed: 7 });
  await openMail(page, linkIn(await mailTo(world, email, /something new/)));
  await page.getByRole("link", { name: /^See results/ }).click();
  await guest.look("guest-code");
  const code = await mailedCode(world, email, () =>
    page.getByRole("button", { name: "Email me a code" }).click(),
  );
  await page.getByText("We sent a 6-digit code to g•••@example.com").waitFor();
  await page.getByLabel("6-digit code").fill(code === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").waitFor();
  await guest.look("guest-code-wrong");
  await page.getByLabel("6-digit code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "All values" }).waitFor();
  const figures = await page.locator("main .pw-row strong, main .pw-value").allTextContents();
  expect(figures.length).toBeGreaterThan(5);
  await guest.look("guest-result", { paper: ["Mia Thompson, born 17 April 1988", ...figures] });
  expect(await page.locator("main").innerText()).not.toMatch(/10\^/);
  expect(await openPdf(page, /^Open result report/)).toContain(patient.lastName.toUpperCase());

  // The visit ends when its owner says so, and the used link leads nowhere.
  const inside = page.url();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: /signed out/ }).waitFor();
  await page.goto(inside);
  await page.getByRole("heading", { name: /expired or been used/ }).waitFor();
});

test("an opened link opens nothing in another browser, and a new one comes by mail alone", async () => {
  const email = shopping.newAddress("guest-two");
  await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("tests").variantId, quantity: 2 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const link = linkIn(await mailTo(world, email, /few details/));
  const guest = await newPageAuditor({ refusals: true });
  await openMail(guest.page, link);
  await guest.page.getByRole("heading", { name: "Details needed for 2 of 2 tests" }).waitFor();
  await guest.look("guest-several");
  const inside = guest.page.url();
  // Its own browser comes back with the same link.
  await guest.page.goto(link);
  expect(guest.page.url()).toBe(inside);

  const other = await newPageAuditor({ refusals: true });
  for (const address of [link, inside, link.replace(/\.[\w-]{43}/, `.${"x".repeat(43)}`)]) {
    const answer = await other.page.goto(address);
    expect(answer?.status()).toBe(404);
    await other.page.getByRole("heading", { name: /expired or been used/ }).waitFor();
  }
  await other.page.goto(link);
  await other.page.getByRole("button", { name: "Send me a new link" }).click();
  await other.page.getByRole("heading", { name: "Check your email" }).waitFor();
  const renewed = await mailTo(world, email, /new link/);
  expect(renewed.to).toContain(email);
  await openMail(other.page, linkIn(renewed));
});

test("a guest presses twice, without a cookie at first, and finds nothing by going back once signed out", async () => {
  const email = shopping.newAddress("guest-twice");
  await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const { page, look } = await newPageAuditor({ refusals: true });
  await page.goto(linkIn(await mailTo(world, email, /few details/)));
  const open = page.getByRole("button", { name: "Open my page" });
  await page.context().clearCookies();
  await open.click();
  await page.getByRole("alert").getByText("keep the cookie").waitFor();
  await look("guest-link-no-cookie");
  await open.dblclick();
  await page.getByRole("heading", { level: 1, name: "Your test" }).waitFor();

  const mistyped = shopping.newAddress("pat");
  await page.getByRole("link", { name: /^Let the patient fill this in/ }).click();
  await page.getByLabel("Patient's email").fill(mistyped);
  await page.getByRole("button", { name: "Send link" }).dblclick();
  await page.getByText(`We have sent the patient a link, to ${mistyped}.`).waitFor();
  await look("guest-sent-to-patient");
  await page.getByRole("button", { name: /^Cancel the invitation/ }).dblclick();
  await page.getByRole("link", { name: /^Add patient details/ }).waitFor();

  expect(await page.title()).not.toContain(shopping.product("bundle").title);
  await page.getByRole("link", { name: /^Add patient details/ }).click();
  await page.getByRole("link", { name: "It’s for me" }).click();
  await page.getByRole("heading", { level: 1, name: /^Patient details for/ }).waitFor();
  expect(await page.title()).toMatch(/^Patient details · /);
  await page.getByRole("button", { name: "Sign out" }).dblclick();
  await page.getByRole("heading", { name: "You are signed out" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: /expired or been used/ }).waitFor();
  const subjects = (await world.store.mail()).filter(({ to }) => to === email);
  expect(subjects.map(({ subject }) => subject)).toEqual([expect.stringContaining("few details")]);
});

test("what a guest typed waits behind a new link when the visit ends meanwhile", async () => {
  const email = shopping.newAddress("guest-late");
  const order = await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("medicare").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const { page, look } = await newPageAuditor({ refusals: true });
  await openMail(page, linkIn(await mailTo(world, email, /few details/)));
  await page.getByRole("link", { name: /^Add patient details/ }).click();
  await page.getByRole("link", { name: "It’s for me" }).click();
  await page.getByLabel("First name").fill("");
  await page.getByLabel("Last name").fill("Suharto");
  await page.getByLabel("The patient has only one name").check();
  await fillInBirth(page, `${new Date().getFullYear() - 9}-02-03`);
  await page.getByLabel("Medicare card number").fill("2123 45670 1");
  await page.getByLabel(/^Individual reference number/).fill("2");
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  const summary = page.getByRole("alert");
  await summary.getByText(/must be at least 18 .*cancel and refund/).waitFor();
  await look("guest-form-under-age");

  await fillInBirth(page, "1970-02-31");
  const [request] = await requestsOf(world.sql, order.id);
  await world.sql.rows(
    z.unknown(),
    `UPDATE patient_sessions SET expires_at = now() - interval '1 minute'
      WHERE link_id IN (SELECT id FROM patient_links WHERE request_id = '${request?.id}')`,
  );
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "We kept what you typed" }).waitFor();
  await look("guest-form-late");

  await openMail(page, linkIn(await mailTo(world, email, /new link/)));
  await page.getByRole("link", { name: /^Add patient details/ }).click();
  await page.getByRole("link", { name: "It’s for me" }).click();
  await page.getByRole("heading", { name: "We kept what you typed last time" }).waitFor();
  expect(await page.getByLabel("Last name").inputValue()).toBe("Suharto");
  expect(await page.getByLabel("The patient has only one name").isChecked()).toBe(true);
  expect(await page.getByLabel("Day", { exact: true }).inputValue()).toBe("31");
  expect(await page.getByLabel("Medicare card number").inputValue()).toBe("2123 45670 1");
  expect(await page.getByLabel(/^I agree to/).isChecked()).toBe(false);
  await look("guest-form-kept", { paper: ["Medicare card number"] });
  await fillInBirth(page, "1970-02-03");
  await page.getByLabel("Sex recorded for the test").selectOption("male");
  await page.getByLabel(/^Phone/).fill("0412 345 678");
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "Details saved" }).waitFor();
  const left = await world.sql.rows(
    z.unknown(),
    `SELECT 1 FROM details_drafts WHERE request_id = '${request?.id}'`,
  );
  expect(left).toEqual([]);

  await openMail(page, linkIn(await mailTo(world, email, /form is ready/)));
  expect(await openPdf(page, /^Open referral form/)).toContain("SUHARTO");
});
