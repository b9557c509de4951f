import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventually, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { inboxState, orderOf, requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";
import { postWebhook, webhookHeaders } from "./webhook-post.ts";

const world = await shareWorld();
const shopping = goShopping(world);

/** A product that nobody has mapped yet. */
async function newProduct(title: string) {
  const product = await world.store.createProduct({ title, variants: [{ priceCents: 5_000 }] });
  return { productId: product.id, variantId: only(product.variants).id };
}

test("a line without a mapping asks for one, and its requests appear once it has it", async () => {
  const buyer = await shopping.newShopper();
  const sold = await newProduct("Zinc level");
  const order = await shopping.buy(buyer, [[sold.variantId, 2]]);
  await eventually(async () =>
    expect((await orderOf(world.sql, order.id)).reviewCode).toBe("unmapped_line"),
  );
  expect(await requestsOf(world.sql, order.id)).toEqual([]);

  const { tests } = shopping.product("tests").mapsTo;
  await world.pages.saveMapping({ ...sold, kind: "order", tests });
  const requests = await shopping.requestsWhen(order, 2);
  expect((await orderOf(world.sql, order.id)).reviewCode).toBeNull();
  await shopping.giveDetails(buyer, requests);
  await eventually(async () => {
    const referrals = await oneReferralEach(world, requests);
    for (const referral of referrals)
      expect(referral.tests.sort()).toEqual([...(tests ?? [])].sort());
  });
});

test("a webhook with a bad signature is refused and not stored", async () => {
  const eventId = randomUUID();
  const body = JSON.stringify({ id: 1, admin_graphql_api_id: "gid://shopify/Order/1" });
  const post = { topic: "orders/paid", body, eventId };
  expect(await postWebhook(world, { ...post, secret: "not the app's secret" })).toBe(401);
  expect(await inboxState(world.sql, eventId)).toBeNull();
  // The same delivery, rightly signed, is taken: it was the signature that was refused.
  expect(await postWebhook(world, post)).toBe(200);
  expect(await inboxState(world.sql, eventId)).not.toBeNull();
});

test("a delivery that breaks off is not stored, and can be delivered again", async () => {
  const eventId = randomUUID();
  const body = JSON.stringify({ id: 2, note: "x".repeat(2_000) });
  const post = { topic: "orders/paid", body, eventId };
  const { hostname, port } = new URL(world.line.app_url);
  const socket = connect(Number(port), hostname);
  const headers = Object.entries(webhookHeaders(world, post)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [
    `POST /webhooks HTTP/1.1`,
    `host: ${hostname}`,
    ...headers,
    `content-length: ${body.length}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 1_000)}`);
  socket.resume().on("error", () => {});
  await once(socket, "close");
  expect(await inboxState(world.sql, eventId)).toBeNull();
  expect(await postWebhook(world, post)).toBe(200);
});

test("a signed body that cannot be read is kept as unreadable", async () => {
  const eventId = randomUUID();
  const topic = "orders/paid";
  expect(await postWebhook(world, { topic, body: '{"id": 12', eventId })).toBe(400);
  const post = { topic, body: '{"id": null}', eventId };
  expect(await postWebhook(world, post)).toBe(200);
  await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("unreadable"));
  // The queue goes on: what comes after it is handled.
  const { requests } = await shopping.buyToForm(await shopping.newShopper());
  await oneReferralEach(world, requests);
});

test("an event that the service did not sign is refused, and so is one for an address that nobody has", async () => {
  const address = await world.pages.webhookAddress("staging");
  const body = "not even JSON";
  const forged = await fetch(address, {
    method: "POST",
    body,
    headers: { "webhook-id": "x", "webhook-timestamp": "1", "webhook-signature": "v1,bm8=" },
  });
  expect(forged.status).toBe(401);
  const nowhere = new URL(`/events/${"a".repeat(43)}`, world.line.app_url);
  expect((await fetch(nowhere, { method: "POST", body })).status).toBe(404);
});

test("an order that nobody can be asked about is put before the merchant", async () => {
  const order = await world.store.createOrder({
    lines: [{ variantId: shopping.product("bundle").variantId, quantity: 1 }],
  });
  await shopping.requestsWhen(order, 1, ({ state, customerId }) => {
    expect(state).toBe("awaiting_details");
    expect(customerId).toBeNull();
  });
  expect((await orderOf(world.sql, order.id)).reviewCode).toBe("no_contact");
});

test("details that the service would refuse are named before anything is sent", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("medicare").variantId, 1]]);
  const { id } = only(await shopping.requestsWhen(order, 1));
  const patient = shopping.patient();
  const faulty = {
    ...patient,
    dob: `${new Date().getFullYear() - 3}-01-31`,
    address: { ...patient.address, postCode: "2000" },
    medicareCardNumber: "2123456711",
    lastName: "李",
    phone: "12345",
    consent: false,
  };
  const response = await fetch(`${world.line.app_url}/api/customer/requests/${id}/patient`, {
    method: "PUT",
    headers: {
      authorization: `Bearer ${await world.store.customerToken(buyer.id)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(faulty),
  });
  expect(response.status).toBe(422);
  const { errors } = z
    .object({ errors: z.array(z.object({ field: z.string(), message: z.string() })) })
    .parse(await response.json());
  // In the sequence of the form, whichever step finds them.
  expect(errors.map(({ field }) => field)).toEqual([
    "lastName",
    "dob",
    "phone",
    "address.postCode",
    "medicareCardNumber",
    "consent",
  ]);
  // Nobody hears of a child's order by chance.
  expect(only(await requestsOf(world.sql, order.id))).toMatchObject({
    state: "awaiting_details",
    reviewReason: "under_age",
  });
});

test("somebody with one name is ordered for under that name, and gets a form with it", async () => {
  const buyer = await shopping.newShopper();
  const order = await shopping.buy(buyer, [[shopping.product("medicare").variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, asked, {
    ...shopping.patient(),
    ...{ firstName: "", lastName: "Suharto", hasOneName: true },
    ...{ medicareCardNumber: "2123 45670 1", medicareIrn: "2" },
  });
  const requests = await shopping.requestsWhen(order, 1);
  const [referral] = await eventually(() => oneReferralEach(world, requests));
  expect(referral?.person).toMatchObject({ firstName: "Onlyname", lastName: "Suharto" });
  const shown = only((await buyer.api.requests()).filter(({ orderId }) => orderId === order.id));
  expect(shown).toMatchObject({ patientName: "Suharto" });
});

test("a Medicare order under an unknown provider number is refused, and says so", async () => {
  const buyer = await shopping.newShopper();
  const sold = await newProduct("Diabetes check under Medicare");
  await world.pages.saveMapping({
    ...sold,
    kind: "order",
    medicareTests: shopping.product("medicare").mapsTo.medicareTests,
    practitionerName: "Dr Nobody Known",
    practitionerAddress: "1 Nowhere Street, Hobart TAS 7000",
    // Well formed, and registered with nobody.
    practitionerProviderNumber: "1234561B",
  });
  const order = await shopping.buy(buyer, [[sold.variantId, 1]]);
  const asked = await shopping.requestsWhen(order, 1);
  await shopping.giveDetails(buyer, asked, {
    ...shopping.patient(),
    medicareCardNumber: "2123456701",
  });
  const request = only(
    await shopping.requestsWhen(order, 1, ({ state }) => expect(state).toBe("rejected")),
  );
  expect(request.reviewReason).toBe("rejected:INVALID_PROVIDER_NUMBER");
  const shown = only((await buyer.api.requests()).filter(({ orderId }) => orderId === order.id));
  expect(shown.state).toBe("needs_support");
  const { referralsByReferenceNumber } = await world.console.stats();
  expect(referralsByReferenceNumber[request.referenceNumber]).toBeUndefined();
});

test("an order paid before the app was opened waits, and is taken up at the first visit", async () => {
  const shop = `second-${process.pid}.myshopify.com`;
  const second = await storeCalls(world).openShop(shop);
  const { variants } = await second.createProduct("Iron");
  const order = await second.createOrder({
    email: "early.bird@example.com",
    lines: [{ variantId: only(variants).id, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });

  const eventId = randomUUID();
  const body = JSON.stringify({
    id: Number(order.id.split("/").at(-1)),
    admin_graphql_api_id: order.id,
  });
  expect(await postWebhook(world, { topic: "orders/paid", body, shop, eventId })).toBe(200);
  await eventually(async () => expect(await inboxState(world.sql, eventId)).toBe("parked"));

  await second.install();
  await eventually(async () => {
    expect(await inboxState(world.sql, eventId)).toBe("done");
    // The second shop has mapped nothing, whatever the first has.
    expect((await orderOf(world.sql, order.id)).reviewCode).toBe("unmapped_line");
  });
});
