import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { RATES } from "../../app/web/limits.ts";
import { eventually, SHIPPING_ADDRESS, shareWorld } from "../harness/index.ts";
import { linkIn, mailTo, tokenIn } from "./mailed-links.ts";
import { goShopping } from "./shopping.ts";
import { deliverWebhook } from "./webhook-post.ts";

const world = await shareWorld();
const shopping = goShopping(world);
// Guests are mailed links where no account can sign them in.
await world.store.chooseAccounts("legacy");
afterAll(() => world.store.chooseAccounts("new"));
const shop = world.line.store.shop.replace(".myshopify.com", "");

/** Statuses, and how often each came. */
type Tally = Record<number, number>;

async function tally(count: number, ask: (n: number) => Promise<number>): Promise<Tally> {
  const tally: Tally = {};
  const statuses = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)));
  for (const status of statuses) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

/** Statuses of as many signed messages, each of which is new. */
const webhooks = (count: number) =>
  tally(count, () =>
    deliverWebhook(world, { topic: "inventory_levels/update", body: `{"id":"${randomUUID()}"}` }),
  );

async function visit(path: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(`${world.line.app_url}${path}`, { headers, redirect: "manual" });
  const text = await answer.text();
  if (answer.status === 429) {
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(text).toMatch(/too many requests|too_many_requests/i);
  }
  return answer.status;
}
/** How many of a flood from one address were limited. */
async function limitedOf(headers: (n: number) => Record<string, string> = () => ({})) {
  const { 429: limited = 0 } = await tally(RATES.address.points * 2, (n) =>
    visit(madeUpLink(), headers(n)),
  );
  return limited;
}
const madeUpLink = () => `/t/${shop}.${randomUUID().replaceAll("-", "").padEnd(43, "x")}`;
const asCustomer = async (id: string) => ({
  authorization: `Bearer ${await world.store.customerToken(id)}`,
});

test("takes every signed message while anonymous visitors flood, and counts those for their address", async () => {
  const flood = tally(RATES.address.points * 3, () => visit(madeUpLink()));
  expect(await webhooks(30)).toEqual({ 200: 30 });
  const { 404: shown = 0, 429: limited = 0, ...others } = await flood;
  expect(others).toEqual({});
  expect(shown).toBeGreaterThan(0);
  // A busy machine may not answer so many within the seconds of the limit.
  if (limited === 0) await eventually(async () => expect(await limitedOf()).toBeGreaterThan(0));
  // Anybody can write the header, so it makes nobody another.
  const forwarded = (n: number) => ({ "x-forwarded-for": `203.0.113.${n % 250}` });
  await eventually(async () => expect(await limitedOf(forwarded)).toBeGreaterThan(0));
});

test("never limits signed requests for their address, and each subject for itself", async () => {
  const calm = await shopping.newShopper();
  const email = `flooded-${process.pid}@example.com`;
  await world.store.createOrder({
    email,
    lines: [{ variantId: shopping.product("tests").variantId, quantity: 1 }],
    shippingAddress: SHIPPING_ADDRESS,
  });
  const token = tokenIn(linkIn(await mailTo(world, email, /few details/)));
  const asCalm = await asCustomer(calm.id);
  const list = (headers: Record<string, string>) => visit("/api/customer/requests", headers);
  const flood = tally(RATES.address.points * 2, () => visit(madeUpLink()));
  expect(await tally(20, () => list(asCalm))).toEqual({ 200: 20 });
  expect(await tally(20, () => list({ authorization: `Bearer ${token}` }))).toEqual({ 200: 20 });
  await flood;
  await eventually(async () => {
    const asBusy = await asCustomer((await shopping.newShopper()).id);
    const {
      200: answered = 0,
      429: limited = 0,
      ...others
    } = await tally(RATES.customer.points * 3, () => list(asBusy));
    expect(others).toEqual({});
    expect(answered).toBeGreaterThanOrEqual(RATES.customer.points);
    expect(limited).toBeGreaterThan(0);
  });
  expect(await tally(20, () => list(asCalm))).toEqual({ 200: 20 });
});

test("answers calls with made-up tokens as what they are, however many come", async () => {
  const made = [
    () => "made.up.token",
    () => `${shop}.${randomUUID().replaceAll("-", "").padEnd(43, "x")}`,
  ];
  for (const token of made) {
    const flood = tally(400, () =>
      visit("/api/customer/requests", { authorization: `Bearer ${token()}` }),
    );
    expect(await webhooks(30)).toEqual({ 200: 30 });
    const { 401: refused = 0, 429: limited = 0, ...others } = await flood;
    expect(others).toEqual({});
    expect(refused).toBeGreaterThan(0);
    expect(refused + limited).toBe(400);
  }
});

test("makes no page for what is hardly limited: a file that is not there, a question before a call", async () => {
  const file = await fetch(`${world.line.app_url}/assets/nothing.js`);
  expect(file.status).toBe(404);
  expect(file.headers.get("content-type")).toMatch(/^text\/plain/);
  const call = `${world.line.app_url}/api/customer/nothing`;
  const preflight = await fetch(call, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Authorization/);
  // The list of files is hardly limited either, and a host can be written so that it leads to a page.
  const list = `${world.line.app_url}/__manifest`;
  const forged = { "x-forwarded-host": `app.example${madeUpLink()}?` };
  expect((await fetch(list, { headers: forged })).status).toBe(400);
});

test("takes every signed message while others send a part of theirs and fall silent", async () => {
  const { hostname, port } = new URL(world.line.app_url);
  for (const [announced, sent] of [
    [5_000_000, 1_000_000],
    [60_000, 59_000],
    [5_000_000, 0],
  ] as const) {
    const head = `POST /webhooks HTTP/1.1\r\nHost: x\r\nx-shopify-hmac-sha256: ${"A".repeat(43)}=\r\nContent-Length: ${announced}\r\n\r\n`;
    const sockets = Array.from({ length: 88 }, () => connect(Number(port), hostname));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) socket.on("error", () => {}).write(head + "x".repeat(sent));
    expect(await webhooks(30)).toEqual({ 200: 30 });
  }
});

test("keeps its memory while somebody uploads without end", async () => {
  const { app } = await world.processes();
  const before = await residentMb(app);
  const token = await world.store.adminToken();
  const ended = await Promise.all(
    ["/app/mappings/import", "/app/settings", "/t/x"].map((path) => uploadUntilCutOff(path, token)),
  );
  for (const { megabytes } of ended) expect(megabytes).toBeLessThan(100);
  const grown = await eventually(async () => {
    const grownBy = (await residentMb(app)) - before;
    expect(grownBy).toBeLessThan(100);
    return grownBy;
  });
  expect(grown).toBeLessThan(100);
});

const residentMb = async (pid: number) => {
  const [, kb = ""] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
};

/** Sends parts of a form for ever, or 400 MB of them. Resolves with how much the app let in. */
function uploadUntilCutOff(path: string, token: string): Promise<{ megabytes: number }> {
  const part = Buffer.from(
    `--edge\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${"x".repeat(1_000_000)}\r\n`,
  );
  return new Promise((resolve) => {
    let megabytes = 0;
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "multipart/form-data; boundary=edge",
    };
    const sending = send(`${world.line.app_url}${path}`, { method: "POST", headers });
    const end = () => resolve({ megabytes });
    sending.on("error", end).on("close", end);
    sending.on("response", (answer) => answer.resume());
    const go = () => {
      while (megabytes < 400 && !sending.destroyed) {
        megabytes++;
        if (!sending.write(part)) return void sending.once("drain", go);
      }
      sending.end();
    };
    go();
  });
}
