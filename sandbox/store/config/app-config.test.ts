import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startStore } from "../start-store.ts";
import { readAppConfig } from "./app-config.ts";

async function configFile(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "config-")), "shopify.app.toml");
  await writeFile(path, text);
  return path;
}

describe("readAppConfig", () => {
  it("reads what the platform acts upon", async () => {
    const path = await configFile(`
      client_id = "00112233445566778899aabbccddeeff"
      name = "Pathway Dev"
      application_url = "https://app.example"
      [access_scopes]
      scopes = "read_products, write_orders"
      [webhooks]
      api_version = "2026-07"
        [[webhooks.subscriptions]]
        topics = ["orders/paid", "app/uninstalled"]
        include_fields = ["id", "updated_at"]
        uri = "/hooks"
        [[webhooks.subscriptions]]
        compliance_topics = ["shop/redact"]
        uri = "https://privacy.example/hooks"
      [app_proxy]
      url = "https://app.example/proxy/"
      subpath = "lab"
      prefix = "tools"
    `);
    expect(readAppConfig(path)).toMatchObject({
      name: "Pathway Dev",
      handle: "pathway-dev",
      clientId: "00112233445566778899aabbccddeeff",
      scopes: ["read_products", "write_orders"],
      apiVersion: "2026-07",
      subscriptions: [
        { topic: "orders/paid", uri: "/hooks", includeFields: ["id", "updated_at"] },
        { topic: "app/uninstalled", uri: "/hooks", includeFields: ["id", "updated_at"] },
        { topic: "shop/redact", uri: "https://privacy.example/hooks", includeFields: null },
      ],
      proxy: { prefix: "tools", subpath: "lab", targetPath: "/proxy" },
    });
  });

  it("has defaults when there is no file", () => {
    expect(readAppConfig("/nowhere/shopify.app.toml").subscriptions.length).toBeGreaterThan(10);
  });
});

it("refuses to start with a topic that Shopify does not have", async () => {
  const appConfigPath = await configFile(
    '[webhooks]\napi_version = "2026-07"\n[[webhooks.subscriptions]]\ntopics = ["orders/healed"]\nuri = "/w"\n',
  );
  await expect(
    startStore({ port: 0, dataDirectory: null, appUrl: null, appConfigPath }),
  ).rejects.toThrow("Shopify has no webhook topic orders/healed in version 2026-07");
});

it.each([
  [
    "a field that the topic does not have",
    'topics = ["orders/paid"]\ninclude_fields = ["nothing"]',
  ],
  ["a filter, which is not modelled", 'topics = ["orders/paid"]\nfilter = "total_price:>1"'],
  [
    "fields of a privacy topic",
    'compliance_topics = ["shop/redact"]\ninclude_fields = ["shop_id"]',
  ],
])("refuses to start with %s", async (_, subscription) => {
  const appConfigPath = await configFile(
    `[webhooks]\napi_version = "2026-07"\n[[webhooks.subscriptions]]\n${subscription}\nuri = "/w"\n`,
  );
  await expect(
    startStore({ port: 0, dataDirectory: null, appUrl: null, appConfigPath }),
  ).rejects.toThrow(/orders\/paid has no field nothing|filter|compliance/);
});
