import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { gid } from "../../kernel/ids.ts";
import { searchWords } from "../search-words.ts";
import { openBuyers } from "./buyers.ts";
import { writeWords } from "./order-words.ts";

const orderRows = z.array(
  z.object({
    orderId: z.string().transform((value) => gid("Order", value)),
    paidAt: z.date(),
    buyerSealed: z.instanceof(Uint8Array).nullable(),
    titles: z.array(z.string()),
  }),
);

/**
 * Makes some orders findable that are not yet, and returns how many. Whoever is just writing one of them makes it findable
 * in any case, so it is passed over; an erasure waits for this, and takes the words away.
 */
export async function indexSome(scope: Scope, limit: number): Promise<number> {
  const { tx, shop } = scope;
  const rows = orderRows.parse(
    await tx.$queryRaw`
      SELECT order_id AS "orderId", paid_at AS "paidAt", buyer_sealed AS "buyerSealed",
             ARRAY(SELECT l.title FROM order_lines l WHERE l.shop = ${shop} AND l.order_id = o.order_id
                   ORDER BY l.line_item_id) AS titles
      FROM orders o WHERE shop = ${shop} AND NOT indexed AND redacted_at IS NULL
      ORDER BY order_id LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
  const buyers = await openBuyers(scope, rows);
  for (const { orderId, paidAt, titles } of rows) {
    const words = searchWords({ buyer: buyers.get(orderId) ?? null, titles });
    await writeWords(scope, { orderId, paidAt, words });
  }
  const done = rows.map(({ orderId }) => orderId);
  await tx.order.updateMany({ where: { shop, orderId: { in: done } }, data: { indexed: true } });
  return rows.length;
}
