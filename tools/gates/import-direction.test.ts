import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findForbiddenImports } from "./import-direction.ts";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

/** A checkout that holds nothing but these files. It is read once for all tests, which takes the tool two seconds. */
const PLANTED: Record<string, string> = {
  "app/modules/orders/index.ts": "export const one = 1;\n",
  "app/modules/shops/index.ts": "export const two = 2;\n",
  "app/modules/orders/downwards.ts": 'export { two } from "../shops/index.ts";\n',
  "app/modules/shops/upwards.ts": 'export { one } from "../orders/index.ts";\n',
  "app/modules/orders/plan.ts": 'export { rules } from "../shops/settings/rules.ts";\n',
  "app/modules/shops/settings/rules.ts": "export const rules = [];\n",
  "app/modules/shops/save.ts": 'export { rows } from "./postgres/rows.ts";\n',
  "app/modules/shops/postgres/rows.ts": "export const rows = [];\n",
  "app/modules/orders/postgres/orders.ts": 'export { rows } from "../../shops/postgres/rows.ts";\n',
  "app/modules/privacy/postgres/redaction.ts":
    'export { lock } from "../../orders/postgres/order-lock.ts";\n',
  "app/modules/orders/postgres/order-lock.ts": "export const lock = 1;\n",
  "app/modules/shops/postgres/pool.ts": 'export { a } from "../../../platform/database/a.ts";\n',
  "app/modules/shops/connect.ts": 'export { a } from "../../platform/database/a.ts";\n',
  "app/platform/database/a.ts": "export const a = 1;\n",
  "app/routes/page.tsx": 'export { call } from "../clients/shopify/call.ts";\n',
  "app/clients/shopify/call.ts": "export const call = 1;\n",
  "app/platform/a.ts": 'import type { B } from "./b.ts";\nexport type A = B | 1;\n',
  "app/platform/b.ts": 'import type { A } from "./a.ts";\nexport type B = A | 2;\n',
};
let checkout: string;
let found: string[];

beforeAll(async () => {
  checkout = mkdtempSync(join(tmpdir(), "pathway-imports-"));
  for (const name of ["node_modules", "tsconfig.json"])
    symlinkSync(join(REPOSITORY, name), join(checkout, name));
  for (const [path, text] of Object.entries(PLANTED)) {
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    writeFileSync(join(checkout, path), text);
  }
  found = await findForbiddenImports(checkout, ["app"]);
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

/** The imports of one file that are refused, each with its rule. */
const refusedOf = (path: string) =>
  found.filter((line) => line.includes(`: ${path} → `)).map((line) => line.replace(`${path} `, ""));

test("lets a module import the public face of a module below it", () => {
  expect(refusedOf("app/modules/orders/downwards.ts")).toEqual([]);
});

test("refuses an import of a module above", () => {
  expect(refusedOf("app/modules/shops/upwards.ts")).toEqual([
    "shops-imports-downwards: → app/modules/orders/index.ts",
  ]);
});

test("refuses an import of what lies deeper in another module", () => {
  expect(refusedOf("app/modules/orders/plan.ts")).toEqual([
    "public-face-only: → app/modules/shops/settings/rules.ts",
  ]);
});

test("refuses a use case that reaches rows past their port", () => {
  expect(refusedOf("app/modules/shops/save.ts")).toEqual([
    "rows-behind-ports: → app/modules/shops/postgres/rows.ts",
  ]);
});

test("refuses rows that reach the rows of another module, except those that are shared", () => {
  expect(refusedOf("app/modules/orders/postgres/orders.ts")).toEqual([
    "rows-of-one-room: → app/modules/shops/postgres/rows.ts",
  ]);
  expect(refusedOf("app/modules/privacy/postgres/redaction.ts")).toEqual([]);
});

test("lets only the rows of a module know the database", () => {
  expect(refusedOf("app/modules/shops/connect.ts")).toEqual([
    "rooms-know-no-database: → app/platform/database/a.ts",
  ]);
  expect(refusedOf("app/modules/shops/postgres/pool.ts")).toEqual([]);
});

test("refuses a page that reaches a client of another system", () => {
  expect(refusedOf("app/routes/page.tsx")).toEqual([
    "routes-imports: → app/clients/shopify/call.ts",
  ]);
});

test("refuses a circle of files that consists of type imports", () => {
  expect(refusedOf("app/platform/a.ts")).toEqual(["no-circle-of-files: → app/platform/b.ts"]);
});

test("refuses nothing else", () => {
  expect(found).toHaveLength(7);
});
