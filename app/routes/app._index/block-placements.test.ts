import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { BLOCKS, blocksFor, placedHandles } from "./block-placements.ts";

const block = (status: "active" | "available") => ({
  ...{ handle: "test_details", name: "Test details", target: "section" as const },
  ...{ status, activations: [] },
});

test("a block is placed where it has an activation, and a theme's where one of its blocks is active", () => {
  const placed = placedHandles([
    {
      handle: "order-tests",
      type: "ui_extension",
      activations: [{ target: "customer-account.order-status.block.render" }],
    },
    { handle: "my-tests", type: "ui_extension", activations: [] },
    { handle: "product-details", type: "theme_app_extension", activations: [block("available")] },
    { handle: "other", type: "theme_app_extension", activations: [block("active")] },
  ]);
  expect([...placed]).toEqual(["order-tests", "other"]);
});

test("every block that a merchant places is listed by the handle of its extension", () => {
  const folders = readdirSync(new URL("../../../extensions", import.meta.url));
  for (const { handle } of BLOCKS) expect(folders).toContain(handle);
});

test("blocks of the account open the editor at a page that it has, beside this app's blocks", () => {
  const opened = BLOCKS.map(({ editor }) => editor("abc")).filter((path) =>
    path.startsWith("/settings/"),
  );
  expect(opened).toEqual(
    ["order-status", "thank-you", "order-list"].map(
      (page) => `/settings/checkout/editor?page=${page}&context=apps&app=abc`,
    ),
  );
});

test("the product's block is added by its own file's name, under this app's key", () => {
  const editor = BLOCKS.find(({ handle }) => handle === "product-details")?.editor("abc");
  expect(editor).toContain("addAppBlockId=abc/test_details");
  expect(
    readdirSync(new URL("../../../extensions/product-details/blocks", import.meta.url)),
  ).toEqual(["test_details.liquid"]);
});

test("a store with legacy accounts is told to place only what shows there", () => {
  expect(blocksFor("new")).toEqual(BLOCKS);
  expect(blocksFor("legacy").map(({ handle }) => handle)).toEqual(["product-details"]);
});
