import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { untilWaiting, whoHolds } from "../../../test/database/locks.ts";
import { startRequest } from "../../../test/database/request.ts";

const db = await openTestDatabase();

test("an order that came while the app was being installed again is sent, though the install did not see it", async () => {
  const { shop, create, now } = await startRequest(db);
  await db.pool.query("UPDATE shops SET uninstalled_at = now() WHERE shop = $1", [shop]);
  // It has looked for what to take up already, and is not on disk yet.
  const install = await whoHolds(
    db,
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))",
    `install ${shop}`,
  );
  await install.change("UPDATE shops SET uninstalled_at = NULL WHERE shop = $1", shop);
  const sending = create();
  await untilWaiting(db, 1);
  await install.end();
  expect(await sending).toMatchObject({ kind: "created" });
  expect(await now()).toBe("created");
});
