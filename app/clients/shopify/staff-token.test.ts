import { expect, test } from "vitest";
import { carriesShoppersToken, isStaffs, sessionTokenOf, shopOfToken } from "./staff-token.ts";

const STAFF = {
  iss: "https://one.myshopify.com/admin",
  dest: "https://one.myshopify.com",
  sub: "42",
  aud: "app-key",
  exp: 1_800_000_000,
};
const tokenOf = (claims: unknown) =>
  `x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
const inHeader = (token: string) =>
  new Request("https://app.example/app", { headers: { authorization: `Bearer ${token}` } });
const inAddress = (token: string) => new Request(`https://app.example/app?id_token=${token}`);

test.each([
  ["of a customer", { dest: "one.myshopify.com", sub: "gid://shopify/Customer/7" }],
  ["of a customer that looks like staff's", { ...STAFF, sub: "gid://shopify/Customer/7" }],
  ["of a customer whose id is bare", { ...STAFF, iss: "https://one.myshopify.com" }],
  ["of a subject that goes on after its number", { ...STAFF, sub: "42/Customer" }],
  ["of a shop without its scheme", { ...STAFF, dest: "one.myshopify.com" }],
  [
    "of a shop without its scheme, which issued it",
    { ...STAFF, dest: "one.myshopify.com", iss: "one.myshopify.com/admin" },
  ],
  ["of staff that never expires", { ...STAFF, exp: undefined }],
  ["of staff for no app", { ...STAFF, aud: undefined }],
  ["of staff that another shop issued", { ...STAFF, iss: "https://two.myshopify.com/admin" }],
  ["of a visitor before the login", { dest: "https://one.myshopify.com" }],
])("a token %s opens no page of the merchant's", (_, claims) => {
  expect(carriesShoppersToken(inHeader(tokenOf(claims)))).toBe(true);
  expect(carriesShoppersToken(inAddress(tokenOf(claims)))).toBe(true);
  // The library takes whatever is there for a token.
  for (const written of ["", "bearer ", "Bearer  ", "Basic "]) {
    const headers = { authorization: `${written}${tokenOf(claims)}` };
    expect(carriesShoppersToken(new Request("https://app.example/app", { headers }))).toBe(true);
  }
});

test("staff's tokens, none and unreadable ones are the library's to judge", () => {
  expect(carriesShoppersToken(inHeader(tokenOf(STAFF)))).toBe(false);
  expect(carriesShoppersToken(inAddress(tokenOf(STAFF)))).toBe(false);
  expect(carriesShoppersToken(inHeader("made.up.token"))).toBe(false);
  expect(carriesShoppersToken(new Request("https://app.example/app"))).toBe(false);
});

test("takes no claims for staff's that leave out when they end or whom they are for", () => {
  expect(isStaffs(STAFF)).toBe(true);
  for (const name of ["iss", "dest", "aud", "exp", "sub"])
    expect(isStaffs({ ...STAFF, [name]: undefined })).toBe(false);
});

test("finds the token of a call in its header, and in its address where that has none", () => {
  const token = tokenOf(STAFF);
  expect(sessionTokenOf(inHeader(token))).toBe(token);
  expect(sessionTokenOf(inAddress(token))).toBe(token);
  const headers = (authorization: string) => ({ headers: { authorization } });
  const both = new Request("https://app.example/app?id_token=other", headers(`Bearer ${token}`));
  expect(sessionTokenOf(both)).toBe(token);
  for (const written of [`Basic Bearer ${token}`, `Bearer ${token} x`, token, "Bearer "])
    expect(sessionTokenOf(new Request("https://app.example/app", headers(written)))).toBeNull();
  expect(sessionTokenOf(new Request("https://app.example/app?token=x"))).toBeNull();
});

test("reads the shop that a token names", () => {
  expect(shopOfToken(tokenOf(STAFF))).toBe("one.myshopify.com");
  expect(shopOfToken(tokenOf({ dest: "one.myshopify.com" }))).toBe("one.myshopify.com");
});

test.each([
  { dest: "https://evil.example" },
  { dest: "one.https://myshopify.com" },
  { dest: "https://one.myshopify.com/admin" },
  { dest: 7 },
  {},
  null,
])("reads no shop of a token with %j", (claims) => {
  expect(shopOfToken(tokenOf(claims))).toBeNull();
});

test("reads no shop of what is no token", () => {
  for (const text of ["", "x", "made.up.token"]) expect(shopOfToken(text)).toBeNull();
});
