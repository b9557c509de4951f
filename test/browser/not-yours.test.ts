import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { oneReferralEach } from "../flows/at-the-service.ts";
import { CANARIES, CANARY_PATIENT } from "../flows/canary-patient.ts";
import { askForTicket, fetchDocument } from "../flows/customer-documents.ts";
import { linkIn, mailTo } from "../flows/mailed-links.ts";
import { only, type Shopper } from "../flows/shopping.ts";
import { eventually, putBack, SHIPPING_ADDRESS } from "../harness/index.ts";
import { signIn } from "./as-shopper.ts";
import { openBrowserFixture } from "./browser-fixture.ts";
import { openMail } from "./by-mail.ts";
import type { PageAuditor } from "./page-auditor.ts";

const { world, shopping, newPageAuditor } = await openBrowserFixture();
const shop = world.line.store.store_url;
const theme = `${shop}/apps/pathway`;

const SECRETS = new RegExp([...CANARIES, "Xanthorrhoea", "Haemoglobin", "1971"].join("|"), "i");

async function signedIn(shopper: Shopper): Promise<PageAuditor> {
  const auditor = await newPageAuditor({ refusals: true });
  await auditor.page.goto(`${shop}/account/login`);
  await signIn(world, auditor.page, shopper.email);
  return auditor;
}

/** An address that is refused: the page says what it is about and what to do, and nothing of the patient. */
async function refused(page: Page, address: string, heading: RegExp): Promise<void> {
  const answer = await page.goto(address);
  await page.getByRole("heading", { name: heading }).waitFor();
  expect(answer?.status(), address).toBe(404);
  const told = await page.locator("body").innerText();
  expect(told, address).not.toMatch(SECRETS);
  expect(await page.content(), address).not.toMatch(SECRETS);
  // A sentence more than the heading.
  expect(told.replace(heading, ""), address).toMatch(/[a-z]{3,} [a-z]{3,}.*\./s);
}

/** A test of the buyer's with its form and, if asked for, its results; and what there is to open. */
async function bought(buyer: Shopper, { results = true } = {}) {
  const order = await shopping.buy(buyer, [[shopping.product("bundle").variantId, 1]]);
  const requests = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, requests, CANARY_PATIENT);
  const seen = (state: string) =>
    eventually(
      async () => {
        const own = (await buyer.api.requests()).find(({ orderId }) => orderId === order.id);
        expect(own?.state).toBe(state);
        if (!own) throw new Error("The buyer does not see it");
        return own;
      },
      { what: state, timeoutMs: 90_000 },
    );
  if (!results) return { order, own: await seen("form_ready") };
  await seen("form_ready");
  const referral = only(await oneReferralEach(world, requests));
  await world.console.sendResults(referral.uuid, { abnormal: true, seed: 7 });
  return { order, own: await seen("results_ready") };
}

const opensByProgram = async (buyer: Shopper, documentId: string) => [
  (await fetchDocument(world, documentId, buyer.id)).status,
  (await askForTicket(world, documentId, buyer.id)).status,
];

