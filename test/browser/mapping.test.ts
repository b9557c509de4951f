import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { bearer, jsonCaller } from "../../sandbox/world/drivers/http.ts";
import { eventually } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";
import type { PageAuditor } from "./page-auditor.ts";

let merchant: PageAuditor;
const { world, newPageAuditor } = await openOwnBrowserFixture();

/** Each part of the walk has a browser of its own, as another day would. */
beforeEach(async () => {
  merchant = await newPageAuditor();
});
afterEach(async () => {
  await merchant.page.context().close();
});

const open = (path = "/app/mappings", heading = "Product mapping") =>
  openApp(world, merchant, { path, heading });
const mapped = (condition: string, values: unknown[] = []) =>
  world.sql.count(`SELECT count(*) FROM mappings WHERE ${condition}`, values);
/** The first of the two forms in which each variant is listed that is to be seen at this width. */
const seen = (frame: FrameLocator) =>
  frame.locator(".pathway-wide, .pathway-narrow").locator("visible=true");

/** Saves what a button downloads, and answers where. */
async function download(page: Page, press: () => Promise<void>): Promise<string> {
  const saving = page.waitForEvent("download");
  await press();
  return (await saving).path();
}

const control = () => {
  const { control_url, control_token } = world.line.store;
  return jsonCaller(control_url, bearer(control_token));
};

test("a suggestion is accepted with one click, and reaches the product's page", async () => {
  const product = await world.store.createProduct({
    title: "Lipid studies",
    variants: [{ sku: "LIP-1", priceCents: 2_000 }],
  });
  const frame = await open("/app/mappings?state=unmapped");
  const accept = frame.getByRole("button", {
    name: /^Accept for Lipid studies: .*matching name/,
  });
  await accept.first().waitFor();
  await merchant.look("admin-mappings-suggestions");
  expect(await mapped("variant_id = $1", [product.variants[0]?.id])).toBe(0);
  await accept.first().click();
  await merchant.page.locator("#toasts").getByText("Mapping saved").waitFor();
  expect(
    await mapped("variant_id = $1 AND tests = '{lipid-studies}'", [product.variants[0]?.id]),
  ).toBe(1);
  const undo = frame.getByRole("button", { name: "Undo: Mapping saved: Lipid studies" });
  await undo.waitFor();
  await merchant.look("admin-mappings-saved");
  await undo.focus();
  await merchant.page.keyboard.press("Enter");
  await frame.getByText("The mapping is as it was before.").waitFor();
  expect(await mapped("variant_id = $1", [product.variants[0]?.id])).toBe(0);
  await accept.first().click();
  await undo.waitFor();
  // Sold below cost, which is told in money.
  await frame.getByRole("link", { name: /^Mapped/ }).click();
  await seen(frame).getByText("$8.50 below cost").first().waitFor();
  await eventually(async () =>
    expect(
      await world.sql.count(
        "SELECT count(*) FROM published_details WHERE product_id = $1 AND value LIKE '%Lipid studies%' AND failure IS NULL",
        [product.id],
      ),
    ).toBe(1),
  );
  await merchant.page.goto(`${world.line.store.store_url}/products/lipid-studies`);
  await merchant.page.getByText("What it tests (1)").waitFor();
});

let bulkItems = 0;
/** Products that a second try of the test finds as the first one found them. */
async function freshBulkItems() {
  for (; bulkItems < 60; bulkItems++)
    await world.store.createProduct({
      title: `Bulk item ${String(bulkItems + 1).padStart(2, "0")}`,
      variants: [{ sku: `BULK-${bulkItems + 1}`, priceCents: 9_900 }],
    });
  await world.sql.rows(
    z.unknown(),
    "DELETE FROM mappings WHERE variant_id IN (SELECT variant_id FROM store_variants WHERE sku LIKE 'BULK-%')",
  );
}

