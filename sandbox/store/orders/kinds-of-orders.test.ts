import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { placeOrder, variantId } from "../testing/seeded.ts";

let store: OpenStore;
let token: string;
beforeEach(async () => {
  store = await openStore();
  token = (await store.session()).accessToken ?? "";
});
afterEach(() => store.close());

const pathOf = ({ id }: { id: string }) => `/orders/${encodeURIComponent(id)}`;
const money = (amount: string) => ({ shopMoney: { amount } });

/** One order as the Admin API tells it. */
async function read({ id }: { id: string }, fields: string) {
  const query = `query ($id: ID!) { order(id: $id) { ${fields} } }`;
  const { body } = await store.graphql(query, { id }, token);
  expect(body.errors).toBeUndefined();
  return body.data?.order;
}

const LINES = "lineItems(first: 5) { nodes {";
const quantities = (order: { id: string }) =>
  read(
    order,
    `returnStatus displayFulfillmentStatus ${LINES} quantity currentQuantity refundableQuantity unfulfilledQuantity nonFulfillableQuantity } }`,
  );

describe("a discounted order", () => {
  it("spreads what is off a line and off the order, and refunds what was paid", async () => {
    const order = await placeOrder(store, {
      lines: [
        { title: "Consultation", price: "100.00", quantity: 2 },
        { title: "Parking", price: "30.00", quantity: 1 },
      ],
      discounts: [
        { title: "For staff", lines: [0], percentage: 10 },
        { code: "TENOFF", amountCents: 1000 },
      ],
    });
    expect(
      await read(
        order,
        `displayFinancialStatus discountCodes totalPriceSet { shopMoney { amount } } totalDiscountsSet { shopMoney { amount } }
         discountApplications(first: 5) { nodes { __typename targetSelection ... on DiscountCodeApplication { code } ... on ManualDiscountApplication { title } } }
         ${LINES} discountedTotalSet { shopMoney { amount } } discountAllocations { allocatedAmountSet { shopMoney { amount } } } } }`,
      ),
    ).toEqual({
      displayFinancialStatus: "PAID",
      discountCodes: ["TENOFF"],
      totalPriceSet: money("200.00"),
      totalDiscountsSet: money("30.00"),
      discountApplications: {
        nodes: [
          {
            __typename: "ManualDiscountApplication",
            targetSelection: "ENTITLED",
            title: "For staff",
          },
          { __typename: "DiscountCodeApplication", targetSelection: "ALL", code: "TENOFF" },
        ],
      },
      lineItems: {
        nodes: [
          {
            discountedTotalSet: money("180.00"),
            discountAllocations: [
              { allocatedAmountSet: money("20.00") },
              { allocatedAmountSet: money("8.57") },
            ],
          },
          {
            discountedTotalSet: money("30.00"),
            discountAllocations: [{ allocatedAmountSet: money("1.43") }],
          },
        ],
      },
    });
    await store.ok("POST", `${pathOf(order)}/refunds`, {
      lines: [{ lineItemId: order.lines[0]?.id, quantity: 1 }],
    });
    expect(
      await read(order, "displayFinancialStatus totalRefundedSet { shopMoney { amount } }"),
    ).toEqual({
      displayFinancialStatus: "PARTIALLY_REFUNDED",
      totalRefundedSet: money("85.71"),
    });
  });

  it("is paid without a payment when nothing is left to pay, and never discounts a gift card", async () => {
    const discounts = [{ code: "FREE", percentage: 100 }];
    const free = await placeOrder(store, { discounts });
    const fields = "displayFinancialStatus paymentGatewayNames transactions(first: 5) { id }";
    expect(await read(free, fields)).toEqual({
      displayFinancialStatus: "PAID",
      paymentGatewayNames: [],
      transactions: [],
    });
    await store.app.until(() => store.app.webhooks("orders/paid").length === 1);
    const giftCard = { variantId: await variantId(store, "GIFT-50"), quantity: 1 };
    const bought = await placeOrder(store, { lines: [giftCard], discounts });
    expect(
      await read(bought, `totalPriceSet { shopMoney { amount } } ${LINES} isGiftCard } }`),
    ).toEqual({
      totalPriceSet: money("50.00"),
      lineItems: { nodes: [{ isGiftCard: true }] },
    });
  });
});

