import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { createAdminExecutor } from "./execute.ts";
import { createThrottle } from "./throttle.ts";

let store: OpenStore;
let token: string;
beforeEach(async () => {
  store = await openStore();
  token = (await store.session()).accessToken ?? "";
});
afterEach(() => store.close());

const run = (query: string, variables: Json = {}) => store.graphql(query, variables, token);
const errorsOf = async (query: string, variables: Json = {}) => {
  const { errors } = (await run(query, variables)).body;
  return Array.isArray(errors) ? errors : [];
};

describe("cost", () => {
  it("is told with every answer and taken from the bucket", async () => {
    const { body } = await run(
      "{ products(first: 20) { nodes { id variants(first: 10) { nodes { id } } } } }",
    );
    expect(body.extensions?.cost).toMatchObject({
      throttleStatus: { maximumAvailable: 2000, restoreRate: 100 },
    });
    const { requestedQueryCost, actualQueryCost } = body.extensions?.cost ?? {};
    expect(requestedQueryCost).toBe(2 + 20 * (1 + 2 + 10));
    expect(actualQueryCost).toBeLessThan(requestedQueryCost ?? 0);
  });

  it("throttles when the bucket is empty, and recovers", async () => {
    let nowMs = 0;
    const throttle = createThrottle(() => nowMs);
    const executor = createAdminExecutor();
    const shop = store.platform.data.shops.all()[0];
    if (!shop) throw new Error("no shop");
    const caller = { platform: store.platform, shop, scopes: [], isApp: true };
    const ask = () => executor.run(caller, { query: "{ shop { name } }" }, throttle);
    throttle.take(2_000);
    expect(await ask()).toMatchObject({
      errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
      extensions: { cost: { actualQueryCost: null, throttleStatus: { currentlyAvailable: 0 } } },
    });
    nowMs += 10;
    expect(await ask()).toMatchObject({
      data: { shop: { name: "Harbour Pathology" } },
      extensions: { cost: { requestedQueryCost: 1, throttleStatus: { currentlyAvailable: 0 } } },
    });
    nowMs += 5_000;
    expect(throttle.status().currentlyAvailable).toBe(500);
    nowMs += 3_600_000;
    expect(throttle.status().currentlyAvailable).toBe(2_000);
  });

  it("refuses an operation of more than 1,000 points", async () => {
    expect(
      await errorsOf(
        "{ products(first: 250) { nodes { variants(first: 100) { nodes { id } } } } }",
      ),
    ).toMatchObject([{ extensions: { code: "MAX_COST_EXCEEDED" } }]);
  });

  it("counts an object for each id that is asked for, and refuses lists of more than 250", async () => {
    const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Product { id } } }";
    const ids = (many: number) =>
      Array.from({ length: many }, (_, number) => `gid://shopify/Product/${number + 1}`);
    const { body } = await run(query, { ids: ids(250) });
    expect(body.extensions?.cost).toMatchObject({ requestedQueryCost: 250 });
    const written = `{ nodes(ids: ${JSON.stringify(ids(251))}) { id } }`;
    for (const refused of [await errorsOf(query, { ids: ids(251) }), await errorsOf(written)])
      expect(refused).toMatchObject([
        {
          message: "The input array size of 251 is greater than the maximum allowed of 250.",
          extensions: { code: "MAX_INPUT_SIZE_EXCEEDED" },
        },
      ]);
  });

  it("fails as told by faults", async () => {
    await store.ok("PUT", "/faults", { throttle: 1 });
    expect(await errorsOf("{ shop { name } }")).toMatchObject([
      { extensions: { code: "THROTTLED" } },
    ]);
    expect(await errorsOf("{ shop { name } }")).toEqual([]);
    await store.ok("PUT", "/faults", {
      graphqlStatus: { status: 502, times: 1 },
      graphqlLatencyMs: 60,
    });
    const before = performance.now();
    expect(await run("{ shop { name } }")).toMatchObject({ status: 502 });
    expect(performance.now() - before).toBeGreaterThan(50);
    expect(await run("{ shop { name } }")).toMatchObject({ status: 200 });
    await store.ok("PUT", "/faults", { graphqlStatus: 401 });
    expect(await run("{ shop { name } }")).toMatchObject({ status: 401 });
    await store.ok("PUT", "/faults", {});
    expect(await run("{ shop { name } }")).toMatchObject({ status: 200 });
  });
});
