import { expect, test } from "vitest";
import { DAY, sampleRequest } from "../../../test/samples/facts.ts";
import { sampleLink } from "../../../test/samples/links.ts";
import { sampleTenant } from "../../../test/samples/tenant.ts";
import { gid } from "../kernel/ids.ts";
import type { ReferralRequest } from "../referrals/request.ts";
import type { AccessLink } from "./link.ts";
import { LINK_PURPOSES } from "./link-purpose.ts";
import { recordMailedLinks } from "./record-mailed-link.ts";

const own = sampleRequest({ state: "created" });
const nextGeneration = sampleRequest({ id: "next", generation: 2, state: "created" });
const other = sampleRequest({ id: "other", unit: 2 });
const otherLine = sampleRequest({ id: "line", lineItemId: gid("LineItem", 2), state: "created" });
const ORDER = [own, nextGeneration, other, otherLine];
const ALL = [...LINK_PURPOSES];
const BUT_RESULTS = ALL.filter((one) => one !== "results");

/** Returns, in turn, the links that ended when this one was mailed. */
async function ended(link: Partial<AccessLink>, order: ReferralRequest[] = ORDER) {
  const mailed = sampleLink(link);
  const seen: { requestIds: string[]; purposes: readonly string[] }[] = [];
  const marked: unknown[] = [];
  const tenant = sampleTenant({
    links: {
      find: async (id) => (id === "link" ? mailed : null),
      markMailed: async (...words) => void marked.push(...words),
      supersede: async (by, { besides, ...older }, at) => {
        expect([by, besides, at]).toEqual([mailed, ["link"], DAY]);
        seen.push(older);
      },
    },
    requests: {
      find: async (id) => order.find((one) => one.id === id) ?? null,
      forOrder: async () => order,
    },
  });
  await recordMailedLinks(tenant, ["link"], { at: DAY, since: null });
  if (order.length > 0) expect(marked).toEqual([["link"], DAY]);
  return seen;
}
const UNIT = ["request", "next"];
const WHOLE = ["request", "next", "other", "line"];

test("ends a patient's older links of the same unit, but results by results only", async () => {
  const kind = "handover";
  expect(await ended({ kind, purpose: "form" })).toEqual([
    { requestIds: UNIT, purposes: BUT_RESULTS },
  ]);
  expect(await ended({ kind, purpose: "results" })).toEqual([{ requestIds: UNIT, purposes: ALL }]);
  expect(await ended({ kind, purpose: "details" })).toEqual([
    { requestIds: UNIT, purposes: BUT_RESULTS },
  ]);
});

test("ends a guest's older links for details of the whole order by a newer one", async () => {
  expect(await ended({ purpose: "details" })).toEqual([
    { requestIds: WHOLE, purposes: ["details"] },
  ]);
});

test("keeps a guest's link for details while another unit waits for them", async () => {
  expect(await ended({ purpose: "form" })).toEqual([
    { requestIds: UNIT, purposes: BUT_RESULTS.filter((one) => one !== "details") },
  ]);
  expect(await ended({ purpose: "results" })).toEqual([
    { requestIds: UNIT, purposes: ALL.filter((one) => one !== "details") },
  ]);
});

test("ends a guest's link for details by any link of the last unit that waits", async () => {
  const waiting = sampleRequest();
  const order = [waiting, otherLine];
  const [, details] = await ended({ purpose: "form" }, order);
  expect(details).toEqual({ requestIds: ["request", "line"], purposes: ["details"] });
});

test("ends the older links of each unit that one mail has links of, and nothing by those that are not known", async () => {
  const links = [
    sampleLink({ id: "one", purpose: "form" }),
    sampleLink({ id: "two", purpose: "form", requestId: "other" }),
    sampleLink({ id: "three", purpose: "form", requestId: "unknown" }),
  ];
  const ids = ["one", "two", "gone", "three"];
  const seen: unknown[] = [];
  const tenant = sampleTenant({
    links: {
      find: async (id) => links.find((one) => one.id === id) ?? null,
      markMailed: async (...words) => void expect(words).toEqual([ids, DAY]),
      supersede: async ({ id, createdAt }, { requestIds }) =>
        void seen.push([id, createdAt, requestIds]),
    },
    requests: {
      find: async (id) => ORDER.find((one) => one.id === id) ?? null,
      forOrder: async () => ORDER,
    },
  });
  // The first try may have arrived: mails that left after it are no older ones.
  for (const since of [null, new Date(DAY.getTime() - 60_000)]) {
    await recordMailedLinks(tenant, ids, { at: DAY, since });
    const from = since ?? DAY;
    expect(seen.splice(0)).toEqual([
      ["one", from, UNIT],
      ["two", from, ["other"]],
      ["two", from, WHOLE],
    ]);
  }
});

test("ends nothing by a link that is not known, or whose request is gone", async () => {
  expect(await ended({ id: "link", requestId: "unknown" }, [])).toEqual([]);
  const tenant = sampleTenant({ links: { find: async () => null } });
  await expect(
    recordMailedLinks(tenant, ["unknown"], { at: DAY, since: null }),
  ).resolves.toBeUndefined();
});
