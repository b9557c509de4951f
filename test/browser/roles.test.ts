import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { only } from "../flows/shopping.ts";
import { eventually } from "../harness/index.ts";
import { orderPage, savePolicies } from "../harness/pages.ts";
import { adminAddress, openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();

/** The admin signs in one person. Their role is what nobody of this world looks at meanwhile. */
const become = (role: "manager" | "reviewer" | "support") =>
  world.sql.rows(
    z.unknown(),
    "UPDATE staff_members SET role = $1, is_account_owner = ($1 = 'manager') WHERE name = 'Morgan Ellery'",
    [role],
  );
afterAll(async () => {
  await become("manager");
  await savePolicies(world);
});

const open = (path: string, heading: string) => openApp(world, merchant, { path, heading });

/** An order whose result is held. */
async function holdResult() {
  await savePolicies(world, { releasePolicy: "hold_all" });
  const { order, requests } = await shopping.buyToForm(await shopping.newShopper());
  const { id } = only(requests);
  const rows = await world.sql.rows(
    z.object({ uuid: z.string() }),
    "SELECT uuid FROM referrals WHERE request_id = $1",
    [id],
  );
  await world.console.sendResults(only(rows).uuid, { seed: 12 });
  const held = "SELECT count(*) FROM results WHERE request_id = $1 AND held_at IS NOT NULL";
  await eventually(async () => expect(await world.sql.count(held, [id])).toBe(1));
  return order;
}

test("support is offered nothing that its role refuses", async () => {
  await become("manager");
  const order = await holdResult();
  await become("support");

  const settings = await open("/app/settings", "Settings");
  expect(await settings.locator("[id^=webhook-address-]").count()).toBe(0);
  expect(await settings.locator("html").innerHTML()).not.toContain("/events/");

  const connection = await open("/app/settings/connection", "Connection");
  await connection.getByText("Only managers can change settings and connections.").waitFor();
  expect(await connection.locator("html").innerHTML()).not.toContain("/events/");
  expect(await connection.getByRole("button", { name: "Disconnect" }).count()).toBe(0);
  expect(await connection.getByLabel("Client ID").first().isDisabled()).toBe(true);
  await merchant.look("admin-settings-support");

  const people = await open("/app/settings/notifications", "Notifications");
  expect(await people.getByLabel("Outages").first().isDisabled()).toBe(true);
  expect(await people.getByRole("heading", { name: "Add somebody" }).count()).toBe(0);

  const list = await open("/app/referrals", "Orders and referrals");
  expect(await list.getByRole("button", { name: "Export CSV" }).count()).toBe(0);

  const inbox = await open("/app/attention", "Needs attention");
  await inbox.getByRole("link", { name: `Open: order ${order.name}` }).waitFor();
  expect(await inbox.getByRole("link", { name: `Review: order ${order.name}` }).count()).toBe(0);

  const page = await open(orderPage(order), order.name);
  await page.getByText("Results held", { exact: true }).first().waitFor();
  for (const name of ["View results", "Review results", "Download or delete a patient’s data"])
    expect(await page.getByRole("link", { name: new RegExp(`^${name}`) }).count()).toBe(0);
  await merchant.look("admin-order-support");
  const refused = await newPageAuditor({ refusals: true });
  await refused.page.goto(adminAddress(world, `/apps/pathway${orderPage(order)}/privacy`));
  await refused.page
    .frameLocator("#app-frame")
    .getByText("Only managers can download orders and customers’ data.")
    .waitFor();
});

test("a manager signs out whoever came by a patient's links, and releases unread what the patient has hidden", async () => {
  await become("manager");
  const order = await holdResult();
  const own = "SELECT id FROM referral_requests WHERE order_id = $1";
  const rows = await world.sql.rows(z.object({ id: z.string() }), own, [order.id]);
  const { id } = only(rows);
  const data = await open(`${orderPage(order)}/privacy`, "A patient’s data");
  await merchant.look("admin-patients-data");
  await data.getByLabel("I checked that the patient of this test asks for this").check();
  await data.getByRole("button", { name: /^Sign out everywhere/ }).click();
  const question = data.getByRole("dialog", { name: "Sign out everywhere?" });
  await question.waitFor();
  await merchant.look("admin-sign-out");
  await question.getByRole("button", { name: "Sign out", exact: true }).click();
  const looks = "SELECT count(*) FROM access_log WHERE request_id = $1 AND what = 'visits_ended'";
  await eventually(async () => expect(await world.sql.count(looks, [id])).toBe(1));

  await world.sql.rows(
    z.unknown(),
    "UPDATE referral_requests SET results_hidden_at = now() WHERE id = $1",
    [id],
  );
  const results = await open(`${orderPage(order)}/requests/${id}/results`, "Results");
  await results.getByText("The patient has hidden these results").waitFor();
  await merchant.look("admin-results-hidden");
  await results.getByLabel("Your name").fill("Morgan Ellery");
  await results.getByRole("button", { name: "Release", exact: true }).click();
  const held = "SELECT count(*) FROM results WHERE request_id = $1 AND held_at IS NOT NULL";
  await eventually(async () => expect(await world.sql.count(held, [id])).toBe(0));
});

test("a reviewer is offered the held result, and no download of orders", async () => {
  await become("manager");
  const order = await holdResult();
  await become("reviewer");
  const inbox = await open("/app/attention", "Needs attention");
  await inbox.getByRole("link", { name: `Review: order ${order.name}` }).waitFor();
  const list = await open("/app/referrals", "Orders and referrals");
  expect(await list.getByRole("button", { name: "Export CSV" }).count()).toBe(0);
});

test("who loses their role while a page is open is told so by what they press", async () => {
  await become("manager");
  const list = await open("/app/referrals", "Orders and referrals");
  const minimum = await newPageAuditor();
  const orders = await openApp(world, minimum, {
    path: "/app/settings/orders",
    heading: "Orders",
  });
  await become("support");
  await list.getByRole("button", { name: "Export CSV" }).click();
  await list.getByText("Only managers can download orders and customers’ data.").waitFor();
  await orders.getByLabel("Minimum age of the patient").fill("44");
  await minimum.page.getByRole("button", { name: "Save", exact: true }).click();
  await orders.getByText("Only managers can change settings.", { exact: false }).first().waitFor();
});
