import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";

const db = await openTestDatabase();
const MISMATCH = { failure: "contract_mismatch" };

test.each([
  ["deletedAt", "by the laboratory"],
  ["deletedAt", "2026-13-45"],
  ["resultsUuid", "none yet"],
])("%s %j is told as an answer that cannot be read", async (field, value) => {
  const { become, referrals } = await startCreated(db);
  await expect(become({ [field]: value })).rejects.toMatchObject(MISMATCH);
  expect(await referrals()).toMatchObject([{ deletedAt: null, resultUuid: null }]);
});

test("an empty text in the place of a moment or an id is none", async () => {
  const { become, referrals, story, requestId } = await startCreated(db);
  await become({ deletedAt: "", resultsUuid: "", status: "ISSUED" });
  expect(await referrals()).toMatchObject([
    { deletedAt: null, resultUuid: null, status: "ISSUED" },
  ]);
  expect(await story(requestId)).not.toContain("cancelled");
});
