import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { eventually, putBack } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();

test("missed orders are looked for, and a customer's data is downloaded, from the settings", async () => {
  const buyer = await shopping.newShopper();
  const lines = [[shopping.product("tests").variantId, 1]] as const;
  const known = await shopping.buy(buyer, lines);
  await shopping.requestsWhen(known, 1);
  await world.store.setFaults({ webhooks: { drop: true } });
  putBack(() => world.store.setFaults({}));
  const missed = await shopping.buy(buyer, lines);
  await world.store.setFaults({});
  const done = () =>
    world.sql.count("SELECT count(*) FROM privacy_requests WHERE done_at IS NOT NULL");
  const before = await done();
  await world.store.privacy("customers/data_request", { customerId: buyer.id });
  await eventually(async () => expect(await done()).toBe(before + 1));

  const merchant = await newPageAuditor();
  const settings = await openApp(world, merchant, {
    path: "/app/settings/orders",
    heading: "Orders",
  });
  await settings.getByLabel("Changed since").fill("2020-01-01");
  await settings.getByText(/orders of the last 60 days/).waitFor();
  await settings.getByRole("button", { name: "Import orders" }).click();
  await settings.getByText(/^\d+ orders checked\. 1 was missing and imported\.$/).waitFor();
  await shopping.requestsWhen(missed, 1);

  await settings.getByLabel("Import one order").fill("#999999");
  await settings.getByRole("button", { name: "Import", exact: true }).click();
  await settings.getByText(/Shopify shows no such order/).waitFor();
  await merchant.look("admin-settings-maintenance");
  await openApp(world, merchant, { path: "/app/settings/privacy", heading: "Privacy" });

  const downloading = merchant.page.waitForEvent("download");
  await settings
    .getByLabel("Why do you need it?")
    .first()
    .selectOption({ label: "The customer asked for their data" });
  await settings.getByRole("button", { name: "Download" }).first().click();
  await settings.getByRole("dialog").getByRole("button", { name: "Download" }).click();
  const path = await (await downloading).path();
  expect(await readFile(path, "utf8")).toContain(buyer.email);
});
