import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { askPool } from "../../../platform/encryption/data-keys.ts";

const db = await openTestDatabase();

test("seals what the service said whole, but for the address of its PDF", async () => {
  const one = await startCreated(db);
  const [uuid = ""] = one.uuids();
  const address = "https://files.example/form.pdf?signature=secret";
  const refetch = one.become({ novelty: { deep: [1] }, referralAttachment: address });
  await expect(refetch).rejects.toMatchObject({ name: "AttachmentUnavailable" });
  const { rows } = await db.pool.query<{ sealed: Buffer }>(
    "SELECT snapshot_sealed AS sealed FROM referrals WHERE shop = $1 AND uuid = $2",
    [one.shop, uuid],
  );
  const { sealers } = db;
  const keys = sealers.subjects(one.shop, await sealers.forShop(one.shop), askPool(db.pool));
  const opener = await keys.opener({ request: one.requestId });
  const field = { table: "referrals", column: "snapshot", row: uuid };
  const stored = opener.openJson(field, rows[0]?.sealed ?? Buffer.alloc(0));
  expect(stored).toMatchObject({ uuid, novelty: { deep: [1] }, referralAttachment: null });
});
