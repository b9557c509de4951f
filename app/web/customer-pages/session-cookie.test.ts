import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sessionCookie, sessionFormToken, sessionSecret } from "./session-cookie.ts";

const SECRET = "s".repeat(43);
const from = (cookie?: string) =>
  sessionSecret(new Request("https://app.example/visit", { headers: cookie ? { cookie } : {} }));

test("reads the secret of the session, among other cookies", () => {
  expect(from(`pathway_visit=${SECRET}`)).toBe(SECRET);
  expect(from(`a=b; pathway_visit=${SECRET};c=d`)).toBe(SECRET);
});

test.each([
  undefined,
  "",
  "a=b",
  "pathway_visit",
  "pathway_visit=",
  `pathway_visit=${"s".repeat(42)}`,
  `pathway_visit=${"s".repeat(44)}`,
  `pathway_visit=${"s".repeat(42)}!`,
  `other_visit=${SECRET}`,
  `pathway_visits=${SECRET}`,
])("reads no secret of %j", (cookie) => {
  expect(from(cookie)).toBeNull();
});

test("keeps the secret for one path, out of reach of scripts and other sites' forms", () => {
  expect(sessionCookie(SECRET, { path: "/visit/one.1", secure: true })).toBe(
    `pathway_visit=${SECRET}; Path=/visit/one.1; Max-Age=7200; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(sessionCookie(SECRET, { path: "/visit/one.1", secure: false })).toBe(
    `pathway_visit=${SECRET}; Path=/visit/one.1; Max-Age=7200; HttpOnly; SameSite=Lax`,
  );
});

test("ends a session at once", () => {
  expect(sessionCookie("", { path: "/", secure: true })).toContain(
    "pathway_visit=; Path=/; Max-Age=0;",
  );
});

test("proves a form by a digest that does not tell the secret", () => {
  const digest = createHash("sha256").update(`form ${SECRET}`).digest("base64url");
  expect(sessionFormToken(SECRET)).toBe(digest);
  expect(sessionFormToken(SECRET)).not.toBe(sessionFormToken("t".repeat(43)));
});
