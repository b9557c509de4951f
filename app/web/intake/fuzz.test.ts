import { randomBytes } from "node:crypto";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop } from "../../../test/database/seed.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import type { SigningScheme } from "../../modules/shops/connection.ts";
import { SECRET, sign, startIntake, webhookHeaders } from "./testing/start-intake.ts";

/** PATHWAY_FUZZ_RUNS=100000 for a long look; a few thousand come with every run of the tests. */
const RUNS = Number(process.env.PATHWAY_FUZZ_RUNS ?? 1_500);
/** The long form has the idle time of two processors alone. */
const TIMEOUT_MS = 120_000 + RUNS * 100;

/** Time has no say here: a database that takes more than 2.5 s is answered by 503 (overload.test.ts). */
const PATIENT = { limits: { readMs: 60_000, storeMs: 60_000 } };

const db = await openTestDatabase();
let shop: ShopDomain;
beforeAll(async () => {
  shop = await installedShop(db);
});

const stored = async () =>
  (await db.pool.query<{ n: number }>("SELECT count(*)::int AS n FROM inbox")).rows[0]?.n;

const property = <T>(input: fc.Arbitrary<T>, holds: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(input, holds), { numRuns: RUNS });

/** Whatever the process would otherwise die of, or log where nobody looks. */
function noUnhandledRejection() {
  const seen: unknown[] = [];
  const note = (reason: unknown) => seen.push(reason);
  process.on("unhandledRejection", note);
  onTestFinished(() => {
    process.off("unhandledRejection", note);
    expect(seen).toEqual([]);
  });
}

async function addressOf(scheme: SigningScheme): Promise<string> {
  const { addressToken } = await db.tenancy.inShop(shop, (tenant) =>
    tenant.connections.save({
      environment: "staging",
      credentials: { clientId: "id", clientSecret: "secret" },
      signing: { scheme, header: null, secret: SECRET },
    }),
  );
  return `/events/${addressToken}`;
}

const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

/** Sends a request and returns the answer's status. Thousands go out here, and `fetch` takes most of the time for each. */
const send = (
  url: URL | string,
  method: string,
  headers: Record<string, string>,
  body: Uint8Array | null,
) =>
  new Promise<number>((resolve, reject) => {
    // Node tells no length of a body of DELETE's by itself.
    const length = body ? { "content-length": body.length } : {};
    const sent = request(url, { agent, method, headers: { ...headers, ...length } }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", reject);
    });
    sent.once("error", reject).end(body ?? undefined);
  });

const post = (url: string, headers: Record<string, string>, body: Uint8Array) =>
  send(url, "POST", headers, body);

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.json().map((text) => new Uint8Array(Buffer.from(text))),
);
const headerText = fc.string({ unit: "grapheme-ascii", maxLength: 80 }).map((text) => text.trim());

/** One change to a genuine signature, body or envelope. */
const mutation = fc.record({
  what: fc.constantFrom("signature", "body", "none", "empty", "double", "foreign", "truncated"),
  at: fc.nat(),
  by: fc.integer({ min: 1, max: 255 }),
});

test("no forged or changed delivery of Shopify's is taken", { timeout: TIMEOUT_MS }, async () => {
  const { url } = await startIntake(db, PATIENT);
  const before = await stored();
  await property(fc.tuple(bytes, mutation), async ([content, { what, at, by }]) => {
    const body = new Uint8Array(Buffer.concat([Buffer.from('{"id":'), content]));
    const signature = Buffer.from(sign(Buffer.from(body), SECRET), "base64");
    const forged = Buffer.from(signature);
    const sent = new Uint8Array(body);
    let header: string | undefined;
    if (what === "signature") forged[at % forged.length] = (forged[at % 32] ?? 0) ^ by;
    if (what === "body") sent[at % sent.length] = (sent[at % sent.length] ?? 0) ^ by;
    if (what === "truncated") header = forged.subarray(0, at % 32).toString("base64");
    if (what === "empty") header = "";
    if (what === "double") header = `${forged.toString("base64")}, ${forged.toString("base64")}`;
    if (what === "foreign") header = sign(Buffer.from(body), randomBytes(8).toString("hex"));
    const headers = webhookHeaders(Buffer.from(body));
    headers["x-shopify-hmac-sha256"] = header ?? forged.toString("base64");
    if (what === "none") delete headers["x-shopify-hmac-sha256"];
    expect(await post(`${url}/webhooks`, headers, sent)).toBe(401);
  });
  expect(await stored()).toBe(before);
});

