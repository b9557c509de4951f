import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "./testing/open-store.ts";

let store: OpenStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

const productIds = async () => {
  const products = await store.ok("GET", "/products");
  return Object.values(products) as { title: string; variants: { id: string }[] }[];
};

describe("a purchase", () => {
  it("reaches the app as orders/paid and is read back through the Admin API", async () => {
    expect(await store.ok("POST", "/install")).toMatchObject({ status: 200 });
    await store.session();
    const [panel] = await productIds();
    const order = await store.ok("POST", "/orders", {
      email: "buyer@example.com",
      lines: [{ variantId: panel?.variants[0]?.id, quantity: 2 }],
      shippingAddress: {
        firstName: "Zoe",
        lastName: "Park",
        address1: "1 George Street",
        city: "Brisbane",
        province: "QLD",
        zip: "4000",
      },
    });
    expect(order).toMatchObject({
      id: expect.stringMatching(/^gid:\/\/shopify\/Order\/\d+$/),
      name: "#1001",
      financialStatus: "PAID",
      lines: [{ quantity: 2, currentQuantity: 2, title: panel?.title }],
    });

    await store.app.until(() => store.app.webhooks("orders/paid").length === 1);
    const [delivery] = store.app.webhooks("orders/paid");
    const check = await store.library.webhooks.validate({
      rawBody: delivery?.body ?? "",
      rawRequest: { method: "POST", url: delivery?.url, headers: delivery?.headers },
    });
    expect(check).toMatchObject({ valid: true, topic: "ORDERS_PAID", domain: store.ready.shop });

    const { body } = await store.graphql(
      `query ($id: ID!) {
        order(id: $id) {
          name email displayFinancialStatus test
          customer { firstName email }
          shippingAddress { provinceCode province zip }
          lineItems(first: 10) { nodes { title quantity currentQuantity refundableQuantity variant { id } product { title } } }
        }
      }`,
      { id: order.id },
    );
    expect(body.errors).toBeUndefined();
    expect(body.data?.order).toMatchObject({
      name: "#1001",
      email: "buyer@example.com",
      displayFinancialStatus: "PAID",
      customer: { firstName: "Zoe", email: "buyer@example.com" },
      shippingAddress: { provinceCode: "QLD", province: "Queensland", zip: "4000" },
      lineItems: {
        nodes: [
          {
            title: panel?.title,
            quantity: 2,
            variant: panel?.variants[0] && { id: panel.variants[0].id },
          },
        ],
      },
    });
    const [logged] = Object.values(await store.ok("GET", "/deliveries"));
    expect(logged).toMatchObject({
      topic: "orders/paid",
      status: 200,
      attempts: [{ status: 200 }],
    });
  });
});
