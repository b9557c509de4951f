import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { only } from "../flows/shopping.ts";
import { eventually, putBack } from "../harness/index.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();
afterAll(() => savePolicies(world));

const open = (path: string, heading: string) => openApp(world, merchant, { path, heading });
const saveNothing = () => world.pages.submit("/app/settings", { intent: "save-store" });
const save = () => merchant.page.getByRole("button", { name: "Save", exact: true }).click();
const count = (statement: string, values: unknown[]) => world.sql.count(statement, values);

test("a mapping that somebody else changed meanwhile is not saved over, and is shown", async () => {
  const product = await world.store.createProduct({
    title: "Mapped by two",
    variants: [{ sku: "TWO-1", priceCents: 9_000 }],
  });
  const { id: variantId } = only(product.variants);
  const place = { productId: product.id, variantId, kind: "order" } as const;
  const map = (test: string) => world.pages.saveMapping({ ...place, tests: [test] });
  await map("tsh");
  const frame = await open(`/app/mappings/${variantId.split("/").at(-1)}`, "Mapped by two");
  await map("iron-studies");
  await frame.getByText("Not a test", { exact: true }).click();
  await save();
  const banner = frame.getByRole("alert").filter({ hasText: "Nothing was saved" });
  await banner.waitFor();
  // This tab was not asked to undo the other tab's change.
  expect(await frame.getByText("Mapping saved: Mapped by two").count()).toBe(0);
  const kept = "SELECT count(*) FROM mappings WHERE variant_id = $1 AND tests = '{iron-studies}'";
  expect(await count(kept, [variantId])).toBe(1);
  // The form shows what they saved at once; what was typed stands beside it, and is put back.
  await banner.getByText("Not a test", { exact: true }).waitFor();
  expect(await frame.getByRole("alert").filter({ hasText: "saved" }).count()).toBe(1);
  expect(await frame.getByLabel("A pathology test").isChecked()).toBe(true);
  await merchant.look("admin-mapping-changed-meanwhile");
  await banner.getByRole("button", { name: "Put my changes back" }).click();
  await banner.waitFor({ state: "hidden" });
  expect(await frame.getByLabel("Not a test").isChecked()).toBe(true);
  await save();
  await merchant.page.locator("#toasts").getByText("Mapping saved").waitFor();
  const ignored = "SELECT count(*) FROM mappings WHERE variant_id = $1 AND kind = 'ignored'";
  expect(await count(ignored, [variantId])).toBe(1);
});

test("what was typed into settings outlives what somebody else saved meanwhile", async () => {
  await saveNothing();
  putBack(saveNothing);
  const frame = await open("/app/settings/store", "Store");
  await frame.getByLabel("Customer phone").fill("02 5550 7777");
  await frame.getByLabel("Opening hours").fill("Weekdays");
  const store = { intent: "save-store", helpEmail: "other@example.com", helpPhone: "02 5550 1111" };
  await world.pages.submit("/app/settings", store);
  await save();
  await frame.getByRole("button", { name: "Put my changes back" }).waitFor();
  expect(await frame.getByRole("alert").filter({ hasText: "saved" }).count()).toBe(1);
  await frame.getByText("Nothing was saved").waitFor();
  expect(await frame.getByLabel("Customer phone").inputValue()).toBe("02 5550 1111");
  await frame.getByRole("button", { name: "Put my changes back" }).click();
  await frame.getByText("Nothing was saved").waitFor({ state: "hidden" });
  expect(await frame.getByLabel("Customer phone").inputValue()).toBe("02 5550 7777");
  expect(await frame.getByLabel("Opening hours").inputValue()).toBe("Weekdays");
  expect(await frame.getByLabel("Customer email").inputValue()).toBe("other@example.com");
  await save();
  await merchant.page.locator("#toasts").getByText("Settings saved").waitFor();
});

test("a practitioner keeps what somebody else changed, and is removed after a question", async () => {
  const doctor = { key: "2426591T", providerNumber: "2426591T", label: "" };
  const post = (fields: Record<string, string>) => world.pages.submit("/app/practitioners", fields);
  putBack(() => post({ intent: "remove", ...doctor }));
  await post({ intent: "add", ...doctor, name: "Dr Two", address: "1 First Street" });
  const frame = await open("/app/practitioners", "Practitioners");
  await frame.getByRole("button", { name: "Edit Dr Two" }).click();
  await post({ intent: "change", ...doctor, name: "Dr Two", address: "2 Second Street" });
  await frame.getByLabel("Practice address").first().fill("3 Third Street");
  await frame.getByRole("button", { name: "Save", exact: true }).click();
  const banner = frame.getByRole("alert").filter({ hasText: "Nothing was saved" });
  await banner.waitFor();
  await frame.getByText("Practice address: 3 Third Street").waitFor();
  expect(await frame.getByRole("alert").filter({ hasText: "saved" }).count()).toBe(1);
  await merchant.look("admin-practitioner-changed-meanwhile");
  await frame.getByRole("button", { name: "Leave them" }).click();
  await frame.getByRole("button", { name: "Cancel" }).click();
  await frame.getByText("2 Second Street").waitFor();

  const stored = () =>
    count("SELECT count(*) FROM practitioners WHERE provider_number = '2426591T'", []);
  await frame.getByRole("button", { name: "Remove Dr Two" }).click();
  const question = frame.getByRole("dialog", { name: "Remove Dr Two?" });
  await question.waitFor();
  await frame.getByText("No product is ordered under provider number 2426591T.").waitFor();
  await merchant.look("admin-practitioner-remove");
  await question.getByRole("button", { name: "Keep" }).click();
  expect(await stored()).toBe(1);
  await frame.getByRole("button", { name: "Remove Dr Two" }).click();
  await question.getByRole("button", { name: "Remove" }).click();
  await eventually(async () => expect(await stored()).toBe(0));
});

test("a held result that changed while it was read is not released, and is shown", async () => {
  await savePolicies(world, { releasePolicy: "hold_all" });
  const { order, requests } = await shopping.buyToForm(await shopping.newShopper());
  const { id } = only(requests);
  const { uuid } = only(
    await world.sql.rows(
      z.object({ uuid: z.string() }),
      "SELECT uuid FROM referrals WHERE request_id = $1",
      [id],
    ),
  );
  await world.console.sendResults(uuid, { seed: 12, partial: true });
  const held = "SELECT count(*) FROM results WHERE request_id = $1 AND held_at IS NOT NULL";
  await eventually(async () => expect(await count(held, [id])).toBe(1));
  const page = await open(`${orderPage(order)}/requests/${id}/results`, "Results");
  // A result that nobody has opened is not offered for release.
  await page.getByText("You can release it once you have opened it.", { exact: false }).waitFor();
  await merchant.look("admin-staff-access-held");
  const release = page.getByRole("button", { name: "Release to the patient" });
  expect(await release.count()).toBe(0);
  await page.getByLabel("Why do you need to see them?").selectOption("review");
  await page.getByRole("button", { name: "Show the results" }).click();
  await page.getByLabel("Your name").fill("Dr Robin Reader");
  const version = "SELECT count(*) FROM results WHERE request_id = $1 AND NOT partial";
  await world.console.sendResults(uuid, { seed: 13 });
  await eventually(async () => expect(await count(version, [id])).toBe(1));
  await release.click();
  await page.getByText("Nothing was released").waitFor();
  await merchant.look("admin-result-changed-meanwhile");
  expect(await count(`${held} AND released_at IS NULL`, [id])).toBe(1);
});