it("is paid by a gift card first and a card for the rest, and is no test for that", async () => {
  const order = await placeOrder(store, {
    lines: [{ title: "Consultation", price: "80.00" }],
    giftCardCents: 5000,
  });
  expect(
    await read(
      order,
      "test displayFinancialStatus paymentGatewayNames transactions(first: 5) { amountSet { shopMoney { amount } } }",
    ),
  ).toEqual({
    test: false,
    displayFinancialStatus: "PAID",
    paymentGatewayNames: ["gift_card", "shopify_payments"],
    transactions: [{ amountSet: money("50.00") }, { amountSet: money("30.00") }],
  });
});

it("tells of a draft order as of any order, with its source, and of its payment when it comes", async () => {
  const order = await placeOrder(store, {
    lines: [{ title: "As agreed by phone", price: "99.00" }],
    source: "shopify_draft_order",
    paid: false,
  });
  const fields = `sourceName displayFinancialStatus ${LINES} title variant { id } product { id } } }`;
  expect(await read(order, fields)).toEqual({
    sourceName: "shopify_draft_order",
    displayFinancialStatus: "PENDING",
    lineItems: { nodes: [{ title: "As agreed by phone", variant: null, product: null }] },
  });
  await store.ok("POST", `${pathOf(order)}/pay`);
  expect(await read(order, "displayFinancialStatus")).toEqual({ displayFinancialStatus: "PAID" });
  await store.app.until(() => store.app.webhooks("orders/paid").length === 1);
});

describe("units that were fulfilled", () => {
  it("stay fulfilled when another unit is refunded, and are no longer owed when they came back", async () => {
    const order = await placeOrder(store, {
      lines: [{ variantId: await variantId(store, "SWAB-100"), quantity: 3 }],
    });
    const unit = { lineItemId: order.lines[0]?.id, quantity: 1 };
    await store.ok("POST", `${pathOf(order)}/fulfillments`, { lines: [unit] });
    await store.ok("POST", `${pathOf(order)}/refunds`, { lines: [unit] });
    expect(await quantities(order)).toMatchObject({
      displayFulfillmentStatus: "PARTIALLY_FULFILLED",
      lineItems: { nodes: [{ currentQuantity: 2, unfulfilledQuantity: 1 }] },
    });
    await store.ok("POST", `${pathOf(order)}/refunds`, { lines: [{ ...unit, returned: true }] });
    expect(await quantities(order)).toMatchObject({
      lineItems: {
        nodes: [{ quantity: 3, currentQuantity: 1, refundableQuantity: 1, unfulfilledQuantity: 1 }],
      },
    });
    const tooMany = { lines: [{ ...unit, quantity: 2 }] };
    expect(await store.control("POST", `${pathOf(order)}/fulfillments`, tooMany)).toMatchObject({
      status: 422,
    });
  });

  it("can be returned, which counts them as gone at once or with the refund", async () => {
    for (const lowersQuantity of [true, false]) {
      const order = await placeOrder(store);
      const unit = { lineItemId: order.lines[0]?.id, quantity: 1 };
      const open = { lines: [unit], lowersQuantity };
      expect(await store.control("POST", `${pathOf(order)}/returns`, open)).toMatchObject({
        status: 422,
      });
      await store.ok("POST", `${pathOf(order)}/fulfillments`, { lines: [unit] });
      const { returns } = await store.ok("POST", `${pathOf(order)}/returns`, open);
      expect(await quantities(order)).toMatchObject({
        returnStatus: "IN_PROGRESS",
        lineItems: { nodes: [{ currentQuantity: lowersQuantity ? 1 : 2, refundableQuantity: 2 }] },
      });
      const [opened] = returns as { id: number }[];
      await store.ok("POST", `${pathOf(order)}/refunds`, {
        lines: [{ ...unit, returned: true }],
        returnId: opened?.id,
      });
      await store.ok("PUT", `${pathOf(order)}/returns/${opened?.id}`, { status: "CLOSED" });
      expect(await quantities(order)).toMatchObject({
        returnStatus: "RETURNED",
        lineItems: { nodes: [{ currentQuantity: 1, refundableQuantity: 1 }] },
      });
    }
  });
});

