import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { PipelinedClient } from "../platform/database/pipelined-client.ts";
import { prepared } from "./engine.ts";

const database = await openTestDatabase();

test("a statement that returns other columns than before fails once, and not for as long as its connection lives", async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 1, Client: PipelinedClient });
  onTestFinished(() => pool.end());
  await pool.query("CREATE TABLE changing (was text)");
  onTestFinished(async () => void (await database.pool.query("DROP TABLE changing")));
  await pool.query("INSERT INTO changing VALUES ('a')");
  const ask = () => prepared(pool).executeSql("SELECT was FROM changing WHERE $1", [true]);
  expect(await ask()).toMatchObject({ rows: [{ was: "a" }] });
  await pool.query("ALTER TABLE changing ALTER was TYPE int USING 7");
  await expect(ask()).rejects.toMatchObject({ code: "0A000" });
  expect(await ask()).toMatchObject({ rows: [{ was: 7 }] });
});
