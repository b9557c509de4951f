import { LogSeverity, shopifyApi } from "@shopify/shopify-api";
import "@shopify/shopify-api/adapters/node";
import { generateKeyPairSync } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { expect, test } from "vitest";
import { API_VERSION } from "./api-version.ts";
import { createCustomerAuth } from "./customer-auth.ts";

const SECRET = "app-secret";
const KEY = "app-key";
const api = shopifyApi({
  apiKey: KEY,
  apiSecretKey: SECRET,
  apiVersion: API_VERSION,
  hostName: "app.example",
  isEmbeddedApp: true,
  logger: { level: LogSeverity.Error },
});
const auth = createCustomerAuth((token) => api.session.decodeSessionToken(token));

const now = () => Math.floor(Date.now() / 1000);
const CLAIMS = {
  dest: "one.myshopify.com",
  aud: KEY,
  sub: "gid://shopify/Customer/7",
};

/** A token as Shopify makes them: five minutes, HS256 with the app's secret. */
function token(
  changed: Record<string, unknown> = {},
  { secret = SECRET, alg = "HS256" }: { secret?: string; alg?: string } = {},
): Promise<string> {
  const claims = { ...CLAIMS, nbf: now() - 5, iat: now() - 5, exp: now() + 300, ...changed };
  return new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(secret));
}
const signIn = async (made: Promise<string> | string) => auth(`Bearer ${await made}`);

test.each(["one.myshopify.com", "https://one.myshopify.com"])(
  "signs in the customer of %s",
  async (dest) => {
    expect(await signIn(token({ dest }))).toEqual({
      shop: "one.myshopify.com",
      customerId: "gid://shopify/Customer/7",
    });
  },
);

test.each<[string, Record<string, unknown>]>([
  ["for another app", { aud: "another-app" }],
  ["for nobody", { aud: undefined }],
  ["that has expired", { exp: now() - 60 }],
  ["that never expires", { exp: undefined }],
  ["that another shop issued", { iss: "https://two.myshopify.com" }],
  [
    "of an issuer that only begins like the shop",
    { iss: "https://one.myshopify.com.evil.example" },
  ],
  ["of an issuer with a scheme inside", { iss: "one.https://myshopify.com" }],
  ["that is not valid yet", { nbf: now() + 600 }],
  ["of a visitor, without a subject", { sub: undefined }],
  ["whose subject is empty", { sub: "" }],
  ["of a member of staff", { sub: "42" }],
  ["whose subject is another thing", { sub: "gid://shopify/Order/7" }],
  ["whose subject goes on", { sub: "gid://shopify/Customer/7/8" }],
  ["of no shop", { dest: undefined }],
  ["of a shop that is none", { dest: "https://evil.example" }],
  ["of a shop with a scheme inside", { dest: "one.https://myshopify.com" }],
  ["whose subject begins with something else", { sub: "x gid://shopify/Customer/7" }],
  ["of a shop with a path", { dest: "https://one.myshopify.com/admin" }],
])("a token %s is refused", async (_, changed) => {
  expect(await signIn(token(changed))).toBeNull();
});

test("signs in a customer whose token names its issuer", async () => {
  for (const iss of ["https://one.myshopify.com", "https://one.myshopify.com/customer/accounts"])
    expect(await signIn(token({ iss }))).not.toBeNull();
});

test("signs in a customer whose number has many digits", async () => {
  const sub = "gid://shopify/Customer/7012345678901";
  expect((await signIn(token({ sub })))?.customerId).toBe(sub);
});

test("asks nothing about a header that holds no token", async () => {
  const trusting = createCustomerAuth(async () => ({ ...CLAIMS, exp: now() + 300 }));
  expect(await trusting("Bearer x")).not.toBeNull();
  for (const header of [null, "", "Basic x"]) expect(await trusting(header)).toBeNull();
});

test("a token with another secret is refused", async () => {
  expect(await signIn(token({}, { secret: "stolen" }))).toBeNull();
});

test("a token by any other algorithm is refused", async () => {
  expect(await signIn(token({}, { alg: "HS384", secret: SECRET.padEnd(48, "x") }))).toBeNull();
  expect(await signIn(token({}, { alg: "HS512" }))).toBeNull();
  const unsigned = new UnsecuredJWT({ ...CLAIMS, exp: now() + 300, nbf: now() - 5 }).encode();
  expect(await signIn(unsigned)).toBeNull();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const foreign = new SignJWT({ ...CLAIMS, exp: now() + 300, nbf: now() - 5 })
    .setProtectedHeader({ alg: "ES256" })
    .sign(privateKey);
  expect(await signIn(foreign)).toBeNull();
});

test("a token whose claims were changed is refused", async () => {
  const [head, , signature] = (await token()).split(".");
  const [, claims] = (await token({ sub: "gid://shopify/Customer/8" })).split(".");
  expect(await signIn([head, claims, signature].join("."))).toBeNull();
});

test("nothing that is not a bearer token signs anybody in", async () => {
  const good = await token();
  for (const header of [
    null,
    "",
    good,
    `Basic ${good}`,
    `Basic Bearer ${good}`,
    `bearer${good}`,
    `Bearer ${good} ${good}`,
    "Bearer ",
  ])
    expect(await auth(header)).toBeNull();
});
