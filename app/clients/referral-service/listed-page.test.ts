import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { referralsOn, resultsOn } from "./listed-page.ts";
import { wireReferral, wireResult } from "./testing/wire-samples.ts";

const [U1, U2, U3] = [randomUUID(), randomUUID(), randomUUID()];
const OURS = "PW1001-0123456789AB";
const NONE = { uuid: "", referralUuid: null, referenceNumber: null };
const full = { cursor: "more", count: 20, resultCount: 20 };
const pageOf = (page: object) => referralsOn(JSON.stringify(page), "GET /v1/referrals");

test.each<[string, object, string | null]>([
  ["as the interface shows it", { cursor: full, referrals: [wireReferral()] }, "more"],
  ["at the page's end", { referrals: [wireReferral()], cursor: full }, "more"],
  ["of the last page", { cursor: { ...full, resultCount: 3 }, referrals: [] }, null],
  ["of a smaller page", { cursor: { cursor: "c", count: 5, resultCount: 5 }, referrals: [] }, "c"],
  ["that counts nothing", { cursor: { cursor: "c" }, referrals: [] }, null],
  ["beside the entries", { cursor: "c", count: 20, resultCount: 20, referrals: [] }, null],
  ["that is none", { cursor: { cursor: 7, resultCount: 20 }, referrals: [] }, null],
])("a cursor %s is seen before the page is read", (_, page, likely) => {
  expect(pageOf(page).likelyNext).toBe(likely);
});

test("reads the right cursor where something else looks like one", () => {
  const metadata = { cursor: { cursor: "elsewhere", resultCount: 20 } };
  const page = pageOf({ referrals: [wireReferral({ metadata })], cursor: full });
  expect(page.likelyNext).toBe("elsewhere");
  expect(page.read().next).toBe("more");
});

test("an unreadable page has a guess at most, and says why when it is read", () => {
  const page = pageOf({ cursor: full, entries: { uuid: "u1" } });
  expect(page.likelyNext).toBe("more");
  expect(() => page.read()).toThrow("GET /v1/referrals");
  expect(() => referralsOn("<html>", "GET /v1/referrals").read()).toThrow("not JSON");
});

test("reads every entry beside one that cannot be read, and says which that is", () => {
  const [good, bad] = [
    wireReferral({ uuid: U1 }),
    wireReferral({ uuid: U2, updatedAt: "never", referenceNumber: OURS }),
  ];
  const nameless = { uuid: U3, referenceNumber: 7, createdAt: null };
  const page = pageOf({
    cursor: { ...full, resultCount: 4 },
    referrals: [good, bad, nameless, null],
  });
  const read = page.read();
  expect(read.entries.map(({ uuid }) => uuid)).toEqual([U1]);
  expect(read.unreadable).toEqual([
    { ...NONE, uuid: U2, referenceNumber: OURS, field: "updatedAt custom" },
    { ...NONE, uuid: U3, field: expect.stringContaining("updatedAt invalid_union") },
    { ...NONE, field: expect.stringContaining("(whole)") },
  ]);
});

test("finds a reference number of ours in whatever place of an entry that cannot be read", () => {
  const nested = { uuid: U1, createdAt: 0, refs: [{ [OURS]: null }] };
  const foreign = { uuid: U2, createdAt: 0, referenceNumber: "SOMEBODY-ELSE" };
  const page = pageOf({ cursor: { ...full, resultCount: 2 }, referrals: [nested, foreign] });
  expect(page.read().unreadable).toMatchObject([
    { uuid: U1, referenceNumber: OURS },
    { uuid: U2, referenceNumber: null },
  ]);
});

test.each<[string, Record<string, unknown>]>([
  ["a uuid that is none", { uuid: "a,b" }],
  ["a time that no database stores", { updatedAt: "-271820-01-01T00:00:00Z" }],
  ["a time of the year 12000", { updatedAt: "+012000-01-01T00:00:00Z" }],
])("an entry with %s is told as unreadable", (_, fields) => {
  const page = pageOf({ cursor: { ...full, resultCount: 1 }, referrals: [wireReferral(fields)] });
  expect(page.read()).toMatchObject({ entries: [], unreadable: [{ field: expect.any(String) }] });
});

test("takes no text for a reference number of ours that cannot be one, and no character stops the database", () => {
  const numbers = ["a\u0000b", "ü".repeat(20), "x".repeat(5000)];
  const referrals = numbers.map((referenceNumber) =>
    wireReferral({ uuid: randomUUID(), referenceNumber }),
  );
  const { entries } = pageOf({ cursor: { ...full, resultCount: 3 }, referrals }).read();
  expect(entries.map(({ referenceNumber }) => referenceNumber)).toEqual([null, null, null]);
});

test("a listed referral is read whole when somebody asks, and refused when it cannot be", () => {
  const page = pageOf({
    cursor: { ...full, resultCount: 2 },
    referrals: [wireReferral({ uuid: U1 }), wireReferral({ uuid: U2, medicare: "perhaps" })],
  });
  expect(page.read().entries).toHaveLength(2);
  expect(page.whole(U1)).toMatchObject({ uuid: U1, status: "CREATED" });
  expect(() => page.whole(U2)).toThrow(`listed referral ${U2}: medicare invalid_union`);
  expect(() => page.whole(U3)).toThrow(`listed referral ${U3}`);
});

test("reads only the compared fields of listed results", () => {
  const unreadable = wireResult({ uuid: U1, biomarkers: "none" });
  const text = JSON.stringify({ cursor: full, results: [unreadable] });
  const page = resultsOn(text, "GET /v1/results");
  expect(page.likelyNext).toBe("more");
  expect(page.read()).toMatchObject({ entries: [{ uuid: U1 }], next: "more" });
});
