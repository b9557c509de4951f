import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Queries that read lists without a limit of their own: why none of them grows with the shop. */
const BOUNDED_OTHERWISE: Record<string, string> = {
  "kernel/postgres/access-seals.ts append": "The time.",
  "orders/postgres/order-lines.ts readIgnoredUnits": "One order's lines.",
  "privacy/postgres/data-exports.ts gatherHeld": "One person's: its `where` names their requests.",
  "privacy/postgres/dependent-rows.ts deleteDependentRows": "Tables of the schema.",
  "privacy/postgres/dependent-rows.ts emptySealed": "Columns of the schema.",
  "privacy/postgres/redaction.ts requests": "Of the requests that the caller names.",
  "referrals/postgres/documents.ts bodiesOutside":
    "Of the requests that the caller names, the bodies that lie outside the database.",
  "referrals/postgres/documents.ts leftSince":
    "What a move left within a month, in the part of the names that one look compares.",
  "patients/postgres/consents.ts forRequest": "What was agreed to for one test.",
  "referrals/postgres/documents.ts objectsIn": "The part of the names that one look compares.",
  "referrals/postgres/practitioners.ts all": "People whom the shop works with: tens.",
  "referrals/postgres/requests.ts idsOfBuyer": "Ids of one order's units.",
  "referrals/postgres/requests.ts laterGenerations":
    "Of the units that the caller names: one for each time that it was ordered again.",
  "referrals/postgres/restores.ts lastSwitch": "The one row of the database's identity.",
  "reports/postgres/overview/order-page.ts readRows":
    "Of the page that it joins, which has a limit.",
  "reports/postgres/overview/stage-counts.ts readStageCounts": "A count for each stage and reason.",
  "shops/postgres/connections.ts all": "Two environments.",
  "shops/postgres/connections.ts pauseAfterSwitch": "The one row of the database's identity.",
  "shops/postgres/connections.ts readRow": "The one of an environment.",
  "shops/postgres/shops.ts find": "The shop's own row.",
  "shops/postgres/shops.ts hasOtherName": "One answer of a function.",
  "shops/postgres/shops.ts install": "The shop's own row.",
  "shops/postgres/shops.ts orderedUnderOtherName": "One answer of a function.",
  "shops/postgres/shops.ts otherNameThatOrdered": "One answer of a function.",
  "shops/postgres/shops.ts presentName": "One answer of a function.",
};

/** Bounds of a list about one thing, or about things that the caller names. */
const OF_ONE = /\b(requestId|orderId|documentId|customerId|productId|batchId|recipient)\b|\bin: /;
/** The same in the words of `rowsOf`. */
const OF_ONE_ROW =
  /\bLIMIT\b|= ANY|\b(id|uuid|order_id|request_id|source_uuid|from_id|product_id) = |isOrder\(/;
/** One row, no row, or what is added up. */
const ONE_ROW =
  /\bLIMIT\b|^\s*(SELECT )?FROM|count\(|sum\(|max\(|advisory|clock_timestamp|EXISTS|FOR UPDATE|RETURNING|\bid = \$|= ANY|IN \(\$\{Prisma\.join/i;

/** `app/modules/…/postgres/file.ts method` of each query that reads a list and does not say how long it may be. */
function unboundedLists(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node, within: string): void => {
    const inside = nameOf(node) ?? within;
    if (isUnbounded(node)) found.push(`${path.replace("app/modules/", "")} ${inside}`);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(file, "");
  return found;
}

function isUnbounded(node: ts.Node): boolean {
  if (ts.isCallExpression(node) && /^read[A-Z]/.test(node.expression.getText()))
    return node.arguments[0]?.getText() === "tx" && !OF_ONE_ROW.test(node.getText());
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { text } = node.expression.name;
    const given = node.getText();
    if (text === "findMany" || text === "groupBy")
      return !/\btake\b/.test(given) && !OF_ONE.test(given) && !/_count|_sum/.test(given);
    return false;
  }
  if (!ts.isTaggedTemplateExpression(node) || !/queryRaw$/.test(node.tag.getText())) return false;
  return !ONE_ROW.test(node.template.getText());
}

/** The method or function that a query stands in, as far as it has a name. */
function nameOf(node: ts.Node): string | null {
  const isNamed =
    ts.isMethodDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ((ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) &&
      node.initializer !== undefined &&
      ts.isArrowFunction(node.initializer));
  return isNamed && node.name ? node.name.getText() : null;
}

const repositories = globSync("app/modules/*/postgres/**/*.ts")
  .filter((path) => !path.endsWith(".test.ts"))
  .toSorted();

test("every query of a list has a limit, is of one thing, or says here why it is short", () => {
  expect(repositories.length).toBeGreaterThan(50);
  const found = repositories.flatMap((path) => unboundedLists(path, readFileSync(path, "utf8")));
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(BOUNDED_OTHERWISE).toSorted());
});

test.each([
  ["tx.order.findMany({ where: { shop } })", true],
  ["tx.order.findMany({ where: { shop }, take: limit })", false],
  ["tx.order.findMany({ where: { shop, requestId } })", false],
  ["readOrders(tx, Prisma.sql`shop = $1 AND test`)", true],
  ["readOrders(tx, Prisma.sql`shop = $1 AND order_id = $2`)", false],
  ["tx.$queryRaw`SELECT id FROM orders`", true],
  ["tx.$queryRaw`SELECT id FROM orders LIMIT 10`", false],
  ["tx.$queryRaw`SELECT count(*) AS n FROM orders`", false],
])("the check itself: %s", (query, isFound) => {
  const found = unboundedLists("app/modules/a/postgres/b.ts", `const list = () => ${query};`);
  expect(found).toEqual(isFound ? ["a/postgres/b.ts list"] : []);
});
