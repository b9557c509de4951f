import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Json, type OpenStore, openStore } from "../testing/open-store.ts";
import { placeOrder, productId } from "../testing/seeded.ts";

let store: OpenStore;
let token: string;
beforeEach(async () => {
  store = await openStore();
  token = (await store.session()).accessToken ?? "";
});
afterEach(() => store.close());

const run = (query: string, variables: Json = {}) => store.graphql(query, variables, token);
const grant = (scopes: string) => store.ok("PUT", "/app", { scopes });

describe("metafields", () => {
  const set =
    "mutation ($metafields: [MetafieldsSetInput!]!) { metafieldsSet(metafields: $metafields) { metafields { namespace key compareDigest } userErrors { code field message elementIndex } } }";

  it("of the app's own namespace are written and read as $app", async () => {
    await grant("write_orders");
    const { id } = await placeOrder(store);
    const field = {
      ownerId: id,
      namespace: "$app",
      key: "status",
      type: "single_line_text_field",
      value: "form ready",
    };
    const { body } = await run(set, { metafields: [field] });
    expect(body.data?.metafieldsSet).toMatchObject({
      metafields: [{ namespace: expect.stringMatching(/^app--\d+$/), key: "status" }],
      userErrors: [],
    });
    const read = await run(
      'query ($id: ID!) { order(id: $id) { metafield(namespace: "$app", key: "status") { value } other: metafield(namespace: "custom", key: "status") { value } } }',
      { id },
    );
    expect(read.body.data).toEqual({ order: { metafield: { value: "form ready" }, other: null } });
    const stale = await run(set, { metafields: [{ ...field, compareDigest: "0" }] });
    expect(stale.body.data?.metafieldsSet).toMatchObject({
      userErrors: [{ code: "STALE_OBJECT" }],
    });
    const bad = await run(set, { metafields: [field, { ...field, type: "number_integer" }] });
    expect(bad.body.data?.metafieldsSet).toMatchObject({
      metafields: null,
      userErrors: [{ code: "INVALID_VALUE", elementIndex: 1 }],
    });
  });

  it("that shopify.app.toml defines have the type that it says", async () => {
    await grant("read_products,write_products");
    const ownerId = await productId(store, "Iron Studies");
    const field = { ownerId, namespace: "$app", key: "pathway", value: '{"tests":[]}' };
    const untyped = await run(set, { metafields: [field] });
    expect(untyped.body.data?.metafieldsSet).toMatchObject({ userErrors: [] });
    const other = await run(set, {
      metafields: [{ ...field, type: "single_line_text_field" }],
    });
    expect(other.body.data?.metafieldsSet).toMatchObject({
      userErrors: [{ code: "INVALID_TYPE", field: ["metafields", "0", "type"] }],
    });
    const wrong = await run(set, { metafields: [{ ...field, value: "no JSON" }] });
    expect(wrong.body.data?.metafieldsSet).toMatchObject({
      userErrors: [{ code: "INVALID_VALUE" }],
    });
  });

  it("of the app's own namespace go with the app, and the merchant's stay", async () => {
    await grant("read_products,write_products");
    const ownerId = await productId(store, "Iron Studies");
    const type = "single_line_text_field";
    const owned = { ownerId, namespace: "$app", key: "note", type, value: "ours" };
    await run(set, { metafields: [owned, { ...owned, namespace: "custom", value: "theirs" }] });
    const read = async () => {
      const fields =
        'app: metafield(namespace: "$app", key: "note") { value } shop: metafield(namespace: "custom", key: "note") { value }';
      const { body } = await run(`query ($id: ID!) { product(id: $id) { ${fields} } }`, {
        id: ownerId,
      });
      return body.data?.product;
    };
    expect(await read()).toEqual({ app: { value: "ours" }, shop: { value: "theirs" } });
    await store.ok("POST", "/uninstall");
    await store.ok("POST", "/install");
    token = (await store.session()).accessToken ?? "";
    expect(await read()).toEqual({ app: null, shop: { value: "theirs" } });
  });

  it("of the app's installation need no scope", async () => {
    const installation = await run(
      "{ currentAppInstallation { id accessScopes { handle } app { handle } } }",
    );
    const { id } = Object(installation.body.data?.currentAppInstallation);
    const field = {
      ownerId: id,
      namespace: "settings",
      key: "turnaround",
      type: "json",
      value: '{"days":2}',
    };
    expect((await run(set, { metafields: [field] })).body.data?.metafieldsSet).toMatchObject({
      userErrors: [],
    });
  });

  const text = "single_line_text_field";
  const day = "date";
  const texts = "list.single_line_text_field";
  it.each([
    ["a longer text than 64 KB", { type: text, value: "x".repeat(65_537) }],
    ["longer JSON than 128 KB", { type: "json", value: JSON.stringify("x".repeat(131_072)) }],
    [
      "a longer address than 2 KB",
      { type: "url", value: `https://x.example/${"y".repeat(2_048)}` },
    ],
    ["an address that is no web page", { type: "url", value: "javascript:alert(1)" }],
    ["a day that does not exist", { type: day, value: "2026-02-31" }],
    ["numbers among texts", { type: texts, value: "[1]" }],
    ["more than 128 entries", { type: texts, value: JSON.stringify(Array(129).fill("x")) }],
  ])("cannot hold %s", async (_what, { type, value }) => {
    await grant("read_products,write_products");
    const ownerId = await productId(store, "Iron Studies");
    const field = { ownerId, namespace: "$app", key: "limits", type, value };
    expect((await run(set, { metafields: [field] })).body.data?.metafieldsSet).toMatchObject({
      metafields: null,
      userErrors: [{ code: expect.stringMatching(/^(INVALID_VALUE|TOO_LONG)$/) }],
    });
  });

  it("of an app whose number only begins as this one's are not its own", async () => {
    await grant("read_products,write_products");
    const ownerId = await productId(store, "Iron Studies");
    const { appId } = store.platform.data.credentials.all()[0] ?? { appId: "" };
    const write = async (namespace: string) => {
      const field = { ownerId, namespace, key: "note", type: text, value: "ours" };
      return (await run(set, { metafields: [field] })).body.data?.metafieldsSet;
    };
    expect(await write(`app--${appId}--more`)).toMatchObject({ userErrors: [] });
    expect(await write(`app--${appId}9`)).toMatchObject({
      userErrors: [{ code: "APP_NOT_AUTHORIZED" }],
    });
  });
});
