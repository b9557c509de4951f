import fc from "fast-check";
import { expect, test } from "vitest";
import { movableClock } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { startSmallStore } from "../../../../test/database/small-store.ts";
import { takeJobs } from "../../../../test/database/take-jobs.ts";
import { readWebhook } from "../../../clients/shopify/read-webhook.ts";
import { createLogger } from "../../../platform/logger.ts";
import { gid, gidNumber, type OrderId } from "../../kernel/ids.ts";
import { sealBody } from "../../kernel/postgres/inbox.ts";
import { handleWebhook } from "../handle-webhook.ts";
import type { StoreOrder } from "../order.ts";
import { reconcileOrder } from "../reconcile-order.ts";

const db = await openTestDatabase();
const store = await startSmallStore();

/** The events of an order, each with the messages that the store sends about it. */
const line = (id: OrderId, at: number, quantity: number, current: number) =>
  orderLine({
    number: Number(gidNumber(id)) * 10 + at,
    variantId: gid("ProductVariant", 1),
    quantity,
    currentQuantity: current,
  });
const HISTORY: { topics: string[]; change: (order: StoreOrder) => StoreOrder }[] = [
  { topics: ["orders/paid", "orders/updated"], change: (order) => order },
  {
    topics: ["refunds/create", "orders/updated"],
    change: (order) => ({ ...order, lines: [line(order.id, 1, 3, 2)] }),
  },
  {
    topics: ["orders/edited", "orders/updated"],
    change: (order) => ({ ...order, lines: [...order.lines, line(order.id, 2, 1, 1)] }),
  },
  {
    topics: ["orders/cancelled", "refunds/create", "orders/updated"],
    change: (order) => ({ ...order, cancelledAt: order.updatedAt }),
  },
];

const bodyOf = (topic: string, id: OrderId): string => {
  const number = gidNumber(id);
  if (topic === "orders/edited") return JSON.stringify({ order_edit: { order_id: number } });
  if (topic === "refunds/create") return JSON.stringify({ id: 1, order_id: number });
  // Old figures: whatever a payload says of the order is not believed.
  return JSON.stringify({ id: number, line_items: [{ quantity: 99 }], cancelled_at: null });
};

test("messages about an order, in whatever order and number they arrive, end in the same rows", async () => {
  const shop = await mappedShop(db);
  const ports = {
    tenancy: db.tenancy,
    clock: movableClock(),
    readMessage: readWebhook,
    logger: createLogger("silent"),
    ...store,
  };
  let orders = 0;
  let events = 0;

  const deliver = async (topic: string, id: OrderId) => {
    const envelope = { source: "shopify", topic, eventId: String(++events) };
    const sealer = await db.sealers.forShop(shop);
    const { rows } = await db.pool.query<{ id: string }>(
      `INSERT INTO inbox (shop, source, topic, event_id, body_sealed) VALUES ($1, 'shopify', $2, $3, $4)
       RETURNING id`,
      [shop, topic, envelope.eventId, sealBody(sealer, envelope, Buffer.from(bodyOf(topic, id)))],
    );
    await handleWebhook(ports, { shop, inboxId: rows[0]?.id ?? "" });
    const jobs = await takeJobs(db, shop, "reconcile-order");
    expect(jobs).toHaveLength(1);
    for (const { orderId } of jobs) await reconcileOrder(ports, { shop, orderId });
  };
  const rowsOf = async (id: OrderId) =>
    (
      await db.pool.query(
        `SELECT o.cancelled_at IS NOT NULL AS cancelled, right(l.line_item_id, 1) AS line, l.quantity,
                l.current_quantity,
                (SELECT count(*)::int FROM referral_requests r WHERE r.shop = o.shop
                 AND r.line_item_id = l.line_item_id AND r.state <> 'cancelled') AS active
         FROM orders o JOIN order_lines l ON l.shop = o.shop AND l.order_id = o.order_id
         WHERE o.shop = $1 AND o.order_id = $2 ORDER BY l.line_item_id`,
        [shop, id],
      )
    ).rows;

  const steps = fc.integer({ min: 1, max: HISTORY.length });
  await fc.assert(
    fc.asyncProperty(steps, fc.infiniteStream(fc.nat()), async (length, choices) => {
      const id = gid("Order", ++orders + 7000);
      const history = HISTORY.slice(0, length);
      let order = storeOrder({ id, name: `#${orders}`, lines: [line(id, 1, 3, 3)] });
      const pick = (upTo: number) => (choices.next().value ?? 0) % upTo;
      // Each message may come at once, late, or twice; none comes before what it tells of.
      const late: string[] = [];
      for (const { topics, change } of history) {
        order = change(order);
        store.orders = [order];
        late.push(...topics, ...topics.slice(0, pick(2)));
        while (late.length > 0 && pick(3) > 0) {
          const [topic] = late.splice(pick(late.length), 1);
          if (topic) await deliver(topic, id);
        }
      }
      while (late.length > 0) {
        const [topic] = late.splice(pick(late.length), 1);
        if (topic) await deliver(topic, id);
      }
      const wanted = order.lines.map((one, at) => ({
        cancelled: order.cancelledAt !== null,
        line: String(at + 1),
        quantity: one.quantity,
        current_quantity: one.currentQuantity,
        active: order.cancelledAt ? 0 : one.currentQuantity,
      }));
      expect(await rowsOf(id)).toEqual(wanted);
    }),
    { numRuns: 25 },
  );
  store.close();
});
