import type { FrameLocator } from "playwright-core";
import { expect, test } from "vitest";
import { countOf } from "../../app/modules/kernel/words.ts";
import { askAboutWaiting } from "../../app/modules/shops/policy-words.ts";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { mailTo } from "../flows/mailed-links.ts";
import { requestsOf, timelineOf } from "../flows/rows.ts";
import { only } from "../flows/shopping.ts";
import { eventually, putBack, type StoreOrder } from "../harness/index.ts";
import { savePolicies } from "../harness/pages.ts";
import { openApp } from "./as-merchant.ts";
import { openBrowserFixture } from "./browser-fixture.ts";

const TIMEOUT = { timeoutMs: 120_000 };

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const merchant = await newPageAuditor();

const open = ({ id, name }: StoreOrder) =>
  openApp(world, merchant, { path: `/app/orders/${id.split("/").at(-1)}`, heading: name });

/** Opens a unit's menu. One that is open stays open. */
async function openMenu(frame: FrameLocator, unit = "Test 1 of 1") {
  const button = frame.getByRole("button", { name: `More actions: ${unit}` }).first();
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
}

/** Opens a unit's menu and chooses from it. */
async function choose(frame: FrameLocator, action: string, unit = "Test 1 of 1") {
  await openMenu(frame, unit);
  await frame.getByRole("menuitem", { name: action }).click();
}

const saveSecret = (clientSecret: string) =>
  world.pages.saveConnection({
    environment: "staging",
    clientId: world.line.service.client_id,
    clientSecret,
    signingScheme: "standard-webhooks",
    signingSecret: "",
  });

test("details that are missing are asked for again; the menu offers what else there is", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  const { id } = only(await shopping.requestsWhen(order, 1));
  await mailTo(world, buyer.email, /need a few details/);
  const mails = async () =>
    (await world.store.mail()).filter(
      ({ to, subject }) => to === buyer.email && /details/.test(subject),
    );
  const before = (await mails()).length;
  const frame = await open(order);
  await frame.getByText("Waiting for patient details").waitFor();
  await merchant.look("admin-order-awaiting", { isZoomed: true });
  await frame.getByRole("button", { name: "Send again: Patient details needed" }).click();
  await frame.getByText(`It goes to ${buyer.email}.`).waitFor();
  const dialog = frame.getByRole("dialog", { name: "Send “Patient details needed” again?" });
  await dialog.getByRole("button", { name: "Send again" }).click();
  await eventually(async () => expect((await mails()).length).toBe(before + 1), TIMEOUT);
  expect(await timelineOf(world.sql, id)).toContain("details_asked");
  // A second press is told so, and nobody gets a second email.
  await frame.getByRole("button", { name: "Resend request: Test 1 of 1" }).click();
  await merchant.page.locator("#toasts").getByText("They were asked a moment ago").waitFor();
  expect((await mails()).length).toBe(before + 1);
  await choose(frame, "Copy the customer’s link");
  expect(await frame.getByRole("textbox", { name: "The customer’s link" }).inputValue()).toMatch(
    /^https?:/,
  );
  expect(await timelineOf(world.sql, id)).toContain("link_copied");
});

test("holds an order that can’t be sent, and makes a form once it is released", async () => {
  await saveSecret("not the client's secret");
  putBack(() => saveSecret(world.line.service.client_secret));
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("tests").variantId, 1]]);
  await shopping.giveDetails(buyer, await shopping.requestsWhen(order, 1));
  await shopping.requestsWhen(order, 1, ({ reviewReason }) =>
    expect(reviewReason).toMatch(/^not_sent:/),
  );
  const frame = await open(order);
  await frame.getByRole("button", { name: "Retry: Test 1 of 1" }).waitFor();
  await merchant.look("admin-order-not-sent");
  await choose(frame, "Hold");
  await frame.getByRole("button", { name: "Release: Test 1 of 1" }).waitFor();
  await merchant.look("admin-order-held");
  await saveSecret(world.line.service.client_secret);
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("held"));
  await frame.getByRole("button", { name: "Release: Test 1 of 1" }).click();
  await frame
    .getByRole("dialog")
    .getByRole("button", { name: /^Release for \$/ })
    .click();
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("created"));
  await oneReferralEach(world, await requestsOf(world.sql, order.id));
});

