import { expect, test } from "vitest";
import { gid, shopDomain } from "../../app/modules/kernel/ids.ts";
import { readKeyProgress } from "../../app/platform/encryption/key-progress.ts";
import { maintainKeys } from "../../app/platform/encryption/maintain-keys.ts";
import { createLogger } from "../../app/platform/logger.ts";
import { SEALED_COLUMNS } from "../../app/sealed-columns.ts";
import { FACTS, openEarlierDatabase } from "./earlier-database.ts";

const { pool, sealers, tenancy } = await openEarlierDatabase();
const shop = shopDomain(FACTS.shop);
if (!shop) throw new Error("The dump names no shop");
const requestId = FACTS.requests.done?.[0] ?? "";

/** How many values are sealed, by the first byte of their format. */
async function formats(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { table, column } of SEALED_COLUMNS) {
    const { rows } = await pool.query<{ format: number; count: number }>(
      `SELECT get_byte(${column}, 0) AS format, count(*)::int AS count FROM ${table}
       WHERE length(${column}) > 0 GROUP BY 1`,
    );
    for (const { format, count } of rows) found[format] = (found[format] ?? 0) + count;
  }
  return found;
}

test("seals everything anew in the background, and then destroys the shop's one key", async () => {
  const open = () =>
    tenancy.inShop(shop, async (tenant) => ({
      patient: (await tenant.requests.patientOf(requestId))?.patient,
      buyer: await tenant.orders.buyerOf(
        (await tenant.requests.find(requestId))?.orderId ?? gid("Order", 1),
      ),
      recipient: tenant.links.recipientOf("sam@example.com"),
      connection: (await tenant.connections.find("staging"))?.clientId,
    }));
  const before = await open();
  expect(before.patient).toMatchObject({ firstName: FACTS.patients.done?.firstName });
  const sealed = await formats();
  expect(Object.keys(sealed)).toEqual(["1"]);
  expect(await readKeyProgress(pool)).toMatchObject({ shops: 1, resealed: 0, formerKeys: 1 });

  const logger = createLogger("silent");
  await maintainKeys({ pool, sealers, columns: SEALED_COLUMNS, logger, retiredForMs: 0 });

  expect(await formats()).toEqual({ 2: sealed[1] });
  expect(await readKeyProgress(pool)).toMatchObject({
    ...{ shops: 0, resealed: sealed[1], unreadable: 0, formerKeys: 0 },
  });
  sealers.forgetAll();
  expect(await open()).toEqual(before);
});
