/** Long because it is one merchant's day, from the connection to the inbox, without a mouse. */
import { expect, test } from "vitest";
import { z } from "zod";
import { mailTo } from "../flows/mailed-links.ts";
import { only } from "../flows/shopping.ts";
import { eventually } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";
import { takeKeyboard } from "./by-keyboard.ts";

const { world, shopping, newPageAuditor } = await openOwnBrowserFixture({
  // Nothing answers there: going live stays a look.
  env: {
    REFERRAL_SERVICE_PRODUCTION_BASE_URL: "http://127.0.0.1:9",
    REFERRAL_SERVICE_PRODUCTION_AUTH_URL: "http://127.0.0.1:9",
  },
});
const merchant = await newPageAuditor();
const keys = takeKeyboard(merchant.page);

const open = (path: string, heading: string) => openApp(world, merchant, { path, heading });
const rows = (sql: string, values: unknown[] = []) => world.sql.count(sql, values);
const variantOf = (product: { variants: { id: string }[] }) => product.variants[0]?.id ?? "";

test("connects: a fault is focused and leads to its field, and the connection is tested", async () => {
  await open("/app/settings/connection", "Connection");
  await keys.tabTo("Client ID");
  await keys.retype("");
  await keys.tabTo("Save", { back: true });
  await keys.press("Enter");
  await keys.waitFor(/Nothing was saved/);
  await keys.tabTo(/client ID/);
  await keys.press("Enter");
  await keys.waitFor("Client ID");
  await keys.type(world.line.service.client_id);
  await keys.tabTo("Client secret");
  await keys.type(world.line.service.client_secret);
  await keys.tabTo("Save", { back: true });
  await keys.press("Enter");
  await merchant.page
    .locator("#toasts")
    .getByText(/Connection works|Connected/)
    .waitFor();
  // The bar has gone: the focus is back in the form.
  await keys.waitFor("Client secret");
  await keys.tabTo("Disconnect", { back: true });
  await keys.openAndEscape();
  await keys.tabTo("Test connection");
  await keys.press("Enter");
  await keys.waitFor("Test connection");
});

test("maps a product, and sees who changed its mapping", async () => {
  const product = await world.store.createProduct({
    title: "Keyboard panel",
    variants: [{ sku: "KEY-1", priceCents: 9_000 }],
  });
  const frame = await open("/app/mappings?state=unmapped", "Product mapping");
  await frame.getByText("Keyboard panel").first().waitFor();
  await keys.tabTo("Keyboard panel");
  await keys.press("Enter");
  await frame.getByRole("heading", { name: "Keyboard panel", level: 1 }).waitFor();
  await frame.getByText("Nobody has changed this mapping").waitFor();
  await keys.waitFor(/Keyboard panel/);
  await keys.tabTo("Tests");
  await keys.type("iron");
  const options = frame.getByRole("option").filter({ visible: true });
  await options.first().waitFor();
  const picker = frame.getByRole("combobox", { name: "Tests", exact: true });
  const chosen = () => picker.getAttribute("aria-activedescendant");
  // The list listens once it has been drawn, and chooses from what was typed once it has been drawn again.
  await eventually(async () => {
    expect(await options.filter({ hasNotText: /iron/i }).count()).toBe(0);
    const id = await chosen();
    const isDrawn = id !== null && (await frame.locator(`[id="${id}"]`).count()) > 0;
    if (!isDrawn) await keys.press("ArrowDown");
    expect(isDrawn).toBe(true);
  });
  await keys.press("Enter");
  await frame.getByRole("button", { name: /^Remove .*iron/i }).waitFor();
  await keys.press("Escape");
  await keys.tabTo("Save", { back: true });
  await keys.press("Enter");
  const mapped = "SELECT count(*) FROM mappings WHERE variant_id = $1";
  await expect.poll(() => rows(mapped, [variantOf(product)])).toBe(1);
  await frame.getByText("Mapping added").waitFor();
  await merchant.look("admin-mapping-history", { isZoomed: true });
  await keys.waitFor(/Mapping saved/);
  await keys.tabTo("Remove mapping");
  await keys.openAndEscape();
  await keys.press("Enter");
  await keys.tabTo("Remove mapping");
  await keys.press("Enter");
  await expect.poll(() => rows(mapped, [variantOf(product)])).toBe(0);
  await keys.waitFor(/Mapping removed/);
});

test("simulates an order, and is told how it ended", async () => {
  const frame = await open("/app/simulation", "Simulation");
  const product = shopping.product("bundle");
  await keys.tabTo("Product to simulate");
  await keys.type(product.title);
  await keys.tabTo("Start simulation");
  await keys.press("Enter");
  await frame.getByText("Everything works, from the mapping to the results.").waitFor();
  await keys.waitFor(/Everything works/);
  await keys.tabTo("Open its order");
  await keys.press("Enter");
  await frame.getByText("The complete results arrived").first().waitFor();
  await keys.waitFor(/./);
});

