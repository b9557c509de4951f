import { expect, test } from "vitest";
import { referralsOn, resultsOn } from "./listed-page.ts";
import { wireReferral, wireResult } from "./testing/wire-samples.ts";

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

test("what only looks like a cursor misleads the guess, never the reading", () => {
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
    wireReferral({ uuid: "u1" }),
    wireReferral({ uuid: "u2", updatedAt: "never" }),
  ];
  const nameless = { uuid: "u3", referenceNumber: 7, createdAt: null };
  const page = pageOf({
    cursor: { ...full, resultCount: 4 },
    referrals: [good, bad, nameless, null],
  });
  const read = page.read();
  expect(read.entries.map(({ uuid }) => uuid)).toEqual(["u1"]);
  expect(read.unreadable).toEqual([
    { uuid: "u2", referenceNumber: bad.referenceNumber, field: "updatedAt custom" },
    { uuid: "u3", referenceNumber: null, field: expect.stringContaining("createdAt invalid_type") },
    { uuid: "", referenceNumber: null, field: expect.stringContaining("(whole)") },
  ]);
});

test("a listed referral is read whole when somebody asks, and refused when it cannot be", () => {
  const page = pageOf({
    cursor: { ...full, resultCount: 2 },
    referrals: [wireReferral({ uuid: "u1" }), wireReferral({ uuid: "u2", tests: "all" })],
  });
  expect(page.read().entries).toHaveLength(2);
  expect(page.whole("u1")).toMatchObject({ uuid: "u1", status: "CREATED" });
  expect(() => page.whole("u2")).toThrow("listed referral u2: tests invalid_type");
  expect(() => page.whole("u3")).toThrow("listed referral u3");
});

test("of results only what is compared is read", () => {
  const unreadable = wireResult({ uuid: "x", biomarkers: "none" });
  const text = JSON.stringify({ cursor: full, results: [unreadable] });
  const page = resultsOn(text, "GET /v1/results");
  expect(page.likelyNext).toBe("more");
  expect(page.read()).toMatchObject({ entries: [{ uuid: "x" }], next: "more" });
});
