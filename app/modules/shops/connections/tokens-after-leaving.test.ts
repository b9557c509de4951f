import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../../test/database/locks.ts";
import { connect, installedShop } from "../../../../test/database/seed.ts";
import { createConnectionSecrets } from "../postgres/connection-secrets.ts";

const db = await openTestDatabase();

test("no token is stored for a shop that leaves while the token is fetched", async () => {
  const shop = await installedShop(db);
  await connect(db, shop);
  const secrets = createConnectionSecrets(db.pool, db.sealers);
  await secrets.writeTokens(shop, "staging", { accessToken: "first" });
  const leaving = await whoHolds(
    db,
    "UPDATE shops SET uninstalled_at = now() WHERE shop = $1",
    shop,
  );
  await leaving.change("UPDATE connections SET tokens_sealed = NULL WHERE shop = $1", shop);
  const storing = secrets.writeTokens(shop, "staging", { accessToken: "second" });
  await untilWaiting(db, 1, storing);
  await leaving.end();
  await storing;
  const { rows } = await db.pool.query("SELECT tokens_sealed FROM connections WHERE shop = $1", [
    shop,
  ]);
  expect(rows).toEqual([{ tokens_sealed: null }]);
});
