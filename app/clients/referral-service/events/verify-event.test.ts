import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { movableClock, START } from "../../../../test/database/clock.ts";
import type { EventHeaders } from "./event-headers.ts";
import {
  type EventScheme,
  type EventSigning,
  eventSigning,
  isSignedInForm,
  verifyEvent,
} from "./verify-event.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const rawBody = Buffer.from('{"type":"referral.issued","id":"evt_1"}');

function verify(
  scheme: EventScheme,
  headers: EventHeaders,
  options: Partial<EventSigning> & { body?: Buffer; advanceMs?: number } = {},
) {
  const { body = rawBody, advanceMs = 0, ...signing } = options;
  const clock = movableClock();
  clock.advance(advanceMs);
  return verifyEvent({
    rawBody: body,
    headers,
    signing: { scheme, secrets: [SECRET], header: null, ...signing },
    clock,
  });
}

const verified = { kind: "verified" };
const bad = { kind: "refused", reason: "bad_signature" };
const missing = { kind: "refused", reason: "no_signature" };

/** Headers of a standard webhook, truly signed. */
function signed(body = rawBody, secret = SECRET): Record<string, string> {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(START.getTime() / 1000),
    "webhook-signature": new Webhook(secret).sign("evt_1", START, body),
  };
}

const hmac = (encoding: "hex" | "base64", secret = SECRET) =>
  createHmac("sha256", secret).update(rawBody).digest(encoding);

test("standard-webhooks: a signed delivery passes, also among several signatures and in any case", () => {
  expect(verify("standard-webhooks", signed())).toEqual(verified);
  const several = `v1a,xyz v1,bm9uc2Vuc2U= ${signed()["webhook-signature"]}`;
  expect(verify("standard-webhooks", { ...signed(), "webhook-signature": several })).toEqual(
    verified,
  );
  const upper = Object.fromEntries(Object.entries(signed()).map(([k, v]) => [k.toUpperCase(), v]));
  expect(verify("standard-webhooks", upper)).toEqual(verified);
});

test("standard-webhooks: another body, id, time, secret or version does not", () => {
  const other = Buffer.from(rawBody.toString().replace("issued", "created"));
  expect(verify("standard-webhooks", signed(), { body: other })).toEqual(bad);
  expect(verify("standard-webhooks", { ...signed(), "webhook-id": "evt_2" })).toEqual(bad);
  const later = String(START.getTime() / 1000 + 1);
  expect(verify("standard-webhooks", { ...signed(), "webhook-timestamp": later })).toEqual(bad);
  expect(verify("standard-webhooks", signed(), { secrets: ["whsec_AAAA"] })).toEqual(bad);
  const v2 = signed()["webhook-signature"]?.replace("v1,", "v2,");
  expect(verify("standard-webhooks", { ...signed(), "webhook-signature": v2 })).toEqual(bad);
});

test("standard-webhooks: five minutes either way, no more", () => {
  expect(verify("standard-webhooks", signed(), { advanceMs: 300_000 })).toEqual(verified);
  const stale = { kind: "refused", reason: "stale" };
  expect(verify("standard-webhooks", signed(), { advanceMs: 301_000 })).toEqual(stale);
  expect(verify("standard-webhooks", signed(), { advanceMs: -301_000 })).toEqual(stale);
});

test("standard-webhooks: only the signed spelling of the time", () => {
  for (const tail of ["x", ".5", " 1"]) {
    const headers = signed();
    headers["webhook-timestamp"] += tail;
    expect(verify("standard-webhooks", headers)).toEqual(missing);
  }
});

test("standard-webhooks: bytes that only read alike do not pass", () => {
  const replaced = Buffer.from('{"name":"\uFFFD"}');
  const invalid = Buffer.from(replaced.toString("latin1").replace("ï¿½", "\xff"), "latin1");
  expect(verify("standard-webhooks", signed(replaced), { body: replaced })).toEqual(verified);
  expect(verify("standard-webhooks", signed(replaced), { body: invalid })).toEqual(bad);
});

test("standard-webhooks: secrets that are not base64, and other headers", () => {
  const secret = "a plain secret!";
  const signature = new Webhook(Buffer.from(secret).toString("base64")).sign(
    "evt_1",
    START,
    rawBody,
  );
  const headers = { ...signed(), "webhook-signature": signature };
  expect(verify("standard-webhooks", headers, { secrets: [secret] })).toEqual(verified);
  const svix = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.replace("webhook-", "svix-"), value]),
  );
  expect(verify("standard-webhooks", svix, { header: "svix-signature" })).toEqual(verified);
  const own = {
    ...signed(),
    "webhook-signature": undefined,
    "x-proof": signed()["webhook-signature"],
  };
  expect(verify("standard-webhooks", own, { header: "X-Proof" })).toEqual(verified);
});

