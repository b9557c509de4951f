import type { ShopDomain } from "../shop-domain.ts";
import { askPool } from "./data-keys.ts";
import type { KeyPorts } from "./key-ports.ts";
import { replaceEpoch } from "./replace-epoch.ts";
import { resealPage } from "./sealed-column.ts";

/** One shop's walk leaves the others their turn after so long. */
const TURN_MS = 30_000;

interface Walk {
  column: number;
  cursor: string;
}

/**
 * Goes on with a shop's walk through its sealed columns, and seals anew what another key than the present one sealed:
 * after an upgrade from the time of one key for each shop, and after a rotation. Each page notes how far it came. At the
 * end nothing needs the older keys, and they are destroyed. Needs the shop's lease.
 */
export async function reseal(ports: KeyPorts, shop: ShopDomain): Promise<void> {
  const { pool, columns, onStep = () => {} } = ports;
  const ask = askPool(pool);
  const endsAt = performance.now() + TURN_MS;
  for (;;) {
    const [walk] = await ask<Walk>(
      `SELECT column_number AS column, cursor FROM resealings
       WHERE shop = $1 AND finished_at IS NULL AND begins_at <= now()`,
      [shop],
    );
    if (!walk) return;
    const column = columns[walk.column];
    if (!column) return finish(ports, shop);
    if (performance.now() > endsAt) return;
    const after = walk.cursor ? (JSON.parse(walk.cursor) as unknown[]) : null;
    const page = await resealPage(ports, shop, column, after);
    await ask(
      `UPDATE resealings SET column_number = $2, cursor = $3, looked_at = looked_at + $4,
              sealed_anew = sealed_anew + $5, unreadable = unreadable + $6
       WHERE shop = $1 AND finished_at IS NULL`,
      [
        shop,
        page.cursor ? walk.column : walk.column + 1,
        page.cursor ? JSON.stringify(page.cursor) : "",
        ...[page.looked, page.resealed, page.unreadable],
      ],
    );
    onStep();
  }
}

/** Destroys the keys that nothing needs any more, and the epoch that wrapped them. */
async function finish(ports: KeyPorts, shop: ShopDomain): Promise<void> {
  const { pool, sealers, logger, onStep = () => {} } = ports;
  const ask = askPool(pool);
  const [walk] = await ask<{ unreadable: number; sealedAnew: number }>(
    `SELECT unreadable::int, sealed_anew::int AS "sealedAnew" FROM resealings WHERE shop = $1`,
    [shop],
  );
  if (!walk) return;
  if (walk.unreadable > 0)
    logger.error({ shop, ...walk }, "sealed values that no key opens; the former keys are kept");
  else {
    // Its own keys are there before the former one goes: keyed hashes stay what they were.
    await sealers.forShop(shop);
    await ask("DELETE FROM shop_keys WHERE shop = $1", [shop]);
    await ask(
      `DELETE FROM data_keys k USING resealings r
       WHERE k.shop = $1 AND r.shop = k.shop AND k.retired_at <= r.asked_at`,
      [shop],
    );
    sealers.forget(shop);
    await replaceEpoch({ ask, epochs: sealers.epochs, onStep }, shop);
  }
  await ask("UPDATE resealings SET finished_at = now() WHERE shop = $1", [shop]);
  logger.info({ shop, ...walk }, "everything of the shop is sealed by its present keys");
}
