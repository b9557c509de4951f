/** Long because each kind of order is a short story of its own, in the same world. */
import { afterEach, describe, expect, test } from "vitest";
import { eventually, QUICK_WORLD, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { oneReferralEach } from "./at-the-service.ts";
import { orderOf, requestsOf } from "./rows.ts";
import { goShopping, only } from "./shopping.ts";
import { storeCalls } from "./store-calls.ts";

const TIMEOUT = { timeoutMs: 120_000 };

const world = await shareWorld(QUICK_WORLD);
const { store, sql } = world;
const shopping = goShopping(world);
const { payOutstanding, setCustomer, deleteOrder } = storeCalls(world);
const TEST = shopping.product("bundle").variantId;
afterEach(() => store.setFaults({}));

type NewOrder = Parameters<typeof store.createOrder>[0];
type Placed = Awaited<ReturnType<typeof place>>;

async function place(order: Omit<NewOrder, "customerId">) {
  const buyer = await shopping.newShopper();
  const made = await store.createOrder({
    customerId: buyer.id,
    shippingAddress: SHIPPING_ADDRESS,
    ...order,
  });
  return { buyer, order: made, testLine: made.lines[0]?.id ?? "" };
}

/** The details of every unit are given; each that is still wanted has one referral, which is not deleted. */
async function ordered({ buyer, order }: Placed, units: number) {
  const asked = await shopping.requestsWhen(order, units, ({ state }) =>
    expect(state).toBe("awaiting_details"),
  );
  await shopping.giveDetails(buyer, asked);
  const requests = await shopping.requestsWhen(order, units, ({ state }) =>
    expect(state).toBe("created"),
  );
  await oneReferralEach(world, requests);
  return requests;
}

/** So many units are ordered, and their referrals live; those of all others that were ever sent are deleted. */
const left = ({ order }: Placed, counts: { living: number; deleted: number }) =>
  eventually(async () => {
    const sent = (await requestsOf(sql, order.id)).filter(({ attempt }) => attempt > 0);
    const referrals = await oneReferralEach(world, sent);
    const living = referrals.filter(({ deletedAt }) => deletedAt === null);
    expect({ living: living.length, deleted: referrals.length - living.length }).toEqual(counts);
    const states = sent.map(({ state }) => state).sort();
    expect(states).toEqual([
      ...Array(counts.deleted).fill("cancelled"),
      ...Array(counts.living).fill("created"),
    ]);
  }, TIMEOUT);

const reviewOf = async ({ order }: Placed) => (await orderOf(sql, order.id)).reviewCode;

test("orders what a discount made free, and what a gift card paid for, as what was paid in full", async () => {
  const lines = [{ variantId: TEST, quantity: 1 }];
  const free = await place({ lines, discounts: [{ code: "FRIENDS", percentage: 100 }] });
  expect(free.order).toMatchObject({ financialStatus: "PAID", currentTotalPrice: "0.00" });
  const byGiftCard = await place({ lines, giftCardCents: 1_000_000 });
  expect(byGiftCard.order).toMatchObject({ financialStatus: "PAID", test: false });
  const [first] = await ordered(free, 1);
  await ordered(byGiftCard, 1);
  expect(await reviewOf(free)).toBeNull();

  // There is no money to give back, but the unit is gone.
  await store.refund(free.order.id, [{ lineItemId: free.testLine, quantity: 1 }]);
  await left(free, { living: 0, deleted: 1 });
  expect(only(await requestsOf(sql, free.order.id)).id).toBe(first?.id);
});

test("takes back the refunded unit of a discounted line, and no other", async () => {
  const placed = await place({
    lines: [{ variantId: TEST, quantity: 3 }],
    discounts: [
      { lines: [0], percentage: 10 },
      { code: "TEN", amountCents: 1000 },
    ],
  });
  await ordered(placed, 3);
  await store.refund(placed.order.id, [{ lineItemId: placed.testLine, quantity: 1 }]);
  await left(placed, { living: 2, deleted: 1 });
});

test("orders nothing for a gift card, and asks about what only the order names", async () => {
  const { variants } = await store.createProduct({
    title: "Gift card",
    variants: [{ priceCents: 5000 }],
    isGiftCard: true,
  });
  const giftCard = { variantId: variants[0]?.id ?? "", quantity: 2 };
  const mixed = await place({ lines: [{ variantId: TEST, quantity: 1 }, giftCard] });
  const requests = await ordered(mixed, 1);
  expect(only(requests).lineItemId).toBe(mixed.testLine);
  expect(await reviewOf(mixed)).toBeNull();

  const alone = await place({ lines: [giftCard] });
  await eventually(async () => expect(await reviewOf(alone)).toBeNull(), TIMEOUT);
  expect(await requestsOf(sql, alone.order.id)).toEqual([]);

  const custom = await place({
    lines: [
      { variantId: TEST, quantity: 1 },
      { title: "Iron panel, as agreed by phone", priceCents: 9900, quantity: 1 },
    ],
  });
  await ordered(custom, 1);
  expect(await reviewOf(custom)).toBe("unmapped_line");
  // The merchant hears of all such orders together, once an hour.
  const told = () =>
    sql.count("SELECT count(*) FROM alert_mails WHERE kind = 'attention' AND sent_at IS NOT NULL");
  await eventually(async () => expect(await told()).toBeGreaterThan(0), TIMEOUT);
});

test("waits for the money of a draft order that staff completed before it came", async () => {
  const former = new Set((await store.deliveries()).map(({ id }) => id));
  const draft = await place({
    lines: [{ variantId: TEST, quantity: 2 }],
    source: "shopify_draft_order",
    paid: false,
  });
  // A message about an order that is not paid for: it is read, and nothing is asked of anybody.
  await store.fulfil(draft.order.id, [{ lineItemId: draft.testLine, quantity: 1 }]);
  await eventually(async () => {
    const own = (await store.deliveries()).filter(({ id }) => !former.has(id));
    expect(own).not.toEqual([]);
    for (const { status } of own) expect(status).toBe(200);
  });
  expect(await requestsOf(sql, draft.order.id)).toEqual([]);
  await payOutstanding(draft.order.id);
  await ordered(draft, 2);
});

test("counts what was refunded before the payment was read", async () => {
  // A message that a file before this one had dropped stays undelivered for ever.
  const former = new Set((await store.deliveries()).map(({ id }) => id));
  await store.setFaults({ webhooks: { delayMs: 1000 } });
  const placed = await place({ lines: [{ variantId: TEST, quantity: 3 }] });
  await store.refund(placed.order.id, [{ lineItemId: placed.testLine, quantity: 2 }]);
  await ordered(placed, 1);
  await eventually(async () => {
    const own = (await store.deliveries()).filter(({ id }) => !former.has(id));
    expect(own).not.toEqual([]);
    expect(own.filter(({ status }) => status === null)).toEqual([]);
  });
  expect(await requestsOf(sql, placed.order.id)).toHaveLength(1);
});

test("takes back refunded units whether or not staff have fulfilled some of them", async () => {
  const placed = await place({ lines: [{ variantId: TEST, quantity: 3 }] });
  await ordered(placed, 3);
  const unit = { lineItemId: placed.testLine, quantity: 1 };
  await store.fulfil(placed.order.id, [unit]);
  await store.refund(placed.order.id, [unit]);
  await left(placed, { living: 2, deleted: 1 });
  const before = await store.order(placed.order.id);
  expect(before.lines[0]).toMatchObject({ currentQuantity: 2, unfulfilledQuantity: 1 });
  await store.refund(placed.order.id, [{ ...unit, returned: true }]);
  await left(placed, { living: 1, deleted: 2 });
  const after = await store.order(placed.order.id);
  expect(after.lines[0]).toMatchObject({ currentQuantity: 1, unfulfilledQuantity: 1 });
});

test("orders no unit that an edit removed, before or after, and an added one once it is paid", async () => {
  const placed = await place({ lines: [{ variantId: TEST, quantity: 3 }] });
  const { testLine, order } = placed;
  await shopping.requestsWhen(order, 3);
  await store.editOrder(order.id, [{ lineItemId: testLine, quantity: 2 }]);
  const [gone] = await eventually(async () => {
    const cancelled = (await requestsOf(sql, order.id)).filter(
      ({ state }) => state === "cancelled",
    );
    expect(cancelled).toHaveLength(1);
    return cancelled;
  }, TIMEOUT);
  const wanted = (await requestsOf(sql, order.id)).filter(({ id }) => id !== gone?.id);
  await shopping.giveDetails(placed.buyer, wanted);
  await left(placed, { living: 2, deleted: 0 });

  await store.editOrder(order.id, [{ lineItemId: testLine, quantity: 1 }]);
  await left(placed, { living: 1, deleted: 1 });

  // One unit that was removed is still paid for: that much is owed less for the two that come.
  await store.editOrder(order.id, [{ variantId: TEST, quantity: 4 }]);
  await eventually(async () => expect(await reviewOf(placed)).toBe("paid_in_part"), TIMEOUT);
  expect(await requestsOf(sql, order.id)).toHaveLength(3);
  await payOutstanding(order.id);
  const all = await shopping.requestsWhen(order, 7);
  const added = all.filter(({ state }) => state === "awaiting_details");
  expect(added).toHaveLength(4);
  await shopping.giveDetails(placed.buyer, added);
  await left(placed, { living: 5, deleted: 1 });
});

test("an order that was refunded in part and then grew has a new unit for each that is paid, and the refunded one stays gone", async () => {
  const placed = await place({ lines: [{ variantId: TEST, quantity: 3 }] });
  const { order, testLine, buyer } = placed;
  const first = await ordered(placed, 3);
  await store.refund(order.id, [{ lineItemId: testLine, quantity: 1 }]);
  await left(placed, { living: 2, deleted: 1 });

  // Two more of the line, and one of another line, which nobody has paid for yet.
  await store.editOrder(order.id, [
    { lineItemId: testLine, quantity: 4 },
    { variantId: TEST, quantity: 1 },
  ]);
  await eventually(async () => expect(await reviewOf(placed)).toBe("paid_in_part"), TIMEOUT);
  expect(await requestsOf(sql, order.id)).toHaveLength(3);
  await left(placed, { living: 2, deleted: 1 });

  await payOutstanding(order.id);
  const all = await shopping.requestsWhen(order, 6);
  const units = all.map((one) => [one.lineItemId === testLine, one.unit, one.state] as const);
  expect(new Set(units)).toEqual(
    new Set([
      [true, 1, "created"],
      [true, 2, "created"],
      [true, 3, "cancelled"],
      [true, 4, "awaiting_details"],
      [true, 5, "awaiting_details"],
      [false, 1, "awaiting_details"],
    ]),
  );
  const known = new Set(first.map(({ id }) => id));
  await shopping.giveDetails(
    buyer,
    all.filter(({ id }) => !known.has(id)),
  );
  await left(placed, { living: 5, deleted: 1 });
  await eventually(async () => expect(await reviewOf(placed)).toBeNull(), TIMEOUT);
});

test.each([true, false])(
  "ends with one referral for each unit kept, when a return lowers quantities at once: %s",
  async (lowersQuantity) => {
    const placed = await place({ lines: [{ variantId: TEST, quantity: 2 }] });
    const { order, testLine, buyer } = placed;
    await ordered(placed, 2);
    const unit = { lineItemId: testLine, quantity: 1 };
    await store.fulfil(order.id, [{ ...unit, quantity: 2 }]);
    const sentBack = await store.openReturn(order.id, [unit], lowersQuantity);
    if (lowersQuantity) {
      await left(placed, { living: 1, deleted: 1 });
      // The buyer keeps it after all: a unit is owed again, and the referral that is gone cannot come back.
      await store.cancelReturn(order.id, sentBack.returns[0]?.id ?? 0);
      const all = await shopping.requestsWhen(order, 3);
      const again = all.filter(({ state }) => state === "awaiting_details");
      await shopping.giveDetails(buyer, [only(again)]);
      await left(placed, { living: 2, deleted: 1 });
    } else {
      await store.refund(order.id, [{ ...unit, returned: true }], sentBack.returns[0]?.id);
      await left(placed, { living: 1, deleted: 1 });
    }
  },
);

describe("an exchange: one reading finds the old unit gone and another line on the same order", () => {
  /** The buyer sends a unit back that was ordered, and gets these units of another line for it. */
  async function exchange(units: number) {
    const placed = await place({ lines: [{ variantId: TEST, quantity: 1 }] });
    const { order, testLine } = placed;
    const [old] = await ordered(placed, 1);
    const unit = { lineItemId: testLine, quantity: 1 };
    await store.fulfil(order.id, [unit]);
    return {
      ...placed,
      old: old ?? expect.unreachable(),
      async swap() {
        await store.setFaults({ webhooks: { drop: true } });
        await store.openReturn(order.id, [unit], true);
        await store.setFaults({});
        await store.editOrder(order.id, [{ variantId: TEST, quantity: units }]);
      },
    };
  }

  test("deletes the old form, and asks for the details of the new unit, where nothing is owed", async () => {
    const { swap, ...placed } = await exchange(1);
    await swap();
    const all = await shopping.requestsWhen(placed.order, 2);
    const added = all.filter(({ id }) => id !== placed.old.id);
    expect(added).toMatchObject([{ state: "awaiting_details", unit: 1 }]);
    await shopping.giveDetails(placed.buyer, added);
    await left(placed, { living: 1, deleted: 1 });
    expect(await reviewOf(placed)).toBeNull();
  });

  test("waits visibly for the difference before it orders a dearer one", async () => {
    const { swap, ...placed } = await exchange(2);
    await swap();
    await left(placed, { living: 0, deleted: 1 });
    await eventually(async () => expect(await reviewOf(placed)).toBe("paid_in_part"), TIMEOUT);
    expect(await requestsOf(sql, placed.order.id)).toHaveLength(1);
    await payOutstanding(placed.order.id);
    const all = await shopping.requestsWhen(placed.order, 3);
    const added = all.filter(({ id }) => id !== placed.old.id);
    await shopping.giveDetails(placed.buyer, added);
    await left(placed, { living: 2, deleted: 1 });
    expect(await reviewOf(placed)).toBeNull();
  });

  test("keeps an old unit with results, shows it to a person, and orders the new one", async () => {
    const { swap, ...placed } = await exchange(1);
    const [referral] = await oneReferralEach(world, [placed.old]);
    await world.console.sendResults(referral?.uuid ?? "", { seed: 3 });
    await eventually(async () => {
      const counted = sql.count("SELECT count(*) FROM results WHERE request_id = $1", [
        placed.old.id,
      ]);
      expect(await counted).toBe(1);
    }, TIMEOUT);
    await swap();
    const all = await shopping.requestsWhen(placed.order, 2, ({ id, state, reviewReason }) => {
      const isOld = id === placed.old.id;
      expect(state).toBe(isOld ? "created" : "awaiting_details");
      expect(reviewReason).toBe(isOld ? "refunded_after_results" : null);
    });
    await shopping.giveDetails(
      placed.buyer,
      all.filter(({ id }) => id !== placed.old.id),
    );
    await left(placed, { living: 2, deleted: 0 });
  });
});

test("an order is shown to whoever has it in Shopify, also when staff name or correct its customer later", async () => {
  // Sold over the counter: nobody was asked for a name.
  const order = await store.createOrder({ lines: [{ variantId: TEST, quantity: 1 }] });
  await eventually(
    async () => expect((await orderOf(sql, order.id)).reviewCode).toBe("no_contact"),
    TIMEOUT,
  );
  const [wrong, right] = [await shopping.newShopper(), await shopping.newShopper()];
  const seenBy = async ({ api }: typeof wrong) =>
    (await api.requests()).filter(({ orderId }) => orderId === order.id);
  const shownTo = (shopper: typeof wrong, units: number) =>
    eventually(async () => expect(await seenBy(shopper)).toHaveLength(units), TIMEOUT);

  await setCustomer(order.id, wrong.id);
  await shownTo(wrong, 1);
  expect((await orderOf(sql, order.id)).reviewCode).toBeNull();
  await shopping.giveDetails(wrong, await requestsOf(sql, order.id));
  const form = await eventually(async () => {
    const [document] = (await seenBy(wrong)).flatMap(({ documents }) => documents);
    expect(document).toBeDefined();
    return document?.id ?? "";
  }, TIMEOUT);

  await setCustomer(order.id, right.id);
  await shownTo(right, 1);
  expect(await seenBy(wrong)).toEqual([]);
  expect(await wrong.api.documentStatus(form)).toBe(404);
  expect(await right.api.documentStatus(form)).toBe(200);
});

test("a person is told of an order that staff deleted in Shopify, and its tests stay until they decide", async () => {
  const placed = await place({ lines: [{ variantId: TEST, quantity: 1 }] });
  await shopping.requestsWhen(placed.order, 1);
  await deleteOrder(placed.order.id);
  await eventually(async () => expect(await reviewOf(placed)).toBe("order_not_visible"), TIMEOUT);
  expect(only(await requestsOf(sql, placed.order.id)).state).toBe("awaiting_details");
});
