import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { findForbiddenImports } from "./import-direction.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
let checkout = "";

/** Writes a checkout that holds nothing but these files. */
function plant(files: Record<string, string>): string {
  checkout = mkdtempSync(join(tmpdir(), "pathway-imports-"));
  for (const name of ["node_modules", "tsconfig.json"])
    symlinkSync(join(REPOSITORY, name), join(checkout, name));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  return checkout;
}

afterEach(() => rmSync(checkout, { recursive: true, force: true }));

const ORDERS = { "app/modules/orders/index.ts": "export const one = 1;\n" };
const SHOPS = { "app/modules/shops/index.ts": "export const two = 2;\n" };

test("lets a module import the public face of a module below it", async () => {
  const from = { "app/modules/orders/plan.ts": 'export { two } from "../shops/index.ts";\n' };
  expect(await findForbiddenImports(plant({ ...from, ...SHOPS }), ["app"])).toEqual([]);
});

test("refuses an import of a module above", async () => {
  const from = { "app/modules/shops/settings.ts": 'export { one } from "../orders/index.ts";\n' };
  expect(await findForbiddenImports(plant({ ...from, ...ORDERS }), ["app"])).toEqual([
    "shops-imports-downwards: app/modules/shops/settings.ts → app/modules/orders/index.ts",
  ]);
});

test("refuses an import of what lies deeper in another module", async () => {
  const found = await findForbiddenImports(
    plant({
      "app/modules/orders/plan.ts": 'export { rules } from "../shops/settings/rules.ts";\n',
      "app/modules/shops/settings/rules.ts": "export const rules = [];\n",
    }),
    ["app"],
  );
  expect(found).toEqual([
    "public-face-only: app/modules/orders/plan.ts → app/modules/shops/settings/rules.ts",
  ]);
});

test("refuses a use case that reaches rows past their port", async () => {
  const found = await findForbiddenImports(
    plant({
      "app/modules/shops/save.ts": 'export { rows } from "./postgres/rows.ts";\n',
      "app/modules/shops/postgres/rows.ts": "export const rows = [];\n",
    }),
    ["app"],
  );
  expect(found).toEqual([
    "rows-behind-ports: app/modules/shops/save.ts → app/modules/shops/postgres/rows.ts",
  ]);
});

test("lets only the rows of a module know the database", async () => {
  const found = await findForbiddenImports(
    plant({
      "app/modules/shops/postgres/rows.ts":
        'export { a } from "../../../platform/database/a.ts";\n',
      "app/modules/shops/save.ts": 'export { a } from "../../platform/database/a.ts";\n',
      "app/platform/database/a.ts": "export const a = 1;\n",
    }),
    ["app"],
  );
  expect(found).toEqual([
    "rooms-know-no-database: app/modules/shops/save.ts → app/platform/database/a.ts",
  ]);
});

test("refuses a page that reaches a client of another system", async () => {
  const found = await findForbiddenImports(
    plant({
      "app/routes/page.tsx": 'export { call } from "../clients/shopify/call.ts";\n',
      "app/clients/shopify/call.ts": "export const call = 1;\n",
    }),
    ["app"],
  );
  expect(found).toEqual(["routes-imports: app/routes/page.tsx → app/clients/shopify/call.ts"]);
});

test("refuses a circle of files that consists of type imports", async () => {
  const found = await findForbiddenImports(
    plant({
      "app/platform/a.ts": 'import type { B } from "./b.ts";\nexport type A = B | 1;\n',
      "app/platform/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 2;\n',
    }),
    ["app"],
  );
  expect(found).toEqual(["no-circle-of-files: app/platform/a.ts → app/platform/b.ts"]);
});
