import { expect, test } from "vitest";
import { fillInBirth, signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

test("a buyer types a patient's details once, and uses them for the next unit, without script", async () => {
  const { store_url: shop } = world.line.store;
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 2]]);
  await shopping.requestsWhen(order, 2);
  const person = shopping.patient(1);
  const name = `${person.firstName} ${person.lastName}`;
  const visitor = await newPageAuditor({ isScriptless: true });
  const { page } = visitor;
  await page.goto(`${shop}/account/login`);
  await signIn(world, page, buyer.email);
  await page.goto(`${shop}/apps/pathway`);
  await page
    .getByRole("link", { name: /^Add patient details/ })
    .first()
    .click();
  await page.getByRole("link", { name: "It’s for me" }).click();
  for (const [label, value] of [
    ["First name", person.firstName],
    ["Last name", person.lastName],
    ["Email", person.email],
    ["Street address", person.address.addressLine1],
    ["Suburb or town", person.address.city],
    ["Postcode", person.address.postCode],
  ] as const)
    await page.getByLabel(label).fill(value);
  await fillInBirth(page, person.dob);
  await page.getByLabel(/^Phone/).fill(person.phone);
  await page.getByLabel("Sex recorded for the test").selectOption(person.gender);
  await page.getByLabel("State or territory").selectOption(person.address.state);
  const keep = page.getByLabel("Save these details for my next test");
  expect(await keep.isChecked()).toBe(false);
  await keep.check();
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByText("These details are also saved for your next test.").waitFor();

  await page.getByRole("link", { name: /^Add patient details/ }).click();
  await page.getByRole("link", { name: "It’s for me" }).click();
  await page.getByRole("link", { name: `${name}, born ${person.dob.slice(0, 4)}` }).click();
  await page.getByText(`Filled in with the saved details of ${name}`).waitFor();
  await visitor.look("theme-saved-details");
  expect(await page.getByLabel("Year", { exact: true }).inputValue()).toBe(person.dob.slice(0, 4));
  expect(await page.getByLabel(/^I agree to/).isChecked()).toBe(false);
  await page.getByLabel(/^I agree to/).check();
  await page.getByRole("button", { name: "Save details" }).click();
  await page.getByRole("heading", { name: "Details saved" }).waitFor();

  await page.getByRole("link", { name: "Saved details" }).click();
  await visitor.look("theme-saved-patients");
  await page.getByRole("link", { name: /^Delete/ }).click();
  await visitor.look("theme-delete-saved");
  await page.getByRole("button", { name: "Delete saved details" }).click();
  await page.getByText("The saved details are deleted").waitFor();
  await page.goto(`${shop}/apps/pathway/saved`);
  await page.getByText("You haven’t saved anybody’s details.").waitFor();
  // Both tests keep what they were given.
  const names = (await buyer.api.requests()).map(({ patientName }) => patientName);
  expect(names).toEqual(Array(2).fill(`${person.firstName} ${person.lastName.charAt(0)}.`));
});