describe("an amount that is given back", () => {
  it("leaves the items on the order and owes nothing, whether it is some of the money or all", async () => {
    const order = await placeOrder(store, {
      lines: [{ title: "Consultation", price: "100.00", quantity: 2 }],
    });
    const fields = `displayFinancialStatus totalOutstandingSet { shopMoney { amount } } ${LINES} currentQuantity } }`;
    const lineItems = { nodes: [{ currentQuantity: 2 }] };
    await store.ok("POST", `${pathOf(order)}/refunds`, { amountCents: 5_000 });
    expect(await read(order, fields)).toEqual({
      ...{ displayFinancialStatus: "PARTIALLY_REFUNDED", lineItems },
      totalOutstandingSet: money("0.00"),
    });
    await store.ok("POST", `${pathOf(order)}/refunds`, { amountCents: 15_000 });
    expect(await read(order, fields)).toEqual({
      ...{ displayFinancialStatus: "REFUNDED", lineItems },
      totalOutstandingSet: money("0.00"),
    });
  });
});

describe("an order cannot", () => {
  const linesOf = (order: { lines: { id: string }[] }, quantity: number) =>
    order.lines.map(({ id }) => ({ lineItemId: id, quantity }));

  it.each(["refunds", "fulfillments", "edit"])(
    "have more units than it has in %s that name a line twice",
    async (call) => {
      const order = await placeOrder(store);
      const lines = [...linesOf(order, 2), ...linesOf(order, 2)];
      expect(await store.control("POST", `${pathOf(order)}/${call}`, { lines })).toMatchObject({
        status: 422,
        body: { error: expect.stringContaining("twice") },
      });
      expect(await quantities(order)).toMatchObject({
        lineItems: { nodes: [{ refundableQuantity: 2, unfulfilledQuantity: 2 }] },
      });
    },
  );

  it("give more money back than came, nor for a return that it has not got", async () => {
    const order = await placeOrder(store, { lines: [{ title: "Visit", price: "50.00" }] });
    const refund = (body: object) => store.control("POST", `${pathOf(order)}/refunds`, body);
    expect(await refund({ amountCents: 5001 })).toMatchObject({ status: 422 });
    expect(await refund({ lines: linesOf(order, 1), returnId: 7 })).toMatchObject({ status: 404 });
    expect(await refund({ amountCents: 5000 })).toMatchObject({ status: 201 });
    expect(await refund({ amountCents: 1 })).toMatchObject({ status: 422 });
  });

  it("give back what nobody paid: a refund takes the units off, and no more is owed", async () => {
    const lines = [{ title: "Visit", price: "50.00", quantity: 2 }];
    const order = await placeOrder(store, { lines, paid: false });
    const { body } = await store.control("POST", `${pathOf(order)}/refunds`, {
      lines: linesOf(order, 1),
    });
    expect(body.order).toMatchObject({
      financialStatus: "PENDING",
      currentTotalPrice: "50.00",
      outstanding: "50.00",
    });
  });

  it("lose units by an edit that were fulfilled", async () => {
    const order = await placeOrder(store);
    await store.ok("POST", `${pathOf(order)}/fulfillments`, { lines: linesOf(order, 1) });
    const edit = (quantity: number) =>
      store.control("POST", `${pathOf(order)}/edit`, { lines: linesOf(order, quantity) });
    expect(await edit(0)).toMatchObject({ status: 422 });
    expect(await edit(1)).toMatchObject({ status: 200 });
  });

  it("take back more units than went out, in one return or several, or in a refund", async () => {
    const order = await placeOrder(store);
    const lines = linesOf(order, 1);
    const returned = lines.map((line) => ({ ...line, returned: true }));
    expect(
      await store.control("POST", `${pathOf(order)}/refunds`, { lines: returned }),
    ).toMatchObject({ status: 422 });
    await store.ok("POST", `${pathOf(order)}/fulfillments`, { lines });
    await store.ok("POST", `${pathOf(order)}/returns`, { lines });
    expect(await store.control("POST", `${pathOf(order)}/returns`, { lines })).toMatchObject({
      status: 422,
    });
  });
});
