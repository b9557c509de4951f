import { z } from "zod";
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import { gid, type LineItemId, type OrderId } from "../../kernel/ids.ts";
import type { MappingState, StoreOrder, WantedUnits } from "../order.ts";

interface LinesRead extends WantedUnits {
  now: Date;
  states: Map<LineItemId, MappingState>;
  /** When the reading before this one began; null before the first. */
  lastReadAt: Date | null;
}

/**
 * Units of a line `o` that were sold while their product was no test. An earlier version did not count them: of a line that was no
 * test when that version read it, all are.
 */
const IGNORED_UNITS = Prisma.sql`coalesce(o.ignored_units, CASE WHEN o.mapping_state = 'ignored' THEN o.current_quantity ELSE 0 END)`;

/**
 * Writes the lines of a locked order as they were read. Units that were sold while their product was no test stay so, whatever it
 * means now, until a person wants them, and as long as they are bought and nothing was ordered for them; a line that holds
 * nothing else stays "ignored". A product that was deleted since is not named any more.
 */
export async function writeLines(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  { id: orderId, lines }: Pick<StoreOrder, "id" | "lines">,
  { states, lastReadAt, now, isWanted = false, ignoredSince = null }: LinesRead,
): Promise<void> {
  const rows = lines.map(({ id, currentQuantity, variantId, productId, ...line }) => ({
    ...{ line_item_id: id, current_quantity: currentQuantity },
    ...{ variant_id: variantId, product_id: productId },
    ...{ title: line.title, sku: line.sku, quantity: line.quantity },
    bundle_variant_id: line.bundle?.variantId ?? null,
    bundle_product_id: line.bundle?.productId ?? null,
    mapping_state: states.get(id) ?? "unmapped",
  }));
  const isWantedNow = Prisma.sql`(${isWanted} OR coalesce(o.ignored_at, ${lastReadAt}) >= ${ignoredSince})`;
  await unanswered(
    tx,
    Prisma.sql`
    INSERT INTO order_lines (shop, order_id, line_item_id, variant_id, product_id, title, sku, quantity, current_quantity,
                             mapping_state, bundle_variant_id, bundle_product_id, ignored_units, ignored_at)
    SELECT ${shop}, ${orderId}, l.line_item_id, l.variant_id, l.product_id, l.title, l.sku, l.quantity, l.current_quantity,
           CASE WHEN n.units > 0 AND n.units >= l.current_quantity THEN 'ignored' ELSE l.mapping_state END,
           l.bundle_variant_id, l.bundle_product_id,
           CASE WHEN l.mapping_state = 'ignored' THEN n.units ELSE nullif(n.units, 0) END,
           CASE WHEN n.units > 0 THEN
             CASE WHEN ${IGNORED_UNITS} > 0 THEN coalesce(o.ignored_at, ${lastReadAt}) ELSE ${now} END END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS l(line_item_id text, variant_id text, product_id text, title text, sku text, quantity int, current_quantity int,
           mapping_state text, bundle_variant_id text, bundle_product_id text)
    LEFT JOIN order_lines o ON o.shop = ${shop} AND o.order_id = ${orderId} AND o.line_item_id = l.line_item_id
    CROSS JOIN LATERAL (SELECT CASE
      WHEN l.mapping_state <> 'ignored' AND (${IGNORED_UNITS} = 0 OR ${isWantedNow}) THEN 0
      ELSE greatest(0, least(
        CASE WHEN l.mapping_state <> 'ignored' THEN ${IGNORED_UNITS} END,
        l.current_quantity - (
          SELECT count(DISTINCT r.unit)::int FROM referral_requests r
          WHERE r.shop = ${shop} AND r.order_id = ${orderId} AND r.line_item_id = l.line_item_id
            AND NOT (r.state = 'cancelled' AND r.cancellation_requested_by IS DISTINCT FROM 'staff')))) END AS units
      -- Planned once: without this each of the five places that ask for it has a plan of its own.
      OFFSET 0) n
    ON CONFLICT (shop, order_id, line_item_id) DO UPDATE SET
      variant_id = coalesce(EXCLUDED.variant_id, order_lines.variant_id),
      product_id = coalesce(EXCLUDED.product_id, order_lines.product_id),
      bundle_variant_id = coalesce(EXCLUDED.bundle_variant_id, order_lines.bundle_variant_id),
      bundle_product_id = coalesce(EXCLUDED.bundle_product_id, order_lines.bundle_product_id),
      title = EXCLUDED.title, sku = EXCLUDED.sku, quantity = EXCLUDED.quantity,
      current_quantity = EXCLUDED.current_quantity, mapping_state = EXCLUDED.mapping_state,
      ignored_units = EXCLUDED.ignored_units, ignored_at = EXCLUDED.ignored_at`,
  );
}

const unitRows = z.array(z.object({ lineItemId: z.string(), units: z.number() }));

/** The units of each line that were sold while their product was no test, where there are any. */
export async function readIgnoredUnits(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  orderId: OrderId,
): Promise<Map<LineItemId, number>> {
  const rows = unitRows.parse(
    await tx.$queryRaw`
      SELECT o.line_item_id AS "lineItemId", ${IGNORED_UNITS} AS units FROM order_lines o
      WHERE o.shop = ${shop} AND o.order_id = ${orderId} AND ${IGNORED_UNITS} > 0`,
  );
  return new Map(rows.map(({ lineItemId, units }) => [gid("LineItem", lineItemId), units]));
}
