import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const TESTS = "{app,bench,extensions,sandbox,test,tools}/**/*.test.{ts,tsx}";
/** The calls that pause, in either of Node's manners. */
const TIMERS = /^(setTimeout|delay|sleep)$/;

/**
 * Finds where a test waits for a time instead of an event: too short on a busy machine, too long on any other. A fake
 * that is slow on purpose says so in a comment. Returns a line for each.
 */
export function findFixedSleeps(root = "."): string[] {
  return globSync(TESTS, { cwd: root, exclude: (name) => name === "node_modules" })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .flatMap((path) => findIn(path, readFileSync(join(root, path), "utf8")));
}

function findIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = text.split("\n");
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isAwaitExpression(node) && pauses(node.expression)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      if (!/^\s*(\/\/|\*\/)/.test(lines[line - 1] ?? ""))
        found.push(`${path}:${line + 1}: sleeps; wait for what is to happen`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether this is `delay(…)`, or `new Promise(…)` that a timer alone resolves. */
function pauses(awaited: ts.Expression): boolean {
  if (ts.isCallExpression(awaited)) return TIMERS.test(awaited.expression.getText());
  if (!ts.isNewExpression(awaited) || awaited.expression.getText() !== "Promise") return false;
  const [executor] = awaited.arguments ?? [];
  return (
    executor !== undefined &&
    ts.isArrowFunction(executor) &&
    ts.isCallExpression(executor.body) &&
    TIMERS.test(executor.body.expression.getText())
  );
}
