import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { parseJson } from "./json.ts";

const db = await openTestDatabase();

test("a database takes whatever is parsed, as text and as JSON", async () => {
  const written = {
    id: "a\0b",
    name: "Iron \ud83d 🩸",
    of: [{ referenceNumber: "\ude00" }, null, 1],
  };
  const parsed = parseJson(JSON.stringify(written));
  expect(parsed).toEqual({
    ...{ id: "a\ufffdb", name: "Iron \ufffd 🩸" },
    of: [{ referenceNumber: "\ufffd" }, null, 1],
  });
  const { name } = parsed as typeof written;
  const { rows } = await db.pool.query("SELECT $1::jsonb AS json, $2::text AS name", [
    JSON.stringify(parsed),
    name,
  ]);
  // Read again it is what was parsed, so that it is found to be the same.
  expect(rows).toEqual([{ json: parsed, name }]);
});

test("whole characters of two units are left as they are, however they are written", () => {
  expect(parseJson('{"a": "\\ud83e\\ude78 🩸"}')).toEqual({ a: "🩸 🩸" });
});

test("what is no JSON is told by undefined", () => {
  expect(parseJson('{"a": "\\ud83"}')).toBeUndefined();
});
