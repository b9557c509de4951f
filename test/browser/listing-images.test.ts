import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openApp } from "./as-merchant.ts";
import { openOwnBrowserFixture } from "./browser-fixture.ts";
import { seedOrders } from "./seed-orders.ts";

/** `npm run listing`: makes the listing's images anew. Nothing is judged here, so that no other run pays for a world. */
const IS_LISTING = process.env.PATHWAY_LISTING === "1";
const IMAGES = fileURLToPath(new URL("../../docs/listing/images/", import.meta.url));
const SIZE = { width: 1600, height: 900 };
const ICON = { width: 1200, height: 1200 };
/** Somebody who reads a listing on a phone waits for each. */
const MAX_BYTES = 200_000;

const PEOPLE = [
  ...["Ada Sample", "Ben Sample", "Chloe Sample", "Dan Sample", "Ella Sample", "Finn Sample"],
  ...["Grace Sample", "Hugo Sample", "Isla Sample", "Jack Sample", "Kira Sample", "Leo Sample"],
  "Mia Sample",
];

const fixture = IS_LISTING ? await openOwnBrowserFixture() : null;

test.runIf(fixture)(
  "the listing has an icon and pictures of the app alone",
  async () => {
    if (!fixture) return;
    const { world, shopping, newPageAuditor } = fixture;
    const merchant = await newPageAuditor();
    const { page } = merchant;

    await page.setViewportSize(ICON);
    const svg = readFileSync(`${IMAGES}icon.svg`, "utf8");
    await page.setContent(`<body style="margin:0">${svg}</body>`);
    await save("icon");

    // People are made up, and no page shows what was found.
    await seedOrders(world, 60);
    const kinds = ["bundle", "tests"] as const;
    for (const [index, name] of PEOPLE.entries()) {
      const [firstName = "", lastName = ""] = name.split(" ");
      const email = `${firstName}.${lastName}@example.com`.toLowerCase();
      const { id } = await world.store.createCustomer({ firstName, lastName, email });
      const buyer = { id, email, api: world.customer(id) };
      const { variantId } = shopping.product(kinds[index % 2] ?? "tests");
      const order = await shopping.buy(buyer, [[variantId, 1]]);
      const asked = await shopping.requestsWhen(order, 1);
      if (index % 3 > 0) await shopping.giveDetails(buyer, asked);
    }
    const buyer = await shopping.newShopper({ firstName: "Nora", lastName: "Sample" });
    const { order } = await shopping.buyToForm(buyer, 2, "tests");
    await world.store.createProduct({
      title: "Lipid studies",
      variants: [{ sku: "LIP-1", priceCents: 2_000 }],
    });
    await page.setViewportSize(SIZE);
    const show = async (path: string, heading: string) => {
      const frame = await openApp(world, merchant, { path: `/app${path}`, heading });
      // The app's own page, without the admin around it.
      await page.addStyleTag({
        content: `#app-frame { position: fixed !important; inset: 0; z-index: 99; border: 0;
        width: ${SIZE.width}px !important; height: ${SIZE.height}px !important; }`,
      });
      return frame;
    };
    const home = await show("", "Home");
    await home.getByRole("button", { name: "Dismiss the setup guide" }).click();
    await home.getByText("Blocks in your store").waitFor({ state: "detached" });
    await home.getByText("Last 14 days").waitFor();
    await home.locator("svg.pathway-chart").waitFor();
    await save("home");
    await (await show("/referrals", "Orders and referrals"))
      .getByText("Mia Sample")
      .first()
      .waitFor();
    await save("orders");
    await (await show("/attention", "Needs attention"))
      .getByRole("button", { name: /^Mark as handled/ })
      .first()
      .waitFor();
    await save("attention");
    const opened = await show(`/orders/${order.id.split("/").at(-1)}`, order.name);
    await opened.getByText("Timeline").first().waitFor();
    await save("order");
    await (await show("/mappings", "Product mapping")).getByText("Lipid studies").first().waitFor();
    await save("mapping");
    const release = await show("/settings/results", "Results and release");
    await release.getByLabel("Name", { exact: true }).first().fill("Dr Sam Reviewer");
    await release.getByLabel("Email", { exact: true }).first().fill("reviews@example.com");
    await release.getByLabel("Phone", { exact: true }).first().fill("02 5550 1234");
    await release.getByRole("heading", { level: 1 }).click();
    await save("release");

    async function save(name: string) {
      await page.evaluate(() => document.fonts.ready);
      const path = `${IMAGES}${name}.png`;
      await page.screenshot({ path });
      expect(statSync(path).size, name).toBeLessThan(MAX_BYTES);
    }
  },
  300_000,
);