test("many variants are mapped at once, with the progress in the page, by keyboard as well", async () => {
  await freshBulkItems();
  const frame = await open("/app/mappings?q=bulk");
  await eventually(async () => {
    await frame.locator("body").press("Escape");
    expect(
      await world.sql.count("SELECT count(*) FROM store_variants WHERE sku LIKE 'BULK-%'"),
    ).toBe(60);
  });
  const again = await open("/app/mappings?q=bulk");
  await again.getByRole("link", { name: "All (60)" }).waitFor();
  await again.getByLabel("Select all on this page").focus();
  await merchant.page.keyboard.press("Space");
  await again.getByRole("button", { name: "Select all 60 variants that match" }).click();
  await again.getByText("60 variants selected").waitFor();
  await again.getByRole("button", { name: "Map to…" }).click();
  await again.getByLabel("Bundle").selectOption({ label: "Thyroid check" });
  await merchant.look("admin-mappings-bulk");
  await again.getByRole("button", { name: "Map them" }).focus();
  await merchant.page.keyboard.press("Enter");
  const asked = again.getByRole("dialog", { name: "Map 60 variants?" });
  await asked.waitFor();
  await merchant.look("admin-mappings-bulk-question");
  await asked.getByRole("button", { name: /^Map 60 variants at/ }).focus();
  await merchant.page.keyboard.press("Enter");
  await again.getByText("60 variants changed.").waitFor();
  await again.getByRole("link", { name: "Mapped (60)" }).waitFor();
  await merchant.look("admin-mappings-bulk-done");
  const inBundle =
    "bundle_id IS NOT NULL AND variant_id IN (SELECT variant_id FROM store_variants WHERE sku LIKE 'BULK-%')";
  await eventually(async () => expect(await mapped(inBundle)).toBe(60));
  await again.getByRole("link", { name: "See the report" }).click();
  await again.getByRole("heading", { name: "Mapping several variants", level: 1 }).waitFor();
  await merchant.look("admin-mappings-run");
});

test("mappings go out as a file and come back, with an error beside its line", async () => {
  const { page } = merchant;
  // A first try may have applied its file.
  await world.sql.rows(
    z.unknown(),
    `UPDATE mappings SET bundle_id = (SELECT bundle_id FROM mappings WHERE variant_id = (SELECT variant_id FROM store_variants WHERE sku = 'BULK-7'))
     WHERE variant_id = (SELECT variant_id FROM store_variants WHERE sku = 'BULK-1')`,
  );
  const frame = await open();
  const exported = await readFile(
    await download(page, () => frame.getByRole("button", { name: "Export" }).click()),
    "utf8",
  );
  expect(exported).toContain("Bulk item 07");
  const lines = exported.trimEnd().split("\r\n");
  const file = join(tmpdir(), `mappings-${process.pid}.csv`);
  const send = async (content: string) => {
    await writeFile(file, content);
    const form = await open("/app/mappings/import", "Import mappings");
    await form.getByLabel("CSV file").setInputFiles(file);
    await form.getByRole("button", { name: "Check the file" }).click();
    return form;
  };
  const same = await send(exported);
  await same.getByRole("heading", { name: "This file changes nothing" }).waitFor();

  const nonsense = await send("colour;size\r\nred;1");
  await nonsense.getByText("The first line must name the columns").waitFor();
  await merchant.look("admin-mappings-import-error");

  const changed = lines.map((line) => {
    if (line.includes("Bulk item 01")) return line.replace(/Thyroid check/, "Heart health check");
    if (line.includes("Bulk item 02")) return line.replace(/Thyroid check/, "Tarot reading");
    return line;
  });
  const draft = await send(changed.join("\r\n"));
  await draft.getByRole("heading", { name: "Look before you apply" }).waitFor();
  await draft.getByText("No bundle of the catalogue is called “Tarot reading”").waitFor();
  await merchant.look("admin-mappings-import-draft");
  const heart =
    "bundle_id = '6f1c2a10-7d0e-4a55-9b1e-0a1d3c5b7e03' AND variant_id IN (SELECT variant_id FROM store_variants WHERE sku = 'BULK-1')";
  expect(await mapped(heart)).toBe(0);
  await draft.getByRole("button", { name: "Apply 1 change" }).click();
  await draft.getByText("1 variant changed").waitFor();
  expect(await mapped(heart)).toBe(1);
  const report = await readFile(
    await download(page, () => draft.getByRole("button", { name: "Download report" }).click()),
    "utf8",
  );
  expect(report).toContain("Tarot reading");
  expect(report.match(/,"saved",/g)).toHaveLength(1);
});

