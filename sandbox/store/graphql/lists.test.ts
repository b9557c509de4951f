import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { placeOrder, variantId } from "../testing/seeded.ts";

let store: OpenStore;
let token: string;
beforeEach(async () => {
  store = await openStore();
  token = (await store.session()).accessToken ?? "";
});
afterEach(() => store.close());

const run = (query: string, variables: Json = {}) => store.graphql(query, variables, token);

describe("lists", () => {
  const page = async (after: string | null) => {
    const { body } = await run(
      "query ($after: String) { orders(first: 2, after: $after, sortKey: CREATED_AT, reverse: true) { nodes { name } pageInfo { hasNextPage endCursor } } }",
      { after },
    );
    return body.data?.orders as {
      nodes: { name: string }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };

  it("go on from a cursor even when newer items came in between", async () => {
    for (let count = 0; count < 3; count += 1) await placeOrder(store);
    const first = await page(null);
    expect(first.nodes.map((order) => order.name)).toEqual(["#1003", "#1002"]);
    expect(first.pageInfo.hasNextPage).toBe(true);
    await placeOrder(store);
    const second = await page(first.pageInfo.endCursor);
    expect(second.nodes.map((order) => order.name)).toEqual(["#1001"]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  it("are searched with Shopify's syntax", async () => {
    const names = async (query: string) => {
      const { body } = await run(
        "query ($query: String) { orders(first: 10, query: $query) { nodes { name } } }",
        { query },
      );
      return body.data?.orders ?? body.errors;
    };
    await placeOrder(store, { tags: ["form ready"] });
    await placeOrder(store, { test: true });
    expect(await names("financial_status:paid AND tag:'form ready'")).toEqual({
      nodes: [{ name: "#1001" }],
    });
    expect(await names("test:true OR name:1001")).toMatchObject({ nodes: { length: 2 } });
    expect(await names("-test:true")).toEqual({ nodes: [{ name: "#1001" }] });
    expect(await names("created_at:>2100-01-01")).toEqual({ nodes: [] });
    expect(await names("colour:red")).toMatchObject([{ extensions: { code: "NOT_MODELLED" } }]);
    const id = (await variantId(store, "TFT-FULL")).split("/").at(-1);
    const { body } = await run(
      "query ($query: String) { productVariants(first: 5, query: $query) { nodes { sku } } }",
      { query: `id:${id}` },
    );
    expect(body.data).toEqual({ productVariants: { nodes: [{ sku: "TFT-FULL" }] } });
  });
});
