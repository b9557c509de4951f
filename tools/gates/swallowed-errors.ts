import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** Where code runs in a browser, in which nobody reads a log: its pages show failures themselves. */
const IN_BROWSERS = /^app\/(routes|components)\/.*\.tsx$/;
const LEFT_OUT = /\.test\.tsx?$|(^|\/)(testing|generated)\//;

/**
 * Finds where the app's code swallows errors: handlers that are empty; handlers that answer without looking at the
 * error, and promises behind `void`, where no comment says why. Returns a line for each.
 */
export function findSwallowedErrors(root = "."): string[] {
  return readdirSync(join(root, "app"), { recursive: true, encoding: "utf8" })
    .map((name) => `app/${name}`.replaceAll("\\", "/"))
    .filter((path) => /\.tsx?$/.test(path) && !LEFT_OUT.test(path))
    .toSorted()
    .flatMap((path) => findIn(path, readFileSync(join(root, path), "utf8")));
}

function findIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const tell = (node: ts.Node, fault: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push(`${path}:${line + 1}: ${fault}`);
  };
  /** A comment inside of the node, or on the line above it. */
  const isExplained = (node: ts.Node) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const above = line === 0 ? "" : text.split("\n")[line - 1];
    return /\/\/ |\/\*/.test(node.getText()) || /^\s*(\/\/|\*\/)/.test(above ?? "");
  };
  const judge = (handler: ts.Node, body: ts.Node | undefined, looksAtError: boolean) => {
    if (body && isNothing(body)) tell(handler, "swallows an error");
    else if (!looksAtError && !isExplained(handler))
      tell(handler, "answers without looking at the error, and no comment says why");
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCatchClause(node)) judge(node, node.block, node.variableDeclaration !== undefined);
    for (const handler of handlersOf(node))
      judge(handler, handler.body, handler.parameters.length > 0);
    if (
      ts.isVoidExpression(node) &&
      ts.isCallExpression(node.expression) &&
      !IN_BROWSERS.test(path) &&
      !isExplained(node)
    )
      tell(node, "lets a promise go, and no comment says why that cannot fail");
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The functions that hear a promise's failure: of `.catch(…)`, and the second of `.then(…, …)`. */
function handlersOf(node: ts.Node): (ts.ArrowFunction | ts.FunctionExpression)[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const name = node.expression.name.text;
  const handler =
    name === "catch" ? node.arguments[0] : name === "then" ? node.arguments[1] : undefined;
  return handler && (ts.isArrowFunction(handler) || ts.isFunctionExpression(handler))
    ? [handler]
    : [];
}

/** `{}`, with or without a comment, and `undefined`. */
function isNothing(body: ts.Node): boolean {
  if (ts.isBlock(body)) return body.statements.length === 0;
  return body.getText() === "undefined" || ts.isVoidExpression(body);
}
