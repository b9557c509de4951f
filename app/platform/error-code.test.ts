import { createServer, type Socket } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../test/database/database.ts";
import { CONNECTION_LIMITS, LimitedClient } from "./database/limited-client.ts";
import { errorCode } from "./error-code.ts";
import { describeError } from "./logger.ts";

const db = await openTestDatabase();
const LIMIT_MS = 300;

/** The code by which both the log and the metrics call a failure. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("It went well"),
    (failure: unknown) => failure,
  );
  expect(describeError(error)).toMatchObject({ code: errorCode(error) });
  return errorCode(error);
}

/** A server that takes connections and does with each what it is told. */
async function openServer(serve: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return `postgresql://nobody@127.0.0.1:${port}/nothing`;
}

function openPool(connectionString: string, max = 1): pg.Pool {
  const limits = { ...CONNECTION_LIMITS, connectionTimeoutMillis: LIMIT_MS };
  const pool = new pg.Pool({ ...limits, Client: LimitedClient, connectionString, max });
  onTestFinished(() => pool.end());
  return pool;
}

test("tells that no connection of a pool was free in time", async () => {
  const pool = openPool(db.url);
  const taken = await pool.connect();
  expect(await codeOf(pool.query("SELECT 1"))).toBe("connection_timeout");
  taken.release();
});

test("tells that a server took a connection and never answered", async () => {
  const pool = openPool(await openServer(() => {}));
  expect(await codeOf(pool.query("SELECT 1"))).toBe("connection_timeout");
});

test("tells that a server ended a connection without a word", async () => {
  const pool = openPool(await openServer((socket) => socket.end()));
  expect(await codeOf(pool.query("SELECT 1"))).toBe("connection_ended");
});

test("tells that a server takes no TLS", async () => {
  const url = await openServer((socket) => socket.once("data", () => socket.write("N")));
  expect(await codeOf(openPool(`${url}?sslmode=require`).query("SELECT 1"))).toBe("tls_refused");
});

test("tells that a statement was not answered in time", async () => {
  const client = new LimitedClient({ connectionString: db.url, query_timeout: LIMIT_MS });
  await client.connect();
  expect(await codeOf(client.query("SELECT pg_sleep(60)"))).toBe("query_read_timeout");
  await client.end();
});

test("calls what the job engine reports as an object without a class by its words", () => {
  const message = "timeout exceeded when trying to connect";
  expect(errorCode({ message })).toBe("connection_timeout");
  expect(describeError({ message })).toEqual({ type: "object", code: "connection_timeout" });
});
