import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type OpenStore, openStore } from "../testing/open-store.ts";
import { placeOrder } from "../testing/seeded.ts";

let folder: string;
let store: OpenStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-flow-"));
  await mkdir(join(folder, "flow-ready"));
  await writeFile(
    join(folder, "flow-ready/shopify.extension.toml"),
    `[[extensions]]
name = "Form ready"
type = "flow_trigger"
handle = "form-ready"
[settings]
  [[settings.fields]]
  type = "order_reference"
  [[settings.fields]]
  type = "single_line_text_field"
  key = "Request id"
`,
  );
  store = await openStore({ extensionsDirectory: folder });
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

it("takes a trigger with exactly its fields, and keeps what came", async () => {
  const token = (await store.session()).accessToken;
  const receive = async (handle: string, payload: unknown) => {
    const { body } = await store.graphql(
      "mutation ($handle: String, $payload: JSON) { flowTriggerReceive(handle: $handle, payload: $payload) { userErrors { field message } } }",
      { handle, payload },
      token,
    );
    return Object(body.data?.flowTriggerReceive).userErrors.map(Object) as {
      field: string[];
      message: string;
    }[];
  };
  const order_id = Number((await placeOrder(store)).id.split("/").at(-1));
  const payload = { order_id, "Request id": "r1" };
  expect(await receive("form-ready", payload)).toEqual([]);
  expect(await store.ok("GET", "/flow")).toMatchObject([{ handle: "form-ready", payload }]);

  expect(await receive("other", payload)).toMatchObject([{ field: ["handle"] }]);
  const refused: [unknown, string][] = [
    [{ order_id }, "'Request id' must be a single_line_text_field"],
    [{ ...payload, order_id: 1 }, "'order_id' must be a order_reference"],
    [{ ...payload, order_id: `gid://shopify/Order/${order_id}` }, "'order_id' must be"],
    [{ ...payload, "Request id": 7 }, "'Request id' must be"],
    [{ ...payload, extra: 1 }, "'extra' is not a field"],
    [{ ...payload, "Request id": "x".repeat(50_000) }, "50 KB"],
    ["text", "must be an object"],
  ];
  for (const [wrong, message] of refused) {
    expect(await receive("form-ready", wrong)).toMatchObject([
      { field: ["payload"], message: expect.stringContaining(message) },
    ]);
  }
  expect(await store.ok("GET", "/flow")).toHaveLength(1);
});
