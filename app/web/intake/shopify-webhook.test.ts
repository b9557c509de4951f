import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { isSignedInForm, readShopifyWebhook } from "./shopify-webhook.ts";

const SECRET = "current";
const FORMER = "former";
const BODY = Buffer.from('{"id":1001}');
const sign = (body: Buffer, secret = SECRET) =>
  createHmac("sha256", secret).update(body).digest("base64");
const headersOf = (body: Buffer, secret = SECRET) => ({
  "x-shopify-hmac-sha256": sign(body, secret),
  "x-shopify-topic": "orders/paid",
  "x-shopify-shop-domain": "one.myshopify.com",
  "x-shopify-webhook-id": "delivery-1",
  "x-shopify-event-id": "event-1",
  "x-shopify-triggered-at": "2026-11-20T00:00:00Z",
});
const read = (
  headers: Record<string, string | string[] | undefined> = {},
  { body = BODY, secret = SECRET } = {},
) => readShopifyWebhook({ ...headersOf(body, secret), ...headers }, body, [SECRET, FORMER]);
const messageOf = (reading: ReturnType<typeof read>) => {
  if (reading.kind !== "message") throw new Error(reading.kind);
  return reading.message;
};
const digest = (secret: string) =>
  createHmac("sha256", secret).update("webhook body\n").update(BODY).digest();

test("reads the envelope of a signed delivery", () => {
  expect(messageOf(read())).toEqual({
    shop: "one.myshopify.com",
    source: "shopify",
    topic: "orders/paid",
    eventId: "event-1",
    deliveryId: "delivery-1",
    triggeredAt: new Date("2026-11-20T00:00:00Z"),
    body: BODY,
    bodyDigest: digest(SECRET),
  });
});

test("believes the former secret while it is being replaced", () => {
  expect(messageOf(read({}, { secret: FORMER })).bodyDigest).toEqual(digest(FORMER));
});

describe("is not believed", () => {
  test.each<[string, string | string[] | undefined]>([
    ["without a signature", undefined],
    ["with an empty one", ""],
    ["with another secret's", sign(BODY, "guess")],
    ["with another body's", sign(Buffer.from("{}"))],
    ["with a part of it", sign(BODY).slice(0, 40)],
    ["with two", [sign(BODY), sign(BODY)]],
    ["with two in one header", `${sign(BODY)}, ${sign(BODY, "guess")}`],
    ["with something after it", `${sign(BODY)}!`],
    ["in hexadecimal", createHmac("sha256", SECRET).update(BODY).digest("hex")],
  ])("a delivery %s", (_, signature) => {
    expect(read({ "x-shopify-hmac-sha256": signature })).toEqual({ kind: "bad_signature" });
  });

  test("any delivery while there is no secret", () => {
    expect(readShopifyWebhook(headersOf(BODY), BODY, [])).toEqual({ kind: "bad_signature" });
  });
});

describe("before its body is read, a delivery", () => {
  const isInForm = (signature: string | string[] | undefined) =>
    isSignedInForm({ ...headersOf(BODY), "x-shopify-hmac-sha256": signature });

  test("that could be signed is let in, by whatever secret", () => {
    for (const secret of [SECRET, FORMER, "guess"]) expect(isInForm(sign(BODY, secret))).toBe(true);
  });

  test.each<[string, string | string[] | undefined]>([
    ["without a signature", undefined],
    ["with two", [sign(BODY), sign(BODY)]],
    ["with something before it", `x${sign(BODY)}`],
    ["with something after it", `${sign(BODY)}x`],
    ["with a part of it", "A="],
    ["with what is no base64", `${"!".repeat(43)}=`],
  ])("%s is refused", (_, signature) => {
    expect(isInForm(signature)).toBe(false);
  });
});

test.each(["", "null", "[]", "1", '"text"', "not json", "eyJhbGciOiJIUzI1NiJ9.eyJkZXN0Ijo"])(
  "takes a signed %j, which is no object, for no webhook",
  (text) => {
    expect(read({}, { body: Buffer.from(text) })).toEqual({ kind: "malformed" });
  },
);

test.each([
  ["no topic", { "x-shopify-topic": undefined }],
  ["two topics", { "x-shopify-topic": ["orders/paid", "app/uninstalled"] }],
  ["no shop", { "x-shopify-shop-domain": undefined }],
  ["a shop that is none", { "x-shopify-shop-domain": "one.example.com" }],
  ["no id at all", { "x-shopify-event-id": undefined, "x-shopify-webhook-id": undefined }],
  ["a topic that goes on", { "x-shopify-topic": "t".repeat(256) }],
])("takes a delivery with %s for malformed", (_, headers) => {
  expect(read(headers)).toEqual({ kind: "malformed" });
});

test("takes headers of 255 characters", () => {
  expect(messageOf(read({ "x-shopify-topic": "t".repeat(255) })).topic).toHaveLength(255);
});

test("tells deliveries apart by the event, and without one by the delivery", () => {
  expect(messageOf(read({ "x-shopify-event-id": undefined }))).toMatchObject({
    eventId: "delivery-1",
    deliveryId: "delivery-1",
  });
  expect(messageOf(read({ "x-shopify-webhook-id": undefined }))).toMatchObject({
    eventId: "event-1",
    deliveryId: null,
  });
});

test("knows no time of a delivery that names none", () => {
  expect(messageOf(read({ "x-shopify-triggered-at": "soon" })).triggeredAt).toBeNull();
  expect(messageOf(read({ "x-shopify-triggered-at": undefined })).triggeredAt).toBeNull();
});
