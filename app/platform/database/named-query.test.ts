import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import type pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { LimitedClient } from "./limited-client.ts";
import { PipelinedClient } from "./pipelined-client.ts";

const db = await openTestDatabase();

/** A request for the columns of what was just bound. */
const DESCRIBE = "D\0\0\0\x06P\0";

/** A connection, and how often the server was asked for columns on it. */
async function counted(Client: typeof LimitedClient | typeof PipelinedClient) {
  const target = new URL(db.url);
  let said = "";
  const server = createServer((socket) => {
    const onward = connect(Number(target.port), target.hostname);
    socket.on("data", (bytes) => {
      said += bytes.toString("latin1");
    });
    socket.pipe(onward).pipe(socket);
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(db.url);
  url.port = String((server.address() as AddressInfo).port);
  const client = new Client({ connectionString: url.href });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    server.close();
  });
  return { client, asked: () => said.split(DESCRIBE).length - 1 };
}

describe.each([
  ["one that waits for each answer", LimitedClient],
  ["one that sends without waiting", PipelinedClient],
])("a connection, %s,", (_kind, Client) => {
  test("asks for the columns of a named statement once, and reads each answer alike", async () => {
    const { client, asked } = await counted(Client);
    const ask = (n: number | null) =>
      client.query({
        name: "rows",
        text: "SELECT $1::int AS n, now() AS at, ARRAY[true] AS list, k FROM generate_series(1, 2) AS k",
        values: [n],
      });
    const [first, second] = [await ask(1), await ask(null)];
    expect(asked()).toBe(1);
    expect(first.rows.map(({ n, k }) => [n, k])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(second.rows.map(({ n, k }) => [n, k])).toEqual([
      [null, 1],
      [null, 2],
    ]);
    expect(second.rows[0]).toMatchObject({ at: expect.any(Date), list: [true] });
    expect(second.fields).toEqual(first.fields);
    expect(second.rowCount).toBe(2);
  });

  test("asks once of a statement without rows, and not at all after one that failed", async () => {
    const { client, asked } = await counted(Client);
    await client.query("CREATE TEMPORARY TABLE numbers (n int PRIMARY KEY)");
    const add = (n: number) =>
      client.query({ name: "add", text: "INSERT INTO numbers VALUES ($1)", values: [n] });
    await add(1);
    await expect(add(1)).rejects.toMatchObject({ code: "23505" });
    expect(await add(2)).toMatchObject({ command: "INSERT", rowCount: 1, rows: [] });
    expect(asked()).toBe(1);
  });

  test("is refused where the columns have changed since", async () => {
    const { client } = await counted(Client);
    await client.query("CREATE TEMPORARY TABLE things (thing int)");
    const ask = () => client.query({ name: "things", text: "SELECT thing FROM things" });
    await ask();
    await ask();
    await client.query("ALTER TABLE things ALTER thing TYPE text");
    await expect(ask()).rejects.toMatchObject({ code: "0A000" });
  });

  test("tells who asked of a statement that failed", async () => {
    const { client } = await counted(Client);
    async function whoever() {
      await client.query({ name: "fails", text: "SELECT 1 / $1::int", values: [0] });
    }
    const failure = await whoever().catch((error: Error) => error);
    expect((failure as Error).stack).toContain("whoever");
  });

  test("gives rows as lists to who asks for them so", async () => {
    const { client } = await counted(Client);
    const ask: pg.QueryArrayConfig = { name: "list", text: "SELECT 1 AS n", rowMode: "array" };
    for (let time = 0; time < 2; time++) expect((await client.query(ask)).rows).toEqual([[1]]);
  });
});
