import { expect, onTestFinished, test } from "vitest";
import { startKeptDatabase, TWO } from "../../../../test/database/kept-database.ts";
import { openProcessPool } from "../../../platform/database/database.ts";
import { createShopEraser } from "./shop-eraser.ts";

const { owner, access, tenancy, tenantKey } = await startKeptDatabase();

test("destroys a shop whose rows take longer than a statement of the app may", async () => {
  await owner.query(
    `CREATE FUNCTION be_many() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(12); RETURN NULL; END';
     CREATE TRIGGER many BEFORE DELETE ON access_log FOR EACH STATEMENT EXECUTE FUNCTION be_many()`,
  );
  const pool = openProcessPool({
    ...{ url: access.processUrl, tenantKey, poolSize: 1, onError: () => {} },
  });
  onTestFinished(() => pool.end());
  const at = new Date();
  await tenancy.inShop(TWO, (tenant) => tenant.shops.uninstall(at));
  const counts = await createShopEraser(pool).erase(TWO, { askedAt: at, doneAt: at });
  expect(counts).toMatchObject({ shops: 1, access_log: 1 });
  // Its limits are no others' limits.
  const { rows } = await pool.query("SHOW statement_timeout");
  expect(rows).toEqual([{ statement_timeout: "10s" }]);
});
