import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startIntake, webhookHeaders } from "./testing/start-intake.ts";

const db = await openTestDatabase();
beforeEach(async () => {
  await db.pool.query("TRUNCATE inbox");
});

/** The form of a signature; of a body that does not come, nobody can tell whether it is one. */
const SIGNED = `x-shopify-hmac-sha256: ${"A".repeat(43)}=\r\n`;
const BODY = JSON.stringify({ id: 1, note: "x".repeat(1_000) });

async function deliver(url: string, eventId: string): Promise<number> {
  const headers = webhookHeaders(BODY, { "x-shopify-event-id": eventId });
  const answer = await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY });
  if (answer.status === 503) expect(answer.headers.get("retry-after")).toBe("5");
  return answer.status;
}

async function storedIds(): Promise<Set<string>> {
  const { rows } = await db.pool.query<{ id: string }>("SELECT event_id AS id FROM inbox");
  return new Set(rows.map((row) => row.id));
}

/** Delivers many at once while the database takes nothing, and lets it go on when as many wait as may. */
async function overload(url: string, count: number, waiting: number) {
  const owner = await db.pool.connect();
  await owner.query("BEGIN; LOCK TABLE inbox IN EXCLUSIVE MODE");
  const answers = new Map<string, number>();
  const deliveries = Array.from({ length: count }, async () => {
    const id = randomUUID();
    answers.set(id, await deliver(url, id));
  });
  await expect.poll(() => answers.size).toBe(count - waiting);
  const refused = [...answers.values()];
  await owner.query("COMMIT");
  owner.release();
  await Promise.all(deliveries);
  return { answers, refused };
}

test("more than can be kept waiting is refused at once, and nothing that was acknowledged is lost", async () => {
  const { url } = await startIntake(db, {
    limits: { messages: 20, shareOfOneShop: 1, storeMs: 60_000 },
  });
  const { answers, refused } = await overload(url, 200, 20);
  expect(refused).toEqual(Array(180).fill(503));
  const acknowledged = [...answers].filter(([, status]) => status === 200).map(([id]) => id);
  expect(acknowledged).toHaveLength(20);
  expect(await storedIds()).toEqual(new Set(acknowledged));
  // It is over when it is over.
  expect(await deliver(url, "afterwards")).toBe(200);
});

test("so are more bytes than can be kept", async () => {
  const { url } = await startIntake(db, {
    limits: { smallBytes: 5 * BODY.length, storeMs: 60_000 },
  });
  const { answers } = await overload(url, 50, 5);
  expect([...answers.values()].filter((status) => status === 200)).toHaveLength(5);
});

test("a database that takes too long is a no, and the same message may come again", async () => {
  const { url } = await startIntake(db, { limits: { storeMs: 50 } });
  const owner = await db.pool.connect();
  await owner.query("BEGIN; LOCK TABLE inbox IN EXCLUSIVE MODE");
  expect(await deliver(url, "slow")).toBe(503);
  await owner.query("COMMIT");
  owner.release();
  await expect.poll(() => deliver(url, "slow")).toBe(200);
  expect(await storedIds()).toEqual(new Set(["slow"]));
  // A write that was given up goes on, and would be found by the next test.
  await expect.poll(() => db.pool.idleCount).toBe(db.pool.totalCount);
});

test("keeps nobody out for a caller who announces much and sends nothing", async () => {
  const limits = {
    smallBytes: 3 * BODY.length,
    largeBytes: 3 * BODY.length,
    messages: 2,
    readMs: 2_000,
  };
  const { url, port } = await startIntake(db, { limits });
  const head = `POST /webhooks HTTP/1.1\r\nHost: x\r\n${SIGNED}Content-Length: ${5 * 1024 * 1024}\r\n\r\n`;
  const idle = Array.from({ length: 20 }, async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(head);
    return String((await once(socket, "data"))[0]);
  });
  expect(await deliver(url, "meanwhile")).toBe(200);
  for (const answer of await Promise.all(idle)) expect(answer).toMatch(/^HTTP\/1.1 408 /);
  expect(await deliver(url, "afterwards")).toBe(200);
  expect(await storedIds()).toEqual(new Set(["meanwhile", "afterwards"]));
});