test("standard-webhooks: a delivery needs its id and its time", () => {
  for (const name of ["webhook-id", "webhook-timestamp"])
    expect(verify("standard-webhooks", { ...signed(), [name]: undefined })).toEqual(missing);
});

test("standard-webhooks: a secret may end in the padding of base64", () => {
  for (const bytes of [16, 17, 18]) {
    const secret = `whsec_${Buffer.alloc(bytes, 7).toString("base64")}`;
    expect(verify("standard-webhooks", signed(rawBody, secret), { secrets: [secret] })).toEqual(
      verified,
    );
  }
});

test.each([
  ["a plain secret!", "a plain secret!"],
  ["abcd=efgh", "abcdefgh"],
  ["mywhsec_AAAA", "myAAAA"],
])(
  "standard-webhooks: %j is no base64, and no delivery signed with a part of it passes",
  (secret, part) => {
    const key = new Uint8Array(Buffer.from(part, "base64"));
    const signature = new Webhook(key, { format: "raw" }).sign("evt_1", START, rawBody);
    const headers = { ...signed(), "webhook-signature": signature };
    expect(verify("standard-webhooks", headers, { secrets: [secret] })).toEqual(bad);
  },
);

test("standard-webhooks: a secret of nothing but its prefix counts as it is written", () => {
  const key = new Uint8Array(Buffer.from("whsec_"));
  const signature = new Webhook(key, { format: "raw" }).sign("evt_1", START, rawBody);
  const headers = { ...signed(), "webhook-signature": signature };
  expect(verify("standard-webhooks", headers, { secrets: ["whsec_"] })).toEqual(verified);
  expect(verify("standard-webhooks", signed(), { secrets: ["whsec_"] })).toEqual(bad);
});

test.each(["hex", "base64"] as const)("hmac-%s: only the digest of this body", (encoding) => {
  const scheme = `hmac-${encoding}` as const;
  const name = "x-signature";
  const good = hmac(encoding);
  expect(verify(scheme, { [name]: good })).toEqual(verified);
  expect(verify(scheme, { [name]: `sha256=${good}` })).toEqual(verified);
  expect(verify(scheme, { "x-mine": good }, { header: "X-Mine" })).toEqual(verified);
  expect(verify(scheme, { [name]: good }, { body: Buffer.from("{}") })).toEqual(bad);
  expect(verify(scheme, { [name]: hmac(encoding, "other") })).toEqual(bad);
  expect(verify(scheme, { [name]: good.slice(0, -1) })).toEqual(bad);
  expect(verify(scheme, { [name]: `${good}A` })).toEqual(bad);
  expect(verify(scheme, { [name]: `${good.slice(0, 5)}sha256=${good.slice(5)}` })).toEqual(bad);
});

test("shared-secret: only the secret itself", () => {
  const name = "x-webhook-secret";
  expect(verify("shared-secret", { [name]: SECRET })).toEqual(verified);
  expect(
    verify("shared-secret", { authorization: `Bearer ${SECRET}` }, { header: "authorization" }),
  ).toEqual(verified);
  expect(verify("shared-secret", { [name]: `${SECRET}x` })).toEqual(bad);
  expect(verify("shared-secret", { [name]: SECRET.slice(1) })).toEqual(bad);
  const parted = `${SECRET.slice(0, 5)}Bearer ${SECRET.slice(5)}`;
  expect(verify("shared-secret", { [name]: parted })).toEqual(bad);
});

test("both secrets count while one replaces the other", () => {
  const secrets = ["new", SECRET];
  expect(verify("hmac-hex", { "x-signature": hmac("hex") }, { secrets })).toEqual(verified);
  const headers = { "x-signature": hmac("hex", "new") };
  expect(verify("hmac-hex", headers, { secrets })).toEqual(verified);
});

test.each(["standard-webhooks", "hmac-hex", "hmac-base64", "shared-secret"] as const)(
  "%s: no header, two headers or no secret never pass",
  (scheme) => {
    expect(verify(scheme, {})).toEqual(missing);
    const name = scheme === "shared-secret" ? "x-webhook-secret" : "x-signature";
    const header = { ...signed(), [name]: hmac("hex", "") };
    const noSecret = { kind: "refused", reason: "no_secret" };
    expect(verify(scheme, header, { secrets: [] })).toEqual(noSecret);
    expect(verify(scheme, header, { secrets: [""] })).toEqual(noSecret);
    const twice = { "webhook-signature": ["a", "b"], [name]: [SECRET, SECRET] };
    expect(verify(scheme, twice)).toEqual(missing);
  },
);