test("takes refunded or redacted tests off the addresses that worked before, and says why", async () => {
  const buyer = await shopping.newShopper();
  const { order, own } = await bought(buyer, { results: false });
  const form = only(own.documents);
  const shopper = await signedIn(buyer);
  const { page } = shopper;
  const address = `${theme}/documents/${form.id}`;
  await page.goto(theme);
  const saving = page.waitForEvent("download");
  await page.getByRole("link", { name: /^Open referral form/ }).click();
  await saving;
  expect(await opensByProgram(buyer, form.id)).toEqual([200, 200]);
  // A browser has been given an address, and has not opened it yet.
  const { url: ticket } = await askForTicket(world, form.id, buyer.id);

  await world.store.refund(order.id, [{ lineItemId: only(order.lines).id, quantity: 1 }]);
  await eventually(
    async () =>
      expect((await buyer.api.requests()).map(({ state }) => state)).toEqual(["cancelled"]),
    { what: "the refund", timeoutMs: 90_000 },
  );
  expect(await opensByProgram(buyer, form.id)).toEqual([404, 404]);
  await refused(page, address, /not available/);
  await page.getByText(/withdrawn: the test was cancelled, refunded or corrected/).waitFor();
  await shopper.look("gone-after-refund");
  await refused(page, ticket, /does not open from here/);
  await shopper.look("gone-ticket");
  await page.goto(theme);
  await page.getByText("Cancelled", { exact: true }).waitFor();
  expect(await page.getByRole("link", { name: /^Open/ }).count()).toBe(0);

  await bought(buyer);
  const { own: later } = await bought(buyer);
  const documents = later.documents.map(({ id }) => id);
  for (const id of documents) expect(await opensByProgram(buyer, id)).toEqual([200, 200]);
  const result = `${theme}/results/${later.resultId}`;
  expect((await page.goto(result))?.status()).toBe(200);
  // The second measurement of one person: a line beside each value that is out of its range.
  await page
    .getByRole("img", { name: /^A line through the values of/ })
    .first()
    .waitFor();
  const figures = await page.locator("main .pw-row strong, main .pw-value").allTextContents();
  expect(figures.length).toBeGreaterThan(30);
  await shopper.look("theme-result-trend", { paper: ["Since last time", ...figures] });
  await world.store.privacy("customers/redact", { customerId: buyer.id });
  await eventually(async () => expect(await buyer.api.requests()).toEqual([]), {
    what: "the redaction",
    timeoutMs: 90_000,
  });
  for (const id of [form.id, ...documents]) {
    expect(await opensByProgram(buyer, id)).toEqual([404, 404]);
    await refused(page, `${theme}/documents/${id}`, /not available/);
  }
  await refused(page, result, /not available/);
  await shopper.look("gone-after-redaction");
});

test("a stranger who is signed in as somebody else gets nothing, and is told what to do", async () => {
  const owner = await shopping.newShopper();
  const { order, own } = await bought(owner);
  const email = shopping.newAddress("not-yours");
  await world.store.chooseAccounts("legacy");
  putBack(() => world.store.chooseAccounts("new"));
  await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("tests").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const link = linkIn(await mailTo(world, email, /few details/));
  await world.store.chooseAccounts("new");
  const guest = await newPageAuditor({ refusals: true });
  await openMail(guest.page, link);
  const inside = guest.page.url();
  const { url: ticket } = await askForTicket(world, own.documents[0]?.id ?? "", owner.id);
  expect((await fetch(ticket)).status).toBe(200);

  const stranger = await signedIn(await shopping.newShopper());
  const { page } = stranger;
  const status = `${shop}/account/orders/${order.id.split("/").at(-1)}`;
  await refused(page, status, /not|nothing|no such/i);
  await stranger.look("stranger-order-status");
  await page.goto(`${shop}/account/pages/my-tests/results/${own.resultId}`);
  await page.getByRole("heading", { name: "Not available" }).waitFor();
  await page.getByText(/This is not available to your account/).waitFor();
  expect(await page.locator("body").innerText()).not.toMatch(SECRETS);
  await stranger.look("stranger-account-result");
  const pages = [
    `results/${own.resultId}`,
    `requests/${own.id}/details`,
    `requests/${own.id}/hand-over`,
    ...own.documents.map(({ id }) => `documents/${id}`),
  ];
  for (const path of pages) await refused(page, `${theme}/${path}`, /not available/);
  await stranger.look("stranger-theme");
  for (const address of [link, inside, `${inside}/documents/${own.documents[0]?.id}`])
    await refused(page, address, /expired or been used/);
  await stranger.look("stranger-link");
  await refused(page, ticket, /does not open from here/);

  // Its owner lost nothing by all this.
  expect((await owner.api.requests()).map(({ state }) => state)).toEqual(["results_ready"]);
});