test("bytes that came and were given up make reservation again", async () => {
  const { url, port } = await startIntake(db, {
    limits: { smallBytes: BODY.length, readMs: 3_000 },
  });
  const socket = connect(port, "127.0.0.1");
  socket.write(
    `POST /webhooks HTTP/1.1\r\nHost: x\r\n${SIGNED}Content-Length: 9999\r\n\r\n${BODY.slice(1)}`,
  );
  await expect.poll(() => deliver(url, "kept out")).toBe(503);
  await once(socket, "data");
  expect(await deliver(url, "afterwards")).toBe(200);
});

test("nor do events for addresses that somebody made up", async () => {
  const { url } = await startIntake(db, { limits: { lookups: 3, messages: 1, storeMs: 60_000 } });
  const owner = await db.pool.connect();
  await owner.query("BEGIN; LOCK TABLE connections IN ACCESS EXCLUSIVE MODE");
  const answers: number[] = [];
  const sent = Array.from({ length: 20 }, async (_, n) => {
    const answer = await fetch(`${url}/events/${String(n).padStart(32, "x")}`, { method: "POST" });
    answers.push(answer.status);
  });
  await expect.poll(() => answers.length).toBe(17);
  expect(new Set(answers)).toEqual(new Set([503]));
  await owner.query("COMMIT");
  owner.release();
  await Promise.all(sent);
  expect(answers.filter((status) => status === 404)).toHaveLength(3);
});