test("wrong details are asked to be corrected by mail; cancelling says beforehand what it does", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const frame = await open(order);
  await frame.getByText("Details given by the buyer").waitFor();
  await openMenu(frame);
  await merchant.look("admin-order-menu");
  // Polaris closes a menu whose button leaves the window, as it does when the window becomes a phone's.
  await choose(frame, "Ask to correct the details");
  await mailTo(world, buyer.email, /check the details/);
  await choose(frame, "Ask to correct the details");
  await frame.getByText("They were asked today already").waitFor();

  await choose(frame, "Cancel test");
  const dialog = frame.getByRole("dialog", { name: "Cancel this test?" });
  // The dialogue shows its words through a slot: they are not inside it.
  await dialog.waitFor();
  await frame.getByText("can still be deleted at the service").waitFor();
  await merchant.look("admin-order-cancel");
  await dialog.getByRole("button", { name: "Keep the test" }).click();
  expect(only(await requestsOf(world.sql, order.id)).state).toBe("created");
  await choose(frame, "Cancel test");
  await dialog.getByRole("button", { name: "Cancel test" }).click();
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("cancelled"));
  expect(only(await oneReferralEach(world, requests)).deletedAt).not.toBeNull();
  await (await open(order)).getByRole("button", { name: "Order again: Test 1 of 1" }).waitFor();
  await merchant.look("admin-order-cancelled");
});

test("of what was refunded later its deletion is offered; of several units asking again once", async () => {
  await savePolicies(world, { refundPolicy: "ask" });
  putBack(() => savePolicies(world));
  const buyer = await shopping.newShopper();
  const { order } = await shopping.buyToForm(buyer);
  const [line] = order.lines;
  await world.store.refund(order.id, [{ lineItemId: line?.id ?? "", quantity: 1 }]);
  await shopping.requestsWhen(order, 1, ({ reviewReason }) =>
    expect(reviewReason).toBe("refunded_after_sending"),
  );
  // A change of mind about refunds asks about those that wait, and leaves them alone unless told otherwise.
  const settings = await openApp(world, merchant, {
    path: "/app/settings/orders",
    heading: "Orders",
  });
  await settings.getByText("Delete its referral at the service").click();
  const waiting = await world.sql.count(
    "SELECT count(*) FROM referral_requests WHERE stage = 'attention' AND reason_code = 'refunded_after_sending'",
  );
  await settings.getByText(askAboutWaiting(waiting)).waitFor();
  expect(await settings.getByLabel("Leave waiting").isChecked()).toBe(true);
  await merchant.look("admin-settings-refunds", { isZoomed: true });
  await merchant.page.getByRole("button", { name: "Save", exact: true }).click();
  await merchant.page.locator("#toasts").getByText("Settings saved").waitFor();
  expect(only(await requestsOf(world.sql, order.id))).toMatchObject({
    state: "created",
    reviewReason: "refunded_after_sending",
  });
  const frame = await open(order);
  await choose(frame, "Let the patient keep it");
  const keeping = frame.getByRole("dialog", { name: "Let the patient keep this test?" });
  await keeping.waitFor();
  await merchant.look("admin-order-keep");
  await keeping.getByRole("button", { name: "Let the patient keep it" }).click();
  await frame.getByText("The patient keeps this test").first().waitFor();
  expect(only(await buyer.api.requests())).toMatchObject({ state: "form_ready" });
  await frame.getByRole("button", { name: /^Reopen/ }).click();
  await frame.getByRole("button", { name: "Cancel test: Test 1 of 1" }).click();
  await merchant.look("admin-order-refunded");
  await frame.getByRole("dialog").getByRole("button", { name: "Cancel test" }).click();
  await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("cancelled"));

  const many = await shopping.buy(await shopping.newShopper(), [
    [shopping.product("tests").variantId, 25],
  ]);
  await shopping.requestsWhen(many, 25);
  await open(many);
  await frame.getByRole("button", { name: "Resend request for all 25: Test 1 of 25" }).waitFor();
  await frame.getByText("25 × Awaiting details").waitFor();
  await merchant.look("admin-order-many-units", { isZoomed: true });
  expect(await frame.getByRole("button", { name: /^Resend request/ }).count()).toBe(1);
});

