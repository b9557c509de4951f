import { z } from "zod";
import { Prisma } from "../../../../generated/prisma/client.ts";
import type { Scope } from "../../../../platform/database/scope.ts";
import type { ShopDomain } from "../../../kernel/ids.ts";
import type { OrderQuery } from "../../order-selection.ts";
import { isBackwards, searchEdge } from "./cursor.ts";

/** More orders than this never share a reference. */
const EXACT_LIMIT = 25;
const idRows = z.array(z.object({ orderId: z.string() }));

/** Orders of a reference number of ours, or of the service's reference of a referral: exact, so at most a few. */
export async function ordersByReference(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  search: string,
): Promise<string[]> {
  const rows = await tx.$queryRaw`
    SELECT order_id AS "orderId" FROM referral_requests
    WHERE shop = ${shop} AND reference_number = ${search.toUpperCase()}
    UNION
    SELECT r.order_id FROM referrals f
    JOIN referral_requests r ON r.shop = f.shop AND r.id = f.request_id
    WHERE f.shop = ${shop} AND f.reference = ${search}
    LIMIT ${EXACT_LIMIT}`;
  return idRows.parse(rows).map((row) => row.orderId);
}

/**
 * Orders whose number begins with what was typed, by number: sorted by payment, "10" would have to gather every
 * tenth order first. The column is made from the order's name by the same rule (prisma/migrations).
 */
export function foundOrders(shop: ShopDomain, { search, start, size }: OrderQuery): Prisma.Sql {
  const key = (/[0-9].*/.exec(search)?.[0] ?? search).toLowerCase();
  const end = `${key}\u{10FFFF}`;
  const edge = searchEdge(start);
  const place = edge?.searchKey.startsWith(key) && Prisma.sql`(${edge.searchKey}, ${edge.orderId})`;
  const isBack = isBackwards(start);
  const direction = isBack ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  // One condition for each end of the walk, as in order-selection.ts.
  const lower =
    place && !isBack
      ? Prisma.sql`(search_key, order_id) > ${place}`
      : Prisma.sql`search_key >= ${key}`;
  const upper =
    place && isBack
      ? Prisma.sql`(search_key, order_id) < ${place}`
      : Prisma.sql`search_key < ${end}`;
  return Prisma.sql`
    SELECT order_id, row_number() OVER (ORDER BY search_key ${direction}, order_id ${direction}) AS place
    FROM (
      SELECT search_key, order_id FROM orders
      WHERE shop = ${shop} AND ${lower} AND ${upper}
      ORDER BY search_key ${direction}, order_id ${direction} LIMIT ${size + 1}
    ) walked`;
}
