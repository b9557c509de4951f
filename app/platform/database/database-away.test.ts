import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { openDatabase } from "./database.ts";
import { isDatabaseAway } from "./database-away.ts";
import type { Transaction } from "./transactions.ts";

const db = await openTestDatabase();
const raise = (code: string) =>
  `DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '${code}'; END $$`;

test.each([
  ["53100", "its disk is full"],
  ["53200", "it has no memory left"],
  ["58030", "its disk does not answer"],
  ["53300", "it has no connection left"],
  ["57P01", "it is being stopped"],
  ["28P01", "the login has another password"],
  ["28000", "the login may not come in"],
  ["3D000", "it is not there under its name for now"],
  ["57014", "a statement took too long"],
  ["55P03", "a lock was not to be had in time"],
  ["25P03", "a transaction was idle for too long"],
  ["25P04", "a transaction took too long"],
  ["57P05", "a session was idle for too long"],
])("%s counts as a database that is away: %s", async (code) => {
  const own = await db.pool.query(raise(code)).catch((error: unknown) => error);
  const shops = await db.transactions
    .run((tx) => tx.$executeRawUnsafe(raise(code)))
    .catch((error: unknown) => error);
  expect([own, shops].map(isDatabaseAway)).toEqual([true, true]);
});

test("a database that has to be vacuumed before it writes again counts as away, and no other limit of its kind", async () => {
  const raiseWith = (message: string) =>
    db.pool
      .query(`DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = '54000'; END $$`)
      .catch((error: unknown) => error);
  const full =
    "database is not accepting commands that assign new transaction IDs to avoid wraparound data loss";
  expect(isDatabaseAway(await raiseWith(full))).toBe(true);
  expect(isDatabaseAway(await raiseWith("index row size 2720 exceeds btree maximum"))).toBe(false);
});

test.each(["23505", "42501", "42P01"])("%s does not: it would fail again", async (code) => {
  const own = await db.pool.query(raise(code)).catch((error: unknown) => error);
  expect(isDatabaseAway(own)).toBe(false);
});

test("a certificate that was exchanged under a running process counts as well", () => {
  const own = Object.assign(new Error("self-signed certificate"), {
    code: "DEPTH_ZERO_SELF_SIGNED_CERT",
  });
  const shops = Object.assign(new Error("Raw query failed"), {
    code: "P2010",
    meta: { driverAdapterError: { cause: { kind: "TlsConnectionError" } } },
  });
  expect([own, shops].map(isDatabaseAway)).toEqual([true, true]);
});

test.each([
  "CERT_HAS_EXPIRED",
  "CERT_REVOKED",
  "CERT_SIGNATURE_FAILURE",
  "ERR_TLS_CERT_ALTNAME_FORMAT",
  "HOSTNAME_MISMATCH",
  "INVALID_CA",
  "UNABLE_TO_GET_CRL",
])("so does one for which TLS says %s", (code) => {
  expect(isDatabaseAway(Object.assign(new Error("no"), { code }))).toBe(true);
});

test.each([
  ["has no TLS", "N"],
  ["has no process left for one more", "E"],
])("a server that %s for now counts as well", async (_, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy()).once("data", () => socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `postgresql://nobody@127.0.0.1:${port}/none?sslmode=require`;
  const own = openDatabase({ url, poolSize: 1, onError: () => {} });
  onTestFinished(async () => {
    await own.close();
    server.close();
  });
  const asked = [own.pool.query("SELECT 1"), own.transactions.run((tx) => tx.$queryRaw`SELECT 1`)];
  const errors = await Promise.all(asked.map((one) => one.catch((error: unknown) => error)));
  expect(errors.map(isDatabaseAway)).toEqual([true, true]);
});

test.each(["EHOSTUNREACH", "ENETUNREACH"])("a network that says %s counts as well", (code) => {
  expect(isDatabaseAway(Object.assign(new Error("no"), { code, syscall: "connect" }))).toBe(true);
});

test.each<[string, (tx: Transaction) => Promise<unknown>]>([
  ["a statement", (tx) => tx.$queryRaw`SELECT 1`],
  ["a question to a model", (tx) => tx.shop.count()],
  ["the end of what was written", async () => null],
])("a connection that ended before %s counts as well", async (_, ask) => {
  const own = openDatabase({ url: db.url, poolSize: 1, onError: () => {} });
  onTestFinished(() => own.close());
  const connected = once(own.pool, "connect");
  const lost = own.transactions.run(async (tx) => {
    await tx.$executeRaw`UPDATE shops SET name = '' WHERE shop = 'none.myshopify.com'`;
    const [row] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    const [connection] = await connected;
    // It fails before it ends, for which `once` would throw.
    const ended = new Promise((resolve) => connection.once("end", resolve));
    await db.pool.query("SELECT pg_terminate_backend($1)", [row?.pid]);
    await ended;
    await ask(tx);
  });
  const error = await lost.catch((one: unknown) => one);
  expect(error).toBeInstanceOf(Error);
  expect(isDatabaseAway(error)).toBe(true);
});
