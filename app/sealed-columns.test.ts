import { expect, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { installedShop } from "../test/database/seed.ts";
import { createConnectionSecrets } from "./modules/shops/postgres/connection-secrets.ts";
import { maintainKeys } from "./platform/encryption/maintain-keys.ts";
import { rotateKeys } from "./platform/encryption/rotate-keys.ts";
import { createLogger } from "./platform/logger.ts";
import { SEALED_COLUMNS } from "./sealed-columns.ts";

const db = await openTestDatabase();

test("names every sealed column: one that a rotation passes over opens for nobody afterwards", async () => {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%\\_sealed' ORDER BY 1`,
  );
  const named = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(named.toSorted()).toEqual(rows.map((row) => row.name));
});

test("a signing secret that still counts beside its successor is read after a rotation of the shop's keys", async () => {
  const shop = await installedShop(db);
  const save = (secret: string) =>
    db.tenancy.inShop(shop, (tenant) =>
      tenant.connections.save({
        environment: "staging",
        credentials: { clientId: "id", clientSecret: "secret" },
        signing: { scheme: "hmac-hex", header: "x-signature", secret },
      }),
    );
  await save("former");
  const { addressToken } = await save("present");
  const ports = {
    ...{ pool: db.pool, sealers: db.sealers, columns: SEALED_COLUMNS, retiredForMs: 0 },
    logger: createLogger("silent"),
  };
  await rotateKeys(ports, shop, "shops");
  for (let turn = 0; turn < 3; turn++) await maintainKeys(ports);
  const found = await createConnectionSecrets(db.pool, db.sealers).byAddress(addressToken ?? "");
  expect(found?.signing).toMatchObject({ secret: "present", previousSecrets: ["former"] });
});
