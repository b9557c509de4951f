import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  ownSecret,
  placeOfToken,
  sessionCookie,
  sessionFormToken,
  sessionSecret,
  shareCookie,
  shareVisit,
} from "./session-cookie.ts";

const SECRET = "s".repeat(43);
const from = (cookie?: string, place = "link-1") =>
  sessionSecret(
    new Request("https://app.example/visit", { headers: cookie ? { cookie } : {} }),
    place,
  );

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

test("reads the secret of this place alone, and before one of the former name", () => {
  const other = "t".repeat(43);
  const cookies = `__Host-pathway_visit.link-2=${other}; __Host-pathway_visit.link-1=${SECRET}; pathway_visit=${other}`;
  expect(from(cookies)).toBe(SECRET);
  expect(from(cookies, "link-3")).toBe(other);
  expect(from(`__Host-pathway_visit.link-2=${other}`)).toBeNull();
});

describe("a session is begun", () => {
  const own = (cookie: string | null, secure: boolean) =>
    ownSecret(
      new Request("https://app.example/visit", { headers: cookie ? { cookie } : {} }),
      "link-1",
      { secure },
    );

  test("by https with the cookie of this host alone, which nobody can have planted", () => {
    expect(own(`__Host-pathway_visit.link-1=${SECRET}`, true)).toBe(SECRET);
    expect(own(`pathway_visit=${SECRET}`, true)).toBeNull();
    expect(own(null, true)).toBeNull();
  });

  test("by http with the one cookie that there is", () => {
    expect(own(`pathway_visit=${SECRET}`, false)).toBe(SECRET);
  });
});

test("keeps the secret out of reach of scripts, other hosts and other sites' forms", () => {
  const where = { place: "link-1", path: "/visit/one.1" };
  expect(sessionCookie(SECRET, { ...where, secure: true })).toBe(
    `__Host-pathway_visit.link-1=${SECRET}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(sessionCookie(SECRET, { ...where, secure: false })).toBe(
    `pathway_visit=${SECRET}; Path=/visit/one.1; Max-Age=86400; HttpOnly; SameSite=Lax`,
  );
});

test("ends a session at once", () => {
  expect(sessionCookie("", { place: "link-1", path: "/", secure: true })).toContain(
    "pathway_visit.link-1=; Path=/; Max-Age=0;",
  );
});

test("names the place of a mailed link without telling its token", () => {
  expect(placeOfToken(SECRET)).toMatch(/^[0-9a-f]{16}$/);
  expect(placeOfToken(SECRET)).not.toBe(placeOfToken("t".repeat(43)));
});

test("proves a form by a digest that does not tell the secret", () => {
  const digest = createHash("sha256").update(`form ${SECRET}`).digest("base64url");
  expect(sessionFormToken(SECRET)).toBe(digest);
  expect(sessionFormToken(SECRET)).not.toBe(sessionFormToken("t".repeat(43)));
});

test("keeps the proof of a share's passcode for two hours, for its address alone", () => {
  expect(shareCookie("1.x", { path: "/shares/a", secure: true })).toBe(
    "pathway_share=1.x; Path=/shares/a; Max-Age=7200; HttpOnly; SameSite=Lax; Secure",
  );
});

const VISIT = `1700000000000.${"v".repeat(43)}`;
const visitIn = (cookie?: string) =>
  shareVisit(new Request("https://app.example/shares/a", { headers: cookie ? { cookie } : {} }));

test("reads the proof of a share's passcode, among other cookies and others of its name", () => {
  expect(visitIn(`pathway_share=${VISIT}`)).toBe(VISIT);
  expect(visitIn(`a=b; pathway_share=${VISIT};c=d`)).toBe(VISIT);
  expect(visitIn(`pathway_share=old; pathway_share=${VISIT}`)).toBe(VISIT);
});

test.each([
  ...[undefined, "a=b", "pathway_share", "pathway_share=", `pathway_shares=${VISIT}`],
  ...[`pathway_share=x${VISIT}`, `pathway_share=${VISIT}x`, `pathway_share=1.${"v".repeat(43)}`],
  ...[`pathway_share=170000000000x.${"v".repeat(43)}`, "pathway_share=1700000000000.v"],
  ...[`pathway_share=1700000000000.${"!".repeat(43)}`, `pathway_visit=${VISIT}`],
])("reads no proof of %j", (cookie) => {
  expect(visitIn(cookie)).toBeNull();
});
