import { expect, test } from "vitest";
import { z } from "zod";
import { requestsOf } from "../flows/rows.ts";
import { eventually, putBack } from "../harness/index.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { hydrated } from "./page-auditor.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();

const open = () => openApp(world, merchant, { path: "/app/dry-run", heading: "Dry run" });

const plannedCall = z.looseObject({
  medicareTests: z.array(z.string()),
  referenceNumber: z.string(),
  metadata: z.record(z.string(), z.unknown()),
});

test("a dry run tells what is sent later, to the letter, and changes nothing", async () => {
  // No webhook gets through, so that the order is unknown to the app.
  await world.store.setFaults({ webhooks: { drop: true } });
  putBack(() => world.store.setFaults({}));
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [
    [shopping.product("medicare").variantId, 2],
    [shopping.product("ignored").variantId, 1],
  ]);
  const frame = await open();
  await merchant.look("admin-dry-run-start");
  await frame.getByLabel("Order number").fill(order.name);
  await frame.getByRole("button", { name: "Dry run" }).click();
  await frame.getByText("Would be opened").first().waitFor();
  await merchant.look("admin-dry-run");
  const bodies = await frame.locator("pre").allTextContents();
  const planned = bodies.map((body) => plannedCall.parse(JSON.parse(body)));
  expect(planned).toHaveLength(2);
  expect(await world.sql.count("SELECT count(*) FROM orders WHERE order_id = $1", [order.id])).toBe(
    0,
  );
  expect(await requestsOf(world.sql, order.id)).toEqual([]);

  // The next message about the order lets the app know of it.
  await world.store.setFaults({});
  const ignored = order.lines.find(
    ({ variantId }) => variantId === shopping.product("ignored").variantId,
  );
  await world.store.refund(order.id, [{ lineItemId: ignored?.id ?? "", quantity: 1 }]);
  const requests = await shopping.requestsWhen(order, 2);
  const patient = { ...shopping.patient(), medicareCardNumber: "2950628481" };
  await shopping.giveDetails(buyer, requests, patient);
  await eventually(async () => {
    const own = (await requestsOf(world.sql, order.id)).map(({ state }) => state);
    expect(own).toEqual(["created", "created"]);
  });
  const referrals = await world.service.recentReferrals();
  for (const { referenceNumber, metadata, medicareTests } of planned) {
    const sent = referrals.filter((one) => one.referenceNumber === referenceNumber);
    expect(sent.length).toBeGreaterThanOrEqual(1);
    const { requestId: _, ...facts } = metadata;
    expect(sent[0]?.metadata).toMatchObject(facts);
    expect(sent.find((one) => one.medicare)?.tests).toEqual(medicareTests);
  }

  await frame.getByRole("button", { name: "Dry run" }).click();
  await frame.getByText("Ordered already: nothing would be sent again").first().waitFor();
  await frame.getByRole("link", { name: "Open the order" }).waitFor();
});

test("an unknown number, whatever is in it, gets an answer that says what to do", async () => {
  const frame = await open();
  for (const name of ["#999999", '" OR id:* "', "name:*"]) {
    await frame.getByLabel("Order number").fill(name);
    await frame.getByRole("button", { name: "Dry run" }).click();
    await frame
      .getByRole("heading", { name: `Shopify shows Pathway no order “${name}”` })
      .waitFor();
  }
  await merchant.look("admin-dry-run-nothing");
});

test("a page whose token is fetched first is written into another one, and works there", async () => {
  const frame = await open();
  const { page } = merchant;
  const bounced = page.waitForResponse((one) => one.url().includes("/auth/session-token?"));
  await page.locator("#app-frame").evaluate((shown) => {
    if (!(shown instanceof HTMLIFrameElement)) return;
    const address = new URL(shown.src);
    address.searchParams.delete("id_token");
    shown.src = address.href;
  });
  const policy = (await (await bounced).allHeaders())["content-security-policy"];
  expect(policy).toContain(`frame-ancestors https://${world.line.store.shop} `);
  await frame.getByRole("heading", { name: "Dry run", level: 1 }).waitFor();
  await hydrated(page);
  await frame.getByLabel("Order number").fill("#888888");
  await frame.getByRole("button", { name: "Dry run" }).click();
  await frame.getByRole("heading", { name: "Shopify shows Pathway no order “#888888”" }).waitFor();
});
