import { expect, test } from "vitest";
import { csvOf } from "../export-mappings.ts";
import { readMappingFile } from "../read-file.ts";

test("a title with a semicolon begins no formula where semicolons separate cells", async () => {
  // Everybody who may write a title, and whoever writes the catalogue, would else have a formula run at whoever opens the file.
  const text = await csvOf([
    ["variant_id", "product", "sku"],
    ["1", "Iron;=1+1", "=2"],
  ]);
  expect(text).toBe('"variant_id","product","sku"\r\n"1","Iron;=1+1","\'=2"\r\n');
  const reading = readMappingFile(Buffer.from(`\ufeff${text}`));
  expect(reading).toMatchObject({
    rows: [{ line: 2, cells: { variant_id: "1", product: "Iron;=1+1", sku: "=2" } }],
  });
});
