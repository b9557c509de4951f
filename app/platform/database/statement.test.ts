import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { PipelinedClient } from "./pipelined-client.ts";

const db = await openTestDatabase();

/** A connection that counts how often it asks for the columns of what it sends. */
async function connected(Client: typeof pg.Client = PipelinedClient) {
  const client = new Client({ connectionString: db.url });
  await client.connect();
  onTestFinished(() => client.end());
  let described = 0;
  const { connection } = client;
  const describing = connection.describe.bind(connection);
  connection.describe = (...asked) => {
    described++;
    describing(...asked);
  };
  return { client, described: () => described };
}

const EVERY_KIND = `
  SELECT $1::text AS text, NULL::text AS nothing, 7::int AS whole, 8::bigint AS long, 1.50::numeric AS exact, 0.5::float8 AS rough,
         true AS "isSo", '\\x00ff'::bytea AS bytes, '2026-11-24T01:02:03.456Z'::timestamptz AS "instant", '2026-11-24'::date AS day,
         '{"a": [1, null]}'::jsonb AS json, ARRAY['a', 'b,"c"'] AS texts, ARRAY[1, 2]::bigint[] AS longs, 'twice' AS same, 2 AS same`;

test.each([undefined, "of-every-kind"])(
  "rows of a statement named %s are those that pg reads, also once the columns are known",
  async (name) => {
    const { client } = await connected();
    const { client: ofPg } = await connected(pg.Client);
    const asked = { text: EVERY_KIND, values: ["it’s"], ...(name && { name }) };
    const { rows, fields, rowCount, command } = await ofPg.query({ ...asked });
    for (let time = 0; time < 3; time++)
      expect(await client.query({ ...asked })).toMatchObject({ rows, fields, rowCount, command });
  },
);

test("a connection is asked once for the columns of a name", async () => {
  const { client, described } = await connected();
  const ask = (value: string) =>
    client.query({ name: "one", text: "SELECT $1::text AS said", values: [value] });
  expect((await ask("a")).rows).toEqual([{ said: "a" }]);
  expect((await ask("b")).rows).toEqual([{ said: "b" }]);
  expect(described()).toBe(1);
  const other = await connected();
  await other.client.query({ name: "one", text: "SELECT 1 AS another", values: [] });
  expect(other.described()).toBe(1);
});

test("what is asked for together before the columns are known has its own rows each", async () => {
  const { client } = await connected();
  const ask = (value: string) =>
    client.query({ name: "one", text: "SELECT $1::text AS said", values: [value] });
  const answers = await Promise.all(["a", "b", "c"].map(ask));
  expect(answers.map(({ rows }) => rows)).toEqual([
    [{ said: "a" }],
    [{ said: "b" }],
    [{ said: "c" }],
  ]);
});

test("a statement that returns nothing is asked once for its columns, and tells how many rows it changed", async () => {
  const { client, described } = await connected();
  await client.query("CREATE TEMP TABLE counted (n int)");
  const add = (most: number) =>
    client.query({
      name: "add",
      text: "INSERT INTO counted SELECT * FROM generate_series(1, $1::int)",
      values: [most],
    });
  for (const most of [2, 3, 0])
    expect(await add(most)).toMatchObject({
      command: "INSERT",
      rowCount: most,
      rows: [],
      fields: [],
    });
  expect(described()).toBe(1);
  const { rows } = await client.query("SELECT count(*)::int AS n FROM counted");
  expect(rows).toEqual([{ n: 5 }]);
});

test("a known name that would return other columns fails, and gives no rows under the former names", async () => {
  const { client } = await connected();
  await client.query("CREATE TEMP TABLE changing (was text); INSERT INTO changing VALUES ('a')");
  const ask = () =>
    client.query({ name: "changing", text: "SELECT * FROM changing WHERE $1", values: [true] });
  expect((await ask()).rows).toEqual([{ was: "a" }]);
  await client.query("ALTER TABLE changing ALTER was TYPE int USING 7");
  await expect(ask()).rejects.toMatchObject({ code: "0A000" });
});

describe("a statement that fails", () => {
  test("tells who asked for it, and leaves the connection as it was", async () => {
    const { client } = await connected();
    const ask = (by: number) =>
      client.query({ name: "divide", text: "SELECT 6 / $1::int AS part", values: [by] });
    const askedHere = async () => await ask(0);
    expect((await ask(2)).rows).toEqual([{ part: 3 }]);
    const error: Error = await askedHere().catch((failure) => failure);
    expect(error).toMatchObject({ code: "22012" });
    expect(error.stack).toContain("askedHere");
    expect((await ask(3)).rows).toEqual([{ part: 2 }]);
  });

  test("because a value can't be read is the only one that does", async () => {
    const { client } = await connected();
    const types: pg.CustomTypesConfig = {
      getTypeParser: () => (text: string) => {
        if (text === "bad") throw new Error("unreadable");
        return text;
      },
    };
    const ask = (values: string[]) =>
      client.query({
        name: "read",
        text: "SELECT unnest($1::text[]) AS said",
        values: [values],
        types,
      });
    const answers = await Promise.allSettled([ask(["a"]), ask(["a", "bad", "b"]), ask(["c"])]);
    expect(answers).toMatchObject([
      { value: { rows: [{ said: "a" }] } },
      { reason: new Error("unreadable") },
      { value: { rows: [{ said: "c" }] } },
    ]);
  });

  test("because a value can't be sent is the only one that does", async () => {
    const { client } = await connected();
    const unsendable = {
      toPostgres() {
        throw new Error("unsendable");
      },
    };
    const ask = (value: unknown) =>
      client.query({ name: "send", text: "SELECT $1::text AS said", values: [value] });
    expect((await ask("a")).rows).toEqual([{ said: "a" }]);
    const answers = await Promise.allSettled([ask("b"), ask(unsendable), ask("c")]);
    expect(answers).toMatchObject([
      { value: { rows: [{ said: "b" }] } },
      { reason: new Error("unsendable") },
      { status: "rejected" },
    ]);
  });
});

test("a pool gets its answer in its own style", async () => {
  const pool = new pg.Pool({ connectionString: db.url, Client: PipelinedClient });
  onTestFinished(() => pool.end());
  const asked = { name: "one", text: "SELECT $1::text AS said", values: ["a"] };
  expect((await pool.query(asked)).rows).toEqual([{ said: "a" }]);
  expect((await pool.query(asked)).rows).toEqual([{ said: "a" }]);
});

test("several statements in one text are left to pg", async () => {
  const { client } = await connected();
  const answers = (await client.query({ text: "SELECT 1 AS a; SELECT 2 AS b" })) as unknown;
  expect(answers).toMatchObject([{ rows: [{ a: 1 }] }, { rows: [{ b: 2 }] }]);
});