test("no forged or changed event of the service is taken", { timeout: TIMEOUT_MS }, async () => {
  const { url } = await startIntake(db, PATIENT);
  const address = await addressOf("hmac-hex");
  const before = await stored();
  await property(fc.tuple(bytes, mutation), async ([content, { what, at, by }]) => {
    const body = new Uint8Array(Buffer.concat([Buffer.from("{"), content]));
    const genuine = Buffer.from(sign(Buffer.from(body), SECRET), "base64").toString("hex");
    const sent = new Uint8Array(body);
    let given = genuine;
    const digit = "0123456789abcdef"[
      (Number.parseInt(genuine[at % 64] ?? "0", 16) + 1 + (by % 15)) % 16
    ];
    if (what === "signature")
      given = genuine.slice(0, at % 64) + digit + genuine.slice((at % 64) + 1);
    if (what === "body") sent[at % sent.length] = (sent[at % sent.length] ?? 0) ^ by;
    if (what === "truncated") given = genuine.slice(0, at % 64);
    if (what === "empty") given = "";
    if (what === "double") given = `${genuine},${genuine}`;
    if (what === "foreign") given = randomBytes(32).toString("hex");
    const headers: Record<string, string> = what === "none" ? {} : { "x-signature": given };
    expect(await post(`${url}${address}`, headers, sent)).toBe(401);
  });
  expect(await stored()).toBe(before);
});

test("nothing that is sent makes the intake fail", { timeout: TIMEOUT_MS }, async () => {
  noUnhandledRejection();
  const { url } = await startIntake(db, PATIENT);
  const open = await addressOf("none");
  const path = fc.oneof(
    fc.constantFrom(
      "/webhooks",
      "/webhooks/app/uninstalled",
      "/events/",
      open,
      `${open}/`,
      "/events/x",
    ),
    fc.webPath().map((rest) => `/events${rest}`),
    fc.webQueryParameters().map((query) => `/webhooks?${query}`),
  );
  const names = fc.constantFrom(
    ...["x-shopify-topic", "x-shopify-shop-domain", "x-shopify-event-id", "x-shopify-webhook-id"],
    ...["x-shopify-triggered-at", "webhook-id", "webhook-timestamp", "x-signature", "content-type"],
  );
  const input = fc.record({
    path,
    body: bytes,
    genuine: fc.boolean(),
    changed: fc.array(fc.tuple(names, headerText), { maxLength: 4 }),
    method: fc.constantFrom("POST", "POST", "POST", "PUT", "DELETE", "PATCH", "GET"),
  });
  await property(input, async ({ path: to, body, genuine, changed, method }) => {
    const base = genuine ? webhookHeaders(Buffer.from(body)) : {};
    const headers = { ...base, ...Object.fromEntries(changed) };
    const content = method === "GET" ? null : new Uint8Array(body);
    expect(await send(new URL(to, url), method, headers, content)).toBeLessThan(500);
  });
});

test("nor does anything that is hardly HTTP", { timeout: TIMEOUT_MS }, async () => {
  noUnhandledRejection();
  const { url, port } = await startIntake(db, PATIENT);
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (garbage, headed) => {
      const head = headed
        ? "POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n"
        : "";
      await new Promise<void>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(head);
          socket.end(garbage);
        });
        socket.resume();
        socket.once("close", () => resolve()).on("error", () => {});
      });
    }),
    { numRuns: Math.min(RUNS, 300) },
  );
  // Still there.
  const body = new Uint8Array(Buffer.from("{}"));
  expect(await post(`${url}/webhooks`, webhookHeaders("{}"), body)).toBe(200);
});