test("none: everything passes, for a hint is only ever fetched again", () => {
  expect(verify("none", {}, { secrets: [] })).toEqual(verified);
});

describe("before its body is read", () => {
  const isInForm = (scheme: EventScheme, headers: EventHeaders, header: string | null = null) =>
    isSignedInForm(headers, { scheme, header });
  const signature = signed()["webhook-signature"] ?? "";

  test.each<[EventScheme, string, string[]]>([
    ["standard-webhooks", "webhook-signature", [signature, `v1a,xyz ${signature} v1,bm9uc2Vuc2U=`]],
    ["hmac-hex", "x-signature", [hmac("hex"), `sha256=${hmac("hex")}`]],
    ["hmac-base64", "x-signature", [hmac("base64"), `sha256=${hmac("base64")}`]],
    ["shared-secret", "x-webhook-secret", [SECRET, "x"]],
  ])(
    "%s: a delivery that could be signed is let in, whatever names its header",
    (scheme, name, good) => {
      for (const value of good) {
        expect(isInForm(scheme, { [name]: value })).toBe(true);
        expect(isInForm(scheme, { "x-mine": value }, "X-Mine")).toBe(true);
        expect(isInForm(scheme, { [name]: value }, "X-Mine")).toBe(false);
      }
    },
  );

  test.each<[EventScheme, string, string[]]>([
    [
      "standard-webhooks",
      "webhook-signature",
      [`x${signature}`, `${signature}x`, "v1,bm9uc2Vuc2U="],
    ],
    ["hmac-hex", "x-signature", [`x${hmac("hex")}`, `${hmac("hex")}0`, "0", "g".repeat(64)]],
    [
      "hmac-base64",
      "x-signature",
      [`x${hmac("base64")}`, `${hmac("base64")}=`, "A=", `${"!".repeat(43)}=`],
    ],
    ["shared-secret", "x-webhook-secret", []],
  ])("%s: one that could be no signature, none and two are refused", (scheme, name, bad) => {
    for (const value of bad) expect(isInForm(scheme, { [name]: value }), value).toBe(false);
    expect(isInForm(scheme, {})).toBe(false);
    expect(isInForm(scheme, { [name]: [SECRET, SECRET] })).toBe(false);
  });

  test("nothing is asked for where nothing is signed", () => {
    expect(isInForm("none", {})).toBe(true);
  });
});

test("a connection's deliveries are checked by its secret and by those before it", () => {
  const stored = { scheme: "hmac-hex", header: "X-Mine", secret: "new" } as const;
  expect(eventSigning(stored)).toEqual({ scheme: "hmac-hex", header: "X-Mine", secrets: ["new"] });
  expect(eventSigning({ ...stored, previousSecrets: ["b", "a"] }).secrets).toEqual([
    "new",
    "b",
    "a",
  ]);
  expect(eventSigning({ ...stored, secret: null }).secrets).toEqual([]);
});

test("no single changed character of a body, signature, id or time passes", () => {
  const deliveries = {
    "standard-webhooks": signed(),
    "hmac-hex": { "x-signature": hmac("hex") },
    "hmac-base64": { "x-signature": hmac("base64") },
    "shared-secret": { "x-webhook-secret": SECRET },
  } satisfies Record<string, Record<string, string>>;
  const changed = (text: string, at: number, by: string) =>
    text.slice(0, at % text.length) + by + text.slice((at % text.length) + 1);
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(deliveries) as (keyof typeof deliveries)[])),
      fc.nat(),
      fc.nat(),
      fc.string({ minLength: 0, maxLength: 1, unit: "grapheme-ascii" }),
      (scheme, place, at, by) => {
        const headers: Record<string, string> = { ...deliveries[scheme] };
        const names = [...Object.keys(headers), ...(scheme === "shared-secret" ? [] : ["body"])];
        const name = names[place % names.length] ?? "body";
        const before = name === "body" ? rawBody.toString() : (headers[name] ?? "");
        const after = changed(before, at, by);
        fc.pre(after !== before);
        if (name !== "body") headers[name] = after;
        const body = name === "body" ? Buffer.from(after) : rawBody;
        expect(verify(scheme, headers, { body }).kind).toBe("refused");
      },
    ),
    { numRuns: 5000 },
  );
});
