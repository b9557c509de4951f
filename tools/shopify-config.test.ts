import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "toml";
import { expect, test } from "vitest";
import { z } from "zod";
import { configFile, REQUIRED, readConfig, strayAddresses } from "./shopify-config.mjs";

const ours = readFileSync(new URL("../shopify.app.toml", import.meta.url), "utf8");
function written(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), "shopify-config-")), "shopify.app.live.toml");
  writeFileSync(path, text);
  return path;
}

test("a named configuration is the file that Shopify's command line reads", () => {
  expect(configFile()).toBe("shopify.app.toml");
  expect(configFile("live")).toBe("shopify.app.live.toml");
  expect(configFile("shopify.app.live.toml")).toBe("shopify.app.live.toml");
});

test("ours is refused as it stands, each placeholder with its remedy", () => {
  const { faults } = readConfig(written(ours));
  expect(faults).toEqual([
    expect.stringContaining("client_id is a placeholder"),
    ...Array(3).fill(expect.stringContaining("pathway.example")),
  ]);
  expect(readConfig("/nowhere/shopify.app.toml").faults[0]).toContain("shopify.app.toml");
});

const linked = ours
  .replaceAll("https://pathway.example", "https://pathway.harbour.com.au")
  .replace("0123456789abcdef0123456789abcdef", "f".repeat(32));

test("one with an address and an id of its own passes", () => {
  expect(readConfig(written(linked))).toEqual({
    address: "https://pathway.harbour.com.au",
    faults: [],
  });
  expect(readConfig(written(linked.replaceAll("https:", "http:"))).faults).toHaveLength(1);
});

test.each([
  "https://example.com",
  "https://shopify.dev/apps/default-app-home",
  "https://localhost:3000",
  "https://some-words.trycloudflare.com",
])("an address of %s, as Shopify gives a new or a developed app, is refused", (address) => {
  const { faults } = readConfig(
    written(linked.replaceAll("https://pathway.harbour.com.au", address)),
  );
  expect(faults).toHaveLength(3);
  expect(faults[0]).toContain(`${address} is a placeholder`);
});

test("a file over which Shopify's command line wrote a new app's configuration is refused", () => {
  const { faults } = readConfig(
    written(`# orders/paid was here: "orders/paid"
client_id = "${"f".repeat(32)}"
name = "Pathway production"
application_url = "https://pathway.harbour.com.au"
embedded = true

[webhooks]
api_version = "2026-07"

[access_scopes]
scopes = ""

[auth]
redirect_urls = ["https://pathway.harbour.com.au/auth/callback"]
`),
  );
  expect(faults).toHaveLength(1);
  for (const one of [...REQUIRED.scopes, ...REQUIRED.topics]) expect(faults[0]).toContain(one);
  expect(faults[0]).toContain("[app_proxy]");
});

test("what a configuration has to hold is what ours holds", () => {
  const subscription = z.object({
    topics: z.array(z.string()).default([]),
    compliance_topics: z.array(z.string()).default([]),
  });
  const { access_scopes, webhooks } = z
    .object({
      access_scopes: z.object({ scopes: z.string(), optional_scopes: z.array(z.string()) }),
      webhooks: z.object({ subscriptions: z.array(subscription) }),
    })
    .parse(parse(ours));
  const { scopes, optional_scopes } = access_scopes;
  expect(REQUIRED.scopes.toSorted()).toEqual([...scopes.split(","), ...optional_scopes].toSorted());
  const subscribed = webhooks.subscriptions.flatMap((one) => [
    ...one.topics,
    ...one.compliance_topics,
  ]);
  expect(REQUIRED.topics.toSorted()).toEqual(subscribed.toSorted());
});

test("an APP_URL in a file that Shopify's command line builds extensions with is found", () => {
  const folder = mkdtempSync(join(tmpdir(), "shopify-config-"));
  expect(strayAddresses(folder, "live")).toEqual([]);
  writeFileSync(join(folder, ".env"), "SHOPIFY_APP_URL=https://a.test\n#APP_URL=x\nAPP_URL=\n");
  expect(strayAddresses(folder, "live")).toEqual([]);
  writeFileSync(join(folder, ".env.live"), 'APP_URL="https://some-words.trycloudflare.com"\n');
  expect(strayAddresses(folder)).toEqual([]);
  expect(strayAddresses(folder, "live")).toEqual([expect.stringContaining(".env.live")]);
});
