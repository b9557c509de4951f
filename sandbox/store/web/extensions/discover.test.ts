import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeExtension } from "../testing/sample-extension.ts";
import { discoverExtensions, HOSTED_TARGETS } from "./discover.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "extensions-"));
});
afterEach(() => rm(folder, { recursive: true }));

it("has a place for every target of the repository's extensions", async () => {
  const { ui } = await discoverExtensions(join(import.meta.dirname, "../../../../extensions"));
  expect(ui.length).toBeGreaterThan(2);
  const hosted: readonly string[] = HOSTED_TARGETS;
  expect(ui.map(({ target }) => target).filter((target) => !hosted.includes(target))).toEqual([]);
});

describe("discoverExtensions", () => {
  it("finds targets, names, capabilities and bundles", async () => {
    await writeExtension(folder, {
      handle: "order-block",
      target: "customer-account.order-status.block.render",
      source: "export default () => {}",
      locale: { name: "Your tests" },
    });
    const { ui } = await discoverExtensions(folder);
    expect(ui).toEqual([
      {
        handle: "order-block",
        name: "Your tests",
        target: "customer-account.order-status.block.render",
        apiVersion: "2026-07",
        networkAccess: true,
        translations: { name: "Your tests" },
        bundleFile: join(folder, "order-block/dist/order-block.js"),
      },
    ]);
  });

  it("knows an extension that has not been built", async () => {
    await writeExtension(folder, {
      handle: "x",
      target: "admin.order-details.block.render",
      source: "",
    });
    await rm(join(folder, "x/dist"), { recursive: true });
    expect((await discoverExtensions(folder)).ui[0]?.bundleFile).toBeNull();
  });

  it("finds theme extensions and passes over other folders", async () => {
    await mkdir(join(folder, "shared"));
    await mkdir(join(folder, "theme"));
    await writeFile(
      join(folder, "theme/shopify.extension.toml"),
      '[[extensions]]\ntype = "theme"\nname = "Theme"\nhandle = "theme"\n',
    );
    expect(await discoverExtensions(folder)).toEqual({
      ui: [],
      theme: [{ handle: "theme", directory: join(folder, "theme") }],
    });
  });

  it("has nothing to find in a folder that does not exist", async () => {
    expect(await discoverExtensions(join(folder, "none"))).toEqual({ ui: [], theme: [] });
  });
});