test("a broken mapping, a copy and a practitioner whom the service refuses are shown, and put right", async () => {
  const medicare = world.line.products.find(({ mapsTo }) => mapsTo.medicareTests);
  // The catalogue loses a test, as when the service takes it out of the offer.
  await world.sql.rows(
    z.unknown(),
    `UPDATE catalogues SET tests = (SELECT jsonb_agg(t) FROM jsonb_array_elements(tests) t WHERE t->>'id' <> 'lipid-studies')`,
  );
  await world.sql.rows(
    z.unknown(),
    "UPDATE practitioners SET fault = 'MISSING_PROVIDER_SIGNATURE', fault_at = now()",
  );
  await world.store.createProduct({
    title: "Copy of Bulk item 03",
    variants: [{ sku: "BULK-3", priceCents: 9_900 }],
  });
  const frame = await open("/app/mappings?state=broken");
  await seen(frame).getByText("1 item is gone from the catalogue: lipid-studies").first().waitFor();
  await seen(frame).getByText("The service has no signature on file").first().waitFor();
  await merchant.look("admin-mappings-broken");
  const unmapped = await open("/app/mappings?state=unmapped");
  await unmapped
    .getByRole("button", { name: /^Copy its mapping for Copy of Bulk item 03/ })
    .first()
    .click();
  await merchant.page.locator("#toasts").getByText("Mapping saved").waitFor();

  await open(`/app/mappings/${medicare?.variantId.split("/").at(-1)}`, medicare?.title);
  await merchant.look("admin-mapping-medicare");
  const doctors = await open("/app/practitioners", "Practitioners");
  await merchant.look("admin-practitioners");
  await doctors.getByRole("button", { name: /^Remove/ }).click();
  await doctors.getByText("Choose another practitioner for it first").waitFor();
  await doctors.getByRole("link", { name: medicare?.title ?? "" }).waitFor();
  await doctors.getByRole("button", { name: "Recheck" }).click();
  await merchant.page.locator("#toasts").getByText("New orders go out as usual").waitFor();
  await doctors.getByLabel("Name", { exact: true }).fill("Dr New");
  await doctors.getByLabel("Practice address").fill("1 New Street");
  await doctors.getByLabel("Medicare provider number").fill("2426621A");
  await doctors.getByRole("button", { name: "Add practitioner" }).click();
  await doctors.getByText("Check the provider number").waitFor();
  await merchant.look("admin-practitioners-error");
});

test("on a phone, at twice the size, and while the store is silent, the list can be used", async () => {
  const { page } = merchant;
  await page.setViewportSize({ width: 390, height: 844 });
  const frame = await open("/app/mappings?q=bulk");
  await seen(frame).getByLabel("Select Bulk item 05").check();
  await frame.getByText("1 variant selected").waitFor();
  // 1280 pixels at 200 % are 640.
  await page.setViewportSize({ width: 640, height: 450 });
  await frame.getByRole("button", { name: "Not a test" }).click();
  await frame
    .getByRole("dialog", { name: "Mark 1 variant as not a test?" })
    .getByRole("button", { name: "Mark as not a test" })
    .click();
  await frame.getByText(/1 variant changed/).waitFor();
  const ignored =
    "kind = 'ignored' AND variant_id IN (SELECT variant_id FROM store_variants WHERE sku = 'BULK-5')";
  await eventually(async () => expect(await mapped(ignored)).toBe(1));
  await frame.getByRole("button", { name: "Undo: Marking variants as not a test" }).focus();
  await page.keyboard.press("Enter");
  await frame.getByText("1 variant put back.").waitFor();
  await merchant.look("admin-mappings-undone");
  expect(await mapped(ignored)).toBe(0);
  await page.context().close();
  merchant = await newPageAuditor();
  const anything = z.unknown();
  await control()({
    method: "PUT",
    path: "/faults",
    body: { graphqlStatus: 503 },
    answer: anything,
  });
  const silent = await open("/app/mappings");
  await silent.getByText("Shopify isn’t answering just now").waitFor();
  await merchant.look("admin-mappings-stale");
  await control()({ method: "PUT", path: "/faults", body: {}, answer: anything });
});
