import { afterAll, beforeAll, expect, test } from "vitest";
import { negotiateVersion } from "../http/api-version.ts";
import { type Harness, order, startHarness } from "../testing/harness.ts";
import { bundleList, testList } from "../wire/catalogue-wire.ts";
import { apiError } from "../wire/common.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const get = (path: string, accept?: string) =>
  harness.call("GET", path, accept === undefined ? {} : { headers: { accept } });

test.each([
  ["application/vnd.service.v1.1.0+json", "1.1.0"],
  ["application/vnd.some-other.vendor.v1.1.0+json", "1.1.0"],
  ["APPLICATION/VND.SERVICE.V1.1.0+JSON", "1.1.0"],
  ["application/json, application/vnd.service.v1.1.0+json;q=0.9", "1.1.0"],
  ["application/vnd.a.v1.0.0+json;q=0.5, application/vnd.a.v1.1.0+json", "1.1.0"],
  ["application/vnd.service.v1.0.0+json", "1.0.0"],
  ["application/json", "1.0.0"],
  ["*/*", "1.0.0"],
  ["", "1.0.0"],
])("%s means %s", (accept, version) => {
  expect(negotiateVersion(accept)).toBe(version);
});

test("a version that does not exist is refused, not silently replaced", async () => {
  const reply = await get("/v1/tests", "application/vnd.service.v2.0.0+json");
  expect(reply.status).toBe(400);
  expect(apiError.parse(reply.body).code).toBe("INVALID_PARAMETER");
});

test("1.0.0 lists blood tests only, 1.1.0 lists all", async () => {
  const all = testList.parse((await get("/v1/tests")).body);
  const blood = testList.parse((await get("/v1/tests", "application/json")).body);
  expect(blood.length).toBeGreaterThan(0);
  expect(all.length).toBeGreaterThan(blood.length);
  expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(blood.map(({ id }) => id)));
  expect(blood.some(({ id }) => id === "urine-mcs")).toBe(false);
});

test("bundles need 1.1.0 and page like the other lists", async () => {
  const refused = await get("/v1/bundles", "application/json");
  expect(refused.status).toBe(400);
  expect(apiError.parse(refused.body).message).toContain("v1.1.0");
  const all = bundleList.parse((await get("/v1/bundles")).body);
  const first = bundleList.parse((await get("/v1/bundles?count=4")).body);
  const next = bundleList.parse(
    (await get(`/v1/bundles?count=4&cursor=${first.cursor.cursor}`)).body,
  );
  expect([...first.bundles, ...next.bundles]).toEqual(all.bundles.slice(0, 8));
  const down = bundleList.parse((await get("/v1/bundles?sort=desc")).body);
  expect(down.bundles).toEqual(all.bundles.toReversed());
  expect((await get("/v1/bundles?count=99")).status).toBe(400);
});

test("every bundle can be ordered and every test in it exists", async () => {
  const { bundles } = bundleList.parse((await get("/v1/bundles")).body);
  const ids = new Set(testList.parse((await get("/v1/tests")).body).map(({ id }) => id));
  for (const bundle of bundles) {
    expect(bundle.tests.every(({ id }) => ids.has(id))).toBe(true);
    const body = { ...order, tests: undefined, bundleId: bundle.id };
    expect((await harness.call("POST", "/v1/referrals", { body })).status).toBe(200);
  }
});

test("1.0.0 answers create with an object", async () => {
  const reply = await harness.call("POST", "/v1/referrals", { version: "1.0.0", body: order });
  expect(reply.status).toBe(200);
  expect(Array.isArray(reply.body)).toBe(false);
});
