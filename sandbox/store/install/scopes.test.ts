import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";

let folder: string;
let store: OpenStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-scopes-"));
  const appConfigPath = join(folder, "shopify.app.toml");
  await writeFile(
    appConfigPath,
    `name = "Pathway"
[access_scopes]
scopes = "read_products"
optional_scopes = ["write_products"]
[webhooks]
api_version = "2026-07"
  [[webhooks.subscriptions]]
  topics = ["app/scopes_update"]
  uri = "/webhooks"
`,
  );
  store = await openStore({ appConfigPath });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const tag = 'mutation ($id: ID!) { tagsAdd(id: $id, tags: ["x"]) { userErrors { message } } }';
const revoke =
  "mutation ($scopes: [String!]!) { appRevokeAccessScopes(scopes: $scopes) { revoked { handle } userErrors { code } } }";

it("grants what is declared as optional, tells the app, and takes it back", async () => {
  const token = (await store.session()).accessToken;
  const run = async (query: string, variables: Record<string, unknown> = {}) =>
    (await store.graphql(query, variables, token)).body;
  const product = Object.values(await store.ok("GET", "/products"))[0];
  const id = Object(product).id;
  const denied = [{ extensions: { code: "ACCESS_DENIED" } }];
  expect((await run(tag, { id })).errors).toMatchObject(denied);

  expect(await store.control("POST", "/app/scopes", { grant: ["write_orders"] })).toMatchObject({
    status: 422,
  });
  expect(await store.ok("POST", "/app/scopes", { grant: ["write_products"] })).toEqual({
    granted: ["read_products", "write_products"],
    required: ["read_products"],
    optional: ["write_products"],
  });
  expect((await run(tag, { id })).data).toEqual({ tagsAdd: { userErrors: [] } });
  await store.app.until(() => store.app.webhooks("app/scopes_update").length === 1);
  expect(JSON.parse(store.app.webhooks("app/scopes_update")[0]?.body ?? "")).toMatchObject({
    previous: ["read_products"],
    current: ["write_products"],
  });
  // Opening the app again keeps what was granted.
  await store.ok("POST", "/install");
  const { data } = await run(
    "{ currentAppInstallation { accessScopes { handle } app { optionalAccessScopes { handle } } } }",
  );
  expect(data).toEqual({
    currentAppInstallation: {
      accessScopes: [{ handle: "write_products" }],
      app: { optionalAccessScopes: [{ handle: "write_products" }] },
    },
  });

  expect((await run(revoke, { scopes: ["read_products"] })).data).toEqual({
    appRevokeAccessScopes: {
      revoked: null,
      userErrors: [{ code: "CANNOT_REVOKE_REQUIRED_SCOPES" }],
    },
  });
  expect((await run(revoke, { scopes: ["write_products"] })).data).toEqual({
    appRevokeAccessScopes: { revoked: [{ handle: "write_products" }], userErrors: [] },
  });
  expect((await run(tag, { id })).errors).toMatchObject(denied);
});

it("lets the merchant choose all scopes at once, keeps required ones, and tells them compressed", async () => {
  await store.session();
  const put = (granted: string[]) => store.control("PUT", "/app/scopes", { granted });
  expect(await put(["read_themes"])).toMatchObject({ status: 422 });
  expect((await put(["write_products"])).body).toMatchObject({
    granted: ["read_products", "write_products"],
  });
  expect((await put([])).body).toMatchObject({ granted: ["read_products"] });
  await store.app.until(() => store.app.webhooks("app/scopes_update").length === 2);
  const told = store.app.webhooks("app/scopes_update").map(({ body }) => JSON.parse(body).current);
  expect(told).toEqual([["write_products"], ["read_products"]]);
  await store.control("PUT", "/app/scopes", { granted: ["write_products"] });
  expect((await store.session()).scope).toBe("write_products");
});
