import { Prisma } from "../../../generated/prisma/client.ts";
import type { ShopDomain } from "../../kernel/ids.ts";

/**
 * Whether a line `l` of an order was bought and nobody knew what it means: fewer units were opened for it than are still
 * bought. The same as modules/orders/orders/plan-units.ts has it: what staff cancelled counts as opened, what the store took back
 * does not. One whose mapping was removed afterwards owes nothing.
 */
export const isAwaitingMapping = (
  shop: ShopDomain,
): Prisma.Sql => Prisma.sql`l.mapping_state = 'unmapped' AND l.current_quantity > (
  SELECT count(DISTINCT opened.unit) FROM referral_requests opened
  WHERE opened.shop = ${shop} AND opened.order_id = l.order_id AND opened.line_item_id = l.line_item_id
    AND NOT (opened.state = 'cancelled' AND opened.cancellation_requested_by IS DISTINCT FROM 'staff'))`;
