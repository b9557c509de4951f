import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configFile, readConfig } from "./shopify-config.mjs";

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
    expect.stringContaining("@shopify/cli@4.8.2 app config link"),
    ...Array(3).fill(expect.stringContaining("pathway.example")),
  ]);
  expect(readConfig("/nowhere/shopify.app.toml").faults[0]).toContain("config link");
});

test("one with an address and an id of its own passes", () => {
  const linked = ours
    .replaceAll("https://pathway.example", "https://pathway.harbour.com.au")
    .replace("0123456789abcdef0123456789abcdef", "f".repeat(32));
  expect(readConfig(written(linked))).toEqual({
    address: "https://pathway.harbour.com.au",
    faults: [],
  });
  expect(readConfig(written(linked.replaceAll("https:", "http:"))).faults).toHaveLength(1);
});