test("looks at what going live needs, and goes to the first remedy", async () => {
  const frame = await open("/app/settings/connection", "Connection");
  // Production has the second form; it is not connected yet.
  await keys.tabTo("Test connection");
  await keys.tabTo("Client ID");
  await keys.tabTo("Client ID");
  await keys.type("production-client");
  await keys.tabTo("Client secret");
  await keys.type("production-secret");
  await keys.tabTo("Connect");
  await keys.press("Enter");
  await keys.waitFor(/The connection was saved, but its test failed/);
  await frame.getByText("Before you go live").waitFor();
  await merchant.look("admin-settings-preflight", { isZoomed: true });
  await keys.tabTo("Staging", { back: true });
  await keys.tabTo("Map products");
  await keys.press("Enter");
  await frame.getByRole("heading", { name: "Product mapping", level: 1 }).waitFor();
  await keys.waitFor(/Product mapping/);
});

test("opens an order, sends an email again, and leaves every question by Escape", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.requestsWhen(order, 1);
  await mailTo(world, buyer.email, /need a few details/);
  const frame = await open("/app/referrals", "Orders and referrals");
  await keys.tabTo(order.name);
  await keys.press("Enter");
  await frame.getByRole("heading", { name: order.name, level: 1 }).waitFor();
  await keys.waitFor(new RegExp(order.name));
  await keys.tabTo("Send again: Patient details needed");
  await keys.openAndEscape();
  await keys.press("Enter");
  await keys.tabTo("Send again");
  await keys.press("Enter");
  const asked = "SELECT count(*) FROM timeline WHERE order_id = $1 AND kind = 'details_asked'";
  await expect.poll(() => rows(asked, [order.id])).toBe(1);
  await keys.waitFor("Send again: Patient details needed");
  await keys.tabTo("More actions: Test 1 of 1");
  await keys.press("Enter");
  await frame.getByRole("menuitem", { name: "Cancel test" }).waitFor();
  await keys.press("Escape");
  await keys.waitFor("More actions: Test 1 of 1");
  await keys.press("Enter");
  await frame.getByRole("menuitem", { name: "Cancel test" }).waitFor();
  await keys.tabTo("Cancel test");
  // The menu has gone with the choice: what opened it has the focus again.
  await keys.openAndEscape("More actions: Test 1 of 1");
});

test("releases a held result: what is missing is focused, then what was done", async () => {
  await savePolicies(world, { releasePolicy: "hold_all" });
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const { uuid } = only(
    await world.sql.rows(
      z.object({ uuid: z.string() }),
      "SELECT uuid FROM referrals WHERE request_id = $1",
      [only(requests).id],
    ),
  );
  await world.console.sendResults(uuid, { seed: 12 });
  const held = "SELECT count(*) FROM results WHERE request_id = $1 AND held_at IS NOT NULL";
  await eventually(async () => expect(await rows(held, [only(requests).id])).toBe(1));
  const frame = await open("/app/reviews", "Results to review");
  await keys.tabTo(new RegExp(`^Read and release: .*order ${order.name}$`));
  await keys.press("Enter");
  await frame.getByRole("heading", { name: "Results", level: 1 }).waitFor();
  await keys.waitFor(/Results/);
  await keys.tabTo("Release to the patient");
  await keys.press("Enter");
  await keys.waitFor("Your name");
  await keys.type("Dr Robin Reader");
  await keys.tabTo("Release to the patient");
  await keys.press("Enter");
  await frame.getByText("Released by Dr Robin Reader").waitFor();
  await keys.waitFor(/Released by Dr Robin Reader/);
});

test("puts an item of the inbox aside, and is told what became of it", async () => {
  const product = await world.store.createProduct({
    title: "Keyboard leftover",
    variants: [{ sku: "KEY-2", priceCents: 1_000 }],
  });
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [
    [shopping.product("tests").variantId, 1],
    [variantOf(product), 1],
  ]);
  await shopping.requestsWhen(order, 1);
  const frame = await open("/app/attention", "Needs attention");
  const tick = new RegExp(`^Select order ${order.name}: .*isn’t mapped`);
  await frame.getByRole("checkbox", { name: tick }).waitFor();
  await keys.tabTo(tick);
  await keys.press("Space");
  await keys.tabTo("Mark as handled", { back: true });
  await keys.press("Enter");
  await keys.waitFor(/Mark as handled: .*done/);
  const handled =
    "SELECT count(*) FROM timeline WHERE order_id = $1 AND kind = 'attention_handled'";
  expect(await rows(handled, [order.id])).toBe(1);
  await keys.tabTo("Undo");
  await keys.press("Enter");
  await keys.waitFor(/done/);
  const reopened =
    "SELECT count(*) FROM timeline WHERE order_id = $1 AND kind = 'attention_reopened'";
  await expect.poll(() => rows(reopened, [order.id])).toBe(1);
});
