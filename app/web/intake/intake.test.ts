/** Long because every kind of message is sent here: signed, forged, late, large, cut off, and twice. */
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import {
  PREVIOUS_SECRET,
  SHOP,
  sign,
  startIntake,
  webhookHeaders,
} from "./testing/start-intake.ts";

const db = await openTestDatabase();
const BODY = JSON.stringify({ id: 1001, email: "pat@example.com" });

interface Row {
  shop: string;
  source: string;
  topic: string;
  event_id: string;
  delivery_id: string | null;
  triggered_at: Date | null;
  body_sealed: Buffer;
  state: string;
}
const rows = async () => (await db.pool.query<Row>("SELECT * FROM inbox ORDER BY id")).rows;

beforeEach(async () => {
  await db.pool.query("TRUNCATE inbox");
});

/** Delivers to the intake; resolves to the status. */
async function deliver(
  url: string,
  headers: Record<string, string>,
  body: Buffer | string = BODY,
): Promise<number> {
  const bytes = new Uint8Array(Buffer.from(body));
  return (await fetch(`${url}/webhooks`, { method: "POST", headers, body: bytes })).status;
}

describe("a delivery of Shopify's", () => {
  test("is on disk, sealed, when it is answered", async () => {
    const { url, stored } = await startIntake(db);
    const headers = webhookHeaders(BODY);
    expect(await deliver(url, headers)).toBe(200);
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      shop: SHOP,
      source: "shopify",
      topic: "orders/paid",
      event_id: headers["x-shopify-event-id"],
      delivery_id: headers["x-shopify-webhook-id"],
      triggered_at: new Date("2026-11-20T00:00:00.123Z"),
      state: "received",
    });
    expect(stored).toEqual(["stored"]);
  });

  test("cannot be read in the table, and is whole when opened", async () => {
    const { url } = await startIntake(db);
    const awkward = '{"note":"Zoë  \\u0000 ½","n":1.10}\n';
    expect(await deliver(url, webhookHeaders(awkward), awkward)).toBe(200);
    const [row] = await rows();
    expect(row?.body_sealed.includes("note")).toBe(false);
    const { rows: ids } = await db.pool.query<{ id: string }>("SELECT id FROM inbox");
    const message = await db.tenancy.inShop(SHOP, (t) => t.inbox.find(ids[0]?.id ?? ""));
    expect(message?.body.toString()).toBe(awkward);
  });

  test.each([
    ["another secret", (body: string) => sign(body, "stolen")],
    ["no signature", () => ""],
    ["a signature of nothing", () => sign("", "current-secret")],
    ["a truncated signature", (body: string) => sign(body, "current-secret").slice(0, 20)],
    [
      "hexadecimal instead of base64",
      (body: string) => createHash("sha256").update(body).digest("hex"),
    ],
  ])("with %s is refused", async (_, signature) => {
    const { url } = await startIntake(db);
    const headers = webhookHeaders(BODY, { "x-shopify-hmac-sha256": signature(BODY) });
    expect(await deliver(url, headers)).toBe(401);
    expect(await rows()).toEqual([]);
  });

  test("whose body was changed on the way is refused, for every byte", async () => {
    const { url } = await startIntake(db);
    const headers = webhookHeaders(BODY);
    for (let at = 0; at < BODY.length; at++) {
      const changed = Buffer.from(BODY);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await deliver(url, headers, changed)).toBe(401);
    }
    expect(await deliver(url, headers, `${BODY} `)).toBe(401);
    expect(await rows()).toEqual([]);
  });

  test("may be signed with the previous secret while secrets are exchanged", async () => {
    const { url } = await startIntake(db);
    expect(await deliver(url, webhookHeaders(BODY, { secret: PREVIOUS_SECRET }))).toBe(200);
    const after = await startIntake(db, { shopifySecrets: ["current-secret"] });
    expect(await deliver(after.url, webhookHeaders(BODY, { secret: PREVIOUS_SECRET }))).toBe(401);
    expect(await rows()).toHaveLength(1);
  });

  test("that comes twice, even at the same time, is one row and two yeses", async () => {
    const { url } = await startIntake(db);
    const headers = webhookHeaders(BODY);
    const together = Array.from({ length: 12 }, () => deliver(url, headers));
    expect(new Set(await Promise.all(together))).toEqual(new Set([200]));
    const redelivery = { ...headers, "x-shopify-webhook-id": "a-new-delivery" };
    expect(await deliver(url, redelivery)).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test("of one event under two topics is two rows", async () => {
    const { url } = await startIntake(db);
    const headers = webhookHeaders(BODY);
    expect(await deliver(url, headers)).toBe(200);
    expect(await deliver(url, { ...headers, "x-shopify-topic": "orders/updated" })).toBe(200);
    expect((await rows()).map((row) => row.topic)).toEqual(["orders/paid", "orders/updated"]);
  });

  test("without an event id is known by its delivery id", async () => {
    const { url } = await startIntake(db);
    const { "x-shopify-event-id": _, ...headers } = webhookHeaders(BODY);
    expect(await deliver(url, headers)).toBe(200);
    expect(await deliver(url, headers)).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test.each<[string, Record<string, string>]>([
    ["no topic", { "x-shopify-topic": "" }],
    ["no shop", { "x-shopify-shop-domain": "" }],
    ["a shop that is none", { "x-shopify-shop-domain": "evil.example" }],
    ["no id at all", { "x-shopify-event-id": "", "x-shopify-webhook-id": "" }],
    ["an endless topic", { "x-shopify-topic": "t".repeat(300) }],
  ])("with %s is malformed", async (_, changed) => {
    const { url } = await startIntake(db);
    expect(await deliver(url, webhookHeaders(BODY, changed))).toBe(400);
    expect(await rows()).toEqual([]);
  });

  test.each([
    "yesterday",
    "-004714-01-01T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "+010000-01-01T00:00:00Z",
    "+275760-09-13T00:00:00Z",
  ])("with a date that cannot be read or stored (%s) is kept all the same", async (date) => {
    const { url } = await startIntake(db);
    const headers = webhookHeaders(BODY, { "x-shopify-triggered-at": date });
    expect(await deliver(url, headers)).toBe(200);
    expect((await rows())[0]?.triggered_at).toBeNull();
  });

  test("that breaks off is not stored, and the next one is served", async () => {
    const { url, port } = await startIntake(db);
    const headers = Object.entries(webhookHeaders(BODY)).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const socket = connect(port, "127.0.0.1");
    const head = [
      "POST /webhooks HTTP/1.1",
      "host: a",
      `content-length: ${BODY.length}`,
      ...headers,
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n${BODY.slice(0, -1)}`, () => socket.destroy());
    await once(socket, "close");
    expect(await deliver(url, webhookHeaders(BODY))).toBe(200);
    expect(await rows()).toHaveLength(1);
  });

  test.each([
    ["a session token's signing input", "eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwcyJ9"],
    ["a list", "[{}]"],
    ["a text", '"{}"'],
    ["nothing", ""],
    ["half an object", '{"id":1'],
    ["braces around no JSON", "{not json}"],
  ])("whose body is %s is malformed, although it is signed", async (_, body) => {
    const { url } = await startIntake(db);
    expect(await deliver(url, webhookHeaders(body), body)).toBe(400);
    expect(await rows()).toEqual([]);
  });

  test("keeps a digest that is equal for equal bodies, and needs the secret to be made", async () => {
    const { url } = await startIntake(db);
    const other = { "x-shopify-topic": "orders/updated" };
    await deliver(url, webhookHeaders(BODY));
    await deliver(url, webhookHeaders(BODY, other));
    await deliver(url, webhookHeaders("{}", other), "{}");
    const { rows: kept } = await db.pool.query(
      "SELECT encode(body_digest, 'hex') AS d FROM inbox ORDER BY id",
    );
    const [first, second, third] = kept.map(({ d }) => d);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect([second === first, third === first]).toEqual([true, false]);
    expect(first).not.toBe(createHash("sha256").update(BODY).digest("hex"));
    expect(first).not.toBe(Buffer.from(sign(BODY, "current-secret"), "base64").toString("hex"));
  });

  test("of more than 5 MB is too large, of just that much is not", async () => {
    const { url } = await startIntake(db);
    const largest = Buffer.alloc(5 * 1024 * 1024, 0x20);
    largest.write("{");
    largest.write("}", largest.length - 1);
    expect(await deliver(url, webhookHeaders(largest), largest)).toBe(200);
    const larger = Buffer.concat([largest, Buffer.of(0x20)]);
    expect(await deliver(url, webhookHeaders(larger), larger)).toBe(413);
    expect(await rows()).toHaveLength(1);
  });

  test("may only be posted", async () => {
    const { url } = await startIntake(db);
    expect((await fetch(`${url}/webhooks`)).status).toBe(405);
  });

  test("is not acknowledged while the database is down, and is taken when it is sent again", async () => {
    const { url, stored } = await startIntake(db);
    expect(await deliver(url, webhookHeaders(BODY))).toBe(200);
    const headers = webhookHeaders(BODY);
    await db.whileDown(async () => {
      const answer = await fetch(`${url}/webhooks`, { method: "POST", headers, body: BODY });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("5");
      // The same for a shop whose key is not at hand.
      const other = { ...headers, "x-shopify-shop-domain": "new.myshopify.com" };
      expect(await deliver(url, other)).toBe(503);
    });
    expect(await rows()).toHaveLength(1);
    expect(await deliver(url, headers)).toBe(200);
    expect(await rows()).toHaveLength(2);
    expect(stored).toHaveLength(2);
  });
});

test("leaves every other address alone", async () => {
  const { url } = await startIntake(db);
  for (const path of ["/", "/app", "/webhooksome", "/event", "/api/customer/requests"])
    expect((await fetch(url + path, { method: "POST" })).status).toBe(418);
});

describe("an event of the service", () => {
  const body = JSON.stringify({ id: "evt-1", event: "referral.issued", uuid: randomUUID() });
  const secret = `whsec_${Buffer.from("a".repeat(32)).toString("base64")}`;

  async function connection(
    signing: { scheme: "shared-secret" | "none"; secret: string | null; endFormer?: boolean },
    at = new Date(),
  ) {
    return db.tenancy.inShop(SHOP, async (tenant) => {
      await tenant.shops.install("", new Date());
      const saved = await tenant.connections.save({
        environment: "staging",
        credentials: { clientId: "id", clientSecret: "secret" },
        signing: { ...signing, header: "x-secret" },
        at,
      });
      return { addressToken: saved.addressToken ?? "" };
    });
  }
  const post = async (url: string, token: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}/events/${token}`, { method: "POST", headers, body })).status;

  test("is stored under the connection that its address belongs to, once", async () => {
    const { url } = await startIntake(db);
    const { addressToken } = await connection({ scheme: "shared-secret", secret });
    expect(await post(url, addressToken, { "x-secret": secret })).toBe(200);
    expect(await post(url, addressToken, { "x-secret": secret })).toBe(200);
    const stored = await rows();
    expect(stored).toHaveLength(1);
    expect(stored[0]).toMatchObject({ shop: SHOP, source: "service", topic: "staging" });
    expect(stored[0]?.body_sealed.includes("evt-1")).toBe(false);
  });

  test("without the secret is refused", async () => {
    const { url } = await startIntake(db);
    const { addressToken } = await connection({ scheme: "shared-secret", secret });
    expect(await post(url, addressToken)).toBe(401);
    expect(await post(url, addressToken, { "x-secret": "guess" })).toBe(401);
    expect(await rows()).toEqual([]);
  });

  describe("while its secret is being replaced", () => {
    const HOUR_MS = 3_600_000;
    /** Saves these secrets one after the other, each so many hours ago, and says which count now. */
    async function counting(saved: [secret: string, hoursAgo: number][], endFormer = false) {
      const { url } = await startIntake(db);
      const now = Date.now();
      let token = "";
      for (const [value, hoursAgo] of saved) {
        const at = new Date(now - hoursAgo * HOUR_MS);
        const isLast = value === saved.at(-1)?.[0];
        const stored = await connection(
          { scheme: "shared-secret", secret: value, endFormer: isLast && endFormer },
          at,
        );
        token = stored.addressToken;
      }
      const counted = new Set<string>();
      for (const [value] of saved)
        if ((await post(url, token, { "x-secret": value })) === 200) counted.add(value);
      return [...counted];
    }

    test("may be signed with the one before a mistyped one", async () => {
      expect(
        await counting([
          ["former", 30],
          ["mistyped", 2],
          ["right", 1],
        ]),
      ).toEqual([...["former", "mistyped", "right"]]);
    });

    test("may be signed with each of them for 24 hours after its own change, whatever is saved then", async () => {
      expect(
        await counting([
          ["first", 50],
          ["second", 25],
          ["third", 23],
          ["fourth", 1],
        ]),
      ).toEqual([...["second", "third", "fourth"]]);
      // A secret that is taken again is no former one.
      expect(
        await counting([
          ["a", 30],
          ["b", 2],
          ["a", 1],
        ]),
      ).toEqual(["a", "b"]);
    });

    test("may be signed with the former one at a process of the version before, which reads one as it was typed", async () => {
      await counting([
        ["former", 30],
        ["right", 1],
      ]);
      const { rows: stored } = await db.pool.query<{ sealed: Buffer }>(
        "SELECT previous_signing_secret_sealed AS sealed FROM connections WHERE shop = $1",
        [SHOP],
      );
      const sealer = await db.sealers.forShop(SHOP);
      const place = { table: "connections", column: "previous_signing_secret", row: "staging" };
      const texts = stored.map(({ sealed }) => sealer.open(place, sealed).toString("utf8"));
      expect(texts).toEqual(["former"]);
    });

    test("may be signed with the first one, however often it is mistyped", async () => {
      const mistyped = Array.from({ length: 30 }, (_, n): [string, number] => [`typo ${n}`, 2]);
      const count = await counting([["former", 30], ...mistyped, ["right", 1]]);
      expect(count).toContain("former");
      expect(count).toContain("right");
      expect(count.length).toBeLessThan(30);
    });

    test("is refused at once under a former one that somebody ended", async () => {
      expect(
        await counting(
          [
            ["leaked", 30],
            ["b", 2],
            ["right", 1],
          ],
          true,
        ),
      ).toEqual(["right"]);
    });
  });

  test("to an address of nobody's is not found", async () => {
    const { url } = await startIntake(db);
    for (const token of ["", "short", "a".repeat(32), "a".repeat(500), "%00".repeat(9)])
      expect(await post(url, token)).toBe(404);
    expect(await rows()).toEqual([]);
  });

  test("for a shop that has uninstalled is not found", async () => {
    const { url } = await startIntake(db);
    const { addressToken } = await connection({ scheme: "none", secret: null });
    expect(await post(url, addressToken)).toBe(200);
    await db.tenancy.inShop(SHOP, (tenant) => tenant.shops.uninstall(new Date()));
    expect(await post(url, addressToken)).toBe(404);
  });

  test("is not acknowledged while the database is down", async () => {
    const { url } = await startIntake(db);
    const { addressToken } = await connection({ scheme: "none", secret: null });
    await db.whileDown(async () => expect(await post(url, addressToken)).toBe(503));
    expect(await rows()).toEqual([]);
  });
});