/** Begins so many messages, sends a part of each, and leaves it at that. */
async function silence(
  port: number,
  { count, announced, sent }: Record<"count" | "announced" | "sent", number>,
) {
  const head = `POST /webhooks HTTP/1.1\r\nHost: x\r\n${SIGNED}Content-Length: ${announced}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => connect(port, "127.0.0.1"));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  for (const socket of sockets) socket.on("error", () => {}).write(head + "x".repeat(sent));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
}

test("keeps places for small bodies, however many large ones are on their way", async () => {
  const { url, port } = await startIntake(db, { limits: { largeBytes: 1_000_000 } });
  await silence(port, { count: 44, announced: 5_000_000, sent: 100_000 });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => deliver(url, `small-${n}`)),
  );
  expect(answers).toEqual(Array(30).fill(200));
});

test("reads large bodies no faster than all of them may come, whoever signed, and small ones at once", async () => {
  const { url, port } = await startIntake(db, {
    limits: { largeBytesPerSecond: 100_000, readMs: 1_000 },
  });
  await silence(port, { count: 10, announced: 5_000_000, sent: 200_000 });
  const large = JSON.stringify({ id: 1, note: "x".repeat(2_000_000) });
  const headers = webhookHeaders(large);
  const sent = fetch(`${url}/webhooks`, { method: "POST", headers, body: large });
  expect(await deliver(url, "meanwhile")).toBe(200);
  expect((await sent).status).toBe(408);
  expect(await storedIds()).toEqual(new Set(["meanwhile"]));
});

test("takes a large message of Shopify's while others send large ones that nobody signed", async () => {
  const { url, port } = await startIntake(db, { limits: { readMs: 20_000 } });
  await silence(port, { count: 44, announced: 5_000_000, sent: 1_000_000 });
  const large = JSON.stringify({ id: 1, note: "x".repeat(300_000) });
  const headers = webhookHeaders(large, { "x-shopify-event-id": "large" });
  const answer = await fetch(`${url}/webhooks`, { method: "POST", headers, body: large });
  expect(answer.status).toBe(200);
  expect(await storedIds()).toEqual(new Set(["large"]));
});

test("looks made-up addresses up no faster than it may, and refuses those who would wait too long", async () => {
  let lookups = 0;
  const { url } = await startIntake(db, {
    limits: { lookupsPerSecond: 1 },
    eventAddresses: async () => {
      lookups++;
      return null;
    },
  });
  const statuses = await Promise.all(
    Array.from({ length: 500 }, async (_, n) => {
      const address = `${url}/events/${String(n).padStart(32, "x")}`;
      return (await fetch(address, { method: "POST" })).status;
    }),
  );
  const refused = statuses.filter((status) => status === 503).length;
  expect(refused).toBeGreaterThan(100);
  expect(statuses.filter((status) => status === 404)).toHaveLength(lookups);
  expect(refused + lookups).toBe(500);
});

test("gives the place of a body that does not go on to one that comes", async () => {
  const limits = { smallBytes: 10 * BODY.length, graceMs: 50, readMs: 60_000 };
  const { url, port } = await startIntake(db, { limits });
  await silence(port, { count: 10, announced: BODY.length, sent: BODY.length - 1 });
  await expect.poll(() => deliver(url, randomUUID())).toBe(200);
  expect(await deliver(url, "again")).toBe(200);
});

test("makes keys for a few new shops only, however many one signed message is sent in the name of", async () => {
  const { url } = await startIntake(db);
  expect(await deliver(url, "of a shop that is known")).toBe(200);
  const inNameOf = async (shop: string) => {
    const headers = webhookHeaders(BODY, { "x-shopify-shop-domain": `${shop}.myshopify.com` });
    return (await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY })).status;
  };
  const statuses: number[] = [];
  for (let n = 0; n < 60; n++) statuses.push(await inNameOf(`made-up-${n}`));
  expect(statuses.slice(0, 20)).toEqual(Array(20).fill(200));
  const taken = statuses.filter((status) => status === 200).length;
  expect(statuses.filter((status) => status === 503).length).toBe(60 - taken);
  expect(taken).toBeLessThan(40);
  const { rows } = await db.pool.query(
    "SELECT DISTINCT shop FROM data_keys WHERE shop LIKE 'made-up-%'",
  );
  expect(rows).toHaveLength(taken);
  // Who is known is served all the same, and who was let in is known.
  expect(await inNameOf("made-up-0")).toBe(200);
  expect(await deliver(url, "of the known one again")).toBe(200);
});

test("keeps a share of the places from one shop", async () => {
  const limits = { messages: 10, shareOfOneShop: 0.5, storeMs: 60_000 };
  const { url } = await startIntake(db, { limits });
  const owner = await db.pool.connect();
  await owner.query("BEGIN; LOCK TABLE inbox IN EXCLUSIVE MODE");
  const answers: number[] = [];
  const sent = Array.from({ length: 20 }, async (_, n) =>
    answers.push(await deliver(url, `one-${n}`)),
  );
  await expect.poll(() => answers.length).toBe(15);
  expect(new Set(answers)).toEqual(new Set([503]));
  const headers = webhookHeaders(BODY, { "x-shopify-shop-domain": "two.myshopify.com" });
  const other = fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY });
  await owner.query("COMMIT");
  owner.release();
  await Promise.all(sent);
  expect((await other).status).toBe(200);
});

test("reads nothing of a body without what could be a signature", async () => {
  const { port } = await startIntake(db);
  for (const signature of [
    "",
    "x-shopify-hmac-sha256: short\r\n",
    `x-shopify-hmac-sha256: ${"A".repeat(43)}=, x\r\n`,
  ]) {
    const socket = connect(port, "127.0.0.1");
    // Nothing of the body is ever sent, so an answer that waited for it would be 408.
    socket.write(
      `POST /webhooks HTTP/1.1\r\nHost: x\r\n${signature}Content-Length: 5000000\r\n\r\n`,
    );
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 401 /);
    // Nor is its place kept for it.
    await once(socket, "close");
  }
});