test("orders again from home’s banner what could not be charged; a failed test shows its replacement", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer, 2);
  const [first, second] = await oneReferralEach(world, requests);
  await world.console.setStatus(first?.uuid ?? "", "BILLING_FAILED");
  await eventually(async () => {
    const { reviewReason } = (await requestsOf(world.sql, order.id))[0] ?? {};
    expect(reviewReason).toBe("referral:BILLING_FAILED");
  }, TIMEOUT);
  await open(order);
  await merchant.look("admin-order-billing-failed", { isZoomed: true });
  const home = await openApp(world, merchant, { path: "/app", heading: "Home" });
  const unpaid = await world.sql.count(
    "SELECT count(DISTINCT request_id) FROM referrals WHERE status = 'BILLING_FAILED' AND deleted_at IS NULL AND replaced_by IS NULL",
  );
  await home.getByText(`couldn’t charge for ${countOf(unpaid, "test")}`).waitFor();
  await merchant.look("admin-home-billing-failed");
  await home
    .getByRole("button", { name: unpaid === 1 ? "Order it again" : "Order all again" })
    .click();
  await home.getByRole("dialog").getByRole("button", { name: "Order again" }).click();
  await shopping.requestsWhen(order, 3);

  await world.console.setStatus(second?.uuid ?? "", "FAILED_TEST");
  await eventually(async () => {
    const reviewReason = (await requestsOf(world.sql, order.id)).map((one) => one.reviewReason);
    expect(reviewReason).toContain("referral:FAILED_TEST");
  }, TIMEOUT);
  const frame = await open(order);
  await frame.getByText("The laboratory couldn’t complete").first().waitFor();
  await merchant.look("admin-order-failed-test");
  await frame.getByRole("button", { name: "Order again: Test 2 of 2" }).click();
  const again = frame.getByRole("dialog").getByRole("button", { name: /^Order again for/ });
  await again.waitFor();
  await merchant.look("admin-order-again-question");
  await again.click();
  const all = await shopping.requestsWhen(order, 4, ({ state }) => expect(state).toBe("created"));
  await oneReferralEach(world, all);
  await open(order);
  await expect.poll(() => frame.getByText("Ordered again", { exact: true }).count()).toBe(2);
  await merchant.look("admin-order-replaced", { isZoomed: true });
});

test("an old page orders and ticks nothing off: it says so, and shows where the test stands", async () => {
  const buyer = await shopping.newShopper();
  const { order, requests } = await shopping.buyToForm(buyer);
  const referral = only(await oneReferralEach(world, requests));
  await world.console.setStatus(referral.uuid, "FAILED_TEST");
  await shopping.requestsWhen(order, 1, ({ reviewReason }) =>
    expect(reviewReason).toBe("referral:FAILED_TEST"),
  );
  const other = await newPageAuditor();
  const list = await openApp(world, other, { path: "/app/attention", heading: "Needs attention" });
  const tick = list.getByRole("checkbox", { name: new RegExp(`^Select order ${order.name}:`) });
  await tick.check();

  const frame = await open(order);
  await frame.getByRole("button", { name: "Order again: Test 1 of 1" }).click();
  const again = frame.getByRole("dialog").getByRole("button", { name: /^Order again for/ });
  await again.waitFor();
  await world.console.setStatus(referral.uuid, "ISSUED");
  await shopping.requestsWhen(order, 1, ({ reviewReason }) => expect(reviewReason).toBeNull());
  await again.click();
  await frame.getByText(/^Nothing was done: the test has changed/).waitFor();
  await merchant.look("admin-order-again-old");

  await world.console.setStatus(referral.uuid, "INSUFFICIENT_DATA");
  await shopping.requestsWhen(order, 1, ({ reviewReason }) =>
    expect(reviewReason).toBe("referral:INSUFFICIENT_DATA"),
  );
  await list.getByRole("button", { name: "Mark as handled", exact: true }).click();
  await list.getByText(/^Mark as handled: 0 of 1/).waitFor();
  await list.getByText(/^still open: .* Open the order$/).waitFor();
  await other.look("admin-attention-old");
});
