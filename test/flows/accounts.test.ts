import { afterAll, expect, test } from "vitest";
import { SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { asBearer, linkIn, mailTo, tokenIn } from "./mailed-links.ts";
import { goShopping, only } from "./shopping.ts";

const world = await shareWorld();
const shopping = goShopping(world);
afterAll(() => world.store.chooseAccounts("new"));

const STATUS_PAGE = /http\S+\/account\/orders\/\d+\?key=\w+/;
const LINK = /http\S+\/t\/\S+/;
const lines = [{ variantId: shopping.product("bundle").variantId, quantity: 1 }];
const shippingAddress = SHIPPING_ADDRESS;

test("new accounts: whoever bought is mailed the order's page, where Shopify signs them in", async () => {
  await world.store.chooseAccounts("new");
  const known = await shopping.newShopper();
  const guest = `accounts-guest-${process.pid}@example.com`;
  await world.store.createOrder({ customerId: known.id, lines, shippingAddress });
  await world.store.createOrder({ email: guest, lines, shippingAddress });
  for (const address of [known.email, guest]) {
    const { text, html } = await mailTo(world, address, /few details/);
    for (const part of [text, html]) {
      expect(part).toMatch(STATUS_PAGE);
      expect(part).not.toMatch(LINK);
    }
  }
});

test("new accounts: an invited patient, who bought nothing, is mailed a link that lets them in", async () => {
  const buyer = await shopping.newShopper();
  const order = await world.store.createOrder({ customerId: buyer.id, lines, shippingAddress });
  const request = only(await shopping.requestsWhen(order, 1));
  const patient = `accounts-patient-${process.pid}@example.com`;
  await buyer.api.handOver(request.id, patient);
  const link = linkIn(await mailTo(world, patient, /ordered something for you/));
  expect((await asBearer(world, tokenIn(link), "requests")).status).toBe(200);
});

test("legacy accounts: a link that serves everybody, and the page of the shop's own domain", async () => {
  await world.store.chooseAccounts("legacy");
  const known = await shopping.newShopper();
  await world.store.createOrder({ customerId: known.id, lines, shippingAddress });
  const { text } = await mailTo(world, known.email, /few details/);
  expect(text).toContain(`${world.line.store.store_url}/apps/pathway`);
  expect(text).not.toMatch(STATUS_PAGE);
  expect((await asBearer(world, tokenIn(linkIn({ text })), "requests")).status).toBe(200);
  expect(await world.pages.open("/app/settings")).toContain(
    `${world.line.store.store_url}/apps/pathway`,
  );
  // Changed in Shopify: the next order's mails follow.
  await world.store.chooseAccounts("new");
  const next = await shopping.newShopper();
  await world.store.createOrder({ customerId: next.id, lines, shippingAddress });
  expect((await mailTo(world, next.email, /few details/)).text).toMatch(STATUS_PAGE);
});
