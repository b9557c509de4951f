import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { faultSettings as serviceFaults } from "../../sandbox/referral-service/faults/fault-settings.ts";
import { faultSettings as storeFaults } from "../../sandbox/store/faults.ts";

// The sandbox's faults are there for the app's sake: each of them is put upon the app by at least one flow. The flows are
// read as text: what `world.store.setFaults({…})` and `world.console.setFaults({…})` name counts.

/** `graphqlStatus`, `webhooks.drop`, …: the settings of a schema, all of which it has a default for. */
function namesOf(settings: Record<string, unknown>): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    name === "webhooks" ? Object.keys(Object(value)).map((own) => `${name}.${own}`) : [name],
  );
}

/** Names in an object literal; a variable stands for the literal that the same file gives it. */
function namesIn(literal: ts.ObjectLiteralExpression, file: ts.SourceFile): string[] {
  return literal.properties.flatMap((property) => {
    if (!property.name) return [];
    const name = property.name.getText(file);
    const value = ts.isPropertyAssignment(property) ? property.initializer : constantOf(name, file);
    return value && name === "webhooks" && ts.isObjectLiteralExpression(value)
      ? namesIn(value, file).map((own) => `${name}.${own}`)
      : [name];
  });
}

function constantOf(name: string, file: ts.SourceFile): ts.Expression | undefined {
  let found: ts.Expression | undefined;
  const walk = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText(file) === name)
      found = node.initializer;
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

function usedFaults(who: "store" | "console"): Set<string> {
  const used = new Set<string>();
  for (const path of globSync("*.test.ts", { cwd: import.meta.dirname })) {
    const text = readFileSync(`${import.meta.dirname}/${path}`, "utf8");
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const walk = (node: ts.Node): void => {
      const [settings] = ts.isCallExpression(node) ? node.arguments : [];
      if (
        settings &&
        ts.isCallExpression(node) &&
        new RegExp(`\\b${who}\\.setFaults$`).test(node.expression.getText(file)) &&
        ts.isObjectLiteralExpression(settings)
      )
        for (const name of namesIn(settings, file)) used.add(name);
      ts.forEachChild(node, walk);
    };
    walk(file);
  }
  return used;
}

test.each([
  ["store", storeFaults.parse({})],
  ["console", serviceFaults.parse({})],
] as const)("every fault of the %s is used by a flow", (who, settings) => {
  const names = namesOf(settings);
  expect(names.length).toBeGreaterThan(6);
  const used = usedFaults(who);
  expect(names.filter((name) => !used.has(name))).toEqual([]);
});
