import { Client, type QueryConfig } from "pg";
import { afterEach, expect } from "vitest";
import { TENANT_TABLES } from "./tenant-tables.ts";

/**
 * Every statement of a shop's transaction names the shop by a value of its own, beside the policy that hides all others: a
 * plan then reads one shop's rows, and a database that is spread by shop knows at once where to ask.
 */
const OF_TENANTS = new RegExp(`\\b(${TENANT_TABLES.join("|")})\\b`);
/** `shop = $1`, `"t"."shop" IN ($1,$2)`, `$1 = shop`. */
const NAMES_SHOP =
  /\bshop"?\s*(?:=|IN)\s*\(?\s*(?:\$\d|ANY|'[^']+')|\$\d+(?:::text)?\s*=\s*(?:"?\w+"?\.)*"?shop\b/i;
/** A table of shops' rows that a statement reads or changes. */
const READS = new RegExp(
  `\\b(?:FROM|JOIN|UPDATE|USING)\\s+(?:"?public"?\\.)?"?(?:${TENANT_TABLES.join("|")})"?(?![\\w(])`,
  "gi",
);
/** Its rows are those of one shop: by a value, or by the row of another table that is. */
const OF_ONE_SHOP =
  /\bshop"?\s*(?:=|IN\b)|=\s*(?:"?\w+"?\.)+"?shop\b|\bUSING\s*\(\s*shop\b|\bstore\s*=|\(\s*(?:"?\w+"?\.)*"?shop"?\s*,[^()]*\)\s*(?:=|IN\b)/gi;
/** Rows that are written carry their shop, and the policy checks it. */
const INSERTS = /^\s*(?:WITH\b[\s\S]*?\b)?INSERT INTO\b[^(]*\([^)]*\bshop\b/i;

const entered = new WeakSet<object>();
/** Files that try what happens without the shop. */
const ATTACKS = /\/(tenancy|least-privilege|access-at-start|open-staff-access)\.test\.ts$/;

const STATE = Symbol.for("pathway.statements-name-their-shop");
/** One for each process: this file is read anew for each test file, and the patch stays. */
const shared = globalThis as unknown as { [STATE]?: Set<string> };
const isFirst = shared[STATE] === undefined;
const nameless = shared[STATE] ?? new Set<string>();
shared[STATE] = nameless;

/** By a value once, and once for each table: a plan for one shop's rows needs both. */
function namesItsShop(text: string): boolean {
  if (!NAMES_SHOP.test(text) && !INSERTS.test(text)) return false;
  return (text.match(OF_ONE_SHOP)?.length ?? 0) >= (text.match(READS)?.length ?? 0);
}

function note(client: object, text: string): void {
  if (/\benter_shop\(/.test(text)) entered.add(client);
  else if (/^\s*(?:COMMIT|ROLLBACK|BEGIN)\b/i.test(text)) entered.delete(client);
  else if (entered.has(client) && OF_TENANTS.test(text) && !/\binformation_schema\b/.test(text))
    if (!namesItsShop(text)) nameless.add(text.replace(/\s+/g, " "));
}

if (isFirst) {
  const query = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function watched(this: Client, ...args: unknown[]) {
    const [first] = args as [string | QueryConfig | undefined];
    note(this, typeof first === "string" ? first : (first?.text ?? ""));
    return query.apply(this, args);
  } as typeof Client.prototype.query;
}

afterEach(() => {
  const found = ATTACKS.test(expect.getState().testPath ?? "") ? [] : [...nameless];
  nameless.clear();
  expect(found, "statements of a shop's transaction that name no shop").toEqual([]);
});
