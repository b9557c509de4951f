/**
 * Derives the rules of the `s-*` elements of one extension target from the type definitions of @shopify/ui-extensions,
 * so that the sandbox refuses what Shopify's own types refuse. Takes a second or two of one core.
 */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { ElementRule, ElementRules, PropertyRule } from "./element-rules.ts";

/** A file that is never written: it exists for the compiler only, in a folder from which packages resolve. */
const PROBE = fileURLToPath(new URL("./element-rules-probe.tsx", import.meta.url));
/** Life cycle of the elements' own implementation, which the admin's types let through. */
const INTERNAL_METHODS = /Callback$|^queueRender$|^setInternalValue$/;
/** More literal values than this are shorthands multiplied out. */
const MANY = 120;

const OPTIONS: ts.CompilerOptions = {
  jsx: ts.JsxEmit.ReactJSX,
  jsxImportSource: "preact",
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  module: ts.ModuleKind.ESNext,
  target: ts.ScriptTarget.ES2022,
  strict: true,
  skipLibCheck: true,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  types: [],
};

/** Throws when the package has no such target. */
export function readElementRules(target: string): ElementRules {
  const { checker, source } = compile(`
    import "@shopify/ui-extensions/${target}";
    import type { JSX } from "preact";
    export type Props = JSX.IntrinsicElements;
    export type Elements = HTMLElementTagNameMap;
    export type Plain = HTMLElement;
  `);
  const typeNamed = (name: string) => {
    const found = source.statements.find(
      (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === name,
    );
    if (!found) throw new Error(`No type ${name}`);
    return checker.getTypeAtLocation(found);
  };
  const elements = typeNamed("Elements");
  const plain = new Set(
    typeNamed("Plain")
      .getProperties()
      .map((property) => property.name),
  );
  const rules: ElementRules = {};
  for (const symbol of typeNamed("Props").getProperties()) {
    if (!symbol.name.startsWith("s-")) continue;
    const element = elements.getProperty(symbol.name);
    const props = readProps(checker, checker.getTypeOfSymbol(symbol));
    const methods = element ? readMethods(checker, checker.getTypeOfSymbol(element), plain) : [];
    rules[symbol.name] = {
      ...props,
      // Some types declare the property of an event handler without its `on`.
      methods: methods.filter((method) => !props.events.includes(method)),
    };
  }
  if (Object.keys(rules).length === 0) throw new Error(`No elements for the target ${target}`);
  return rules;
}

function compile(text: string): { checker: ts.TypeChecker; source: ts.SourceFile } {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile, fileExists } = host;
  const probe = ts.createSourceFile(PROBE, text, ts.ScriptTarget.ES2022, true);
  host.getSourceFile = (name, ...rest) =>
    name === PROBE ? probe : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === PROBE || fileExists.call(host, name);
  const program = ts.createProgram([PROBE], OPTIONS, host);
  const source = program.getSourceFile(PROBE);
  const problem = program.getSemanticDiagnostics(source)[0];
  if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
  if (!source) throw new Error("The probe was not compiled");
  return { checker: program.getTypeChecker(), source };
}

function readProps(
  checker: ts.TypeChecker,
  props: ts.Type,
): Pick<ElementRule, "properties" | "events"> {
  const properties: ElementRule["properties"] = {};
  const events: string[] = [];
  for (const symbol of checker.getPropertiesOfType(props)) {
    if (["key", "ref", "slot", "children"].includes(symbol.name)) continue;
    if (/^on[A-Z]/.test(symbol.name)) events.push(symbol.name.slice(2).toLowerCase());
    else properties[symbol.name] = readProperty(checker, checker.getTypeOfSymbol(symbol));
  }
  return { properties, events };
}

function readProperty(checker: ts.TypeChecker, declared: ts.Type): PropertyRule {
  const type = checker.getNonNullableType(declared);
  const parts = type.isUnion() ? type.types : [type];
  const has = (flag: ts.TypeFlags) => parts.some((part) => (part.flags & flag) !== 0);
  if (has(ts.TypeFlags.Any)) return { kind: "other" };
  if (has(ts.TypeFlags.BooleanLike)) return { kind: "boolean" };
  if (has(ts.TypeFlags.NumberLike)) return { kind: "number" };
  if (parts.some((part) => checker.isArrayType(part))) return { kind: "array" };
  // `string & {}` is how the types say "or any other text".
  if (has(ts.TypeFlags.String) || parts.some((part) => part.isIntersection()))
    return { kind: "string" };

  const values = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  const patterns = parts.flatMap((part) =>
    part.flags & ts.TypeFlags.TemplateLiteral ? [patternOf(part as ts.TemplateLiteralType)] : [],
  );
  if (values.length + patterns.length === 0) return { kind: "other" };
  const rule: PropertyRule = { kind: "string" };
  if (patterns.length > 0) rule.patterns = [...new Set(patterns)];
  if (values.length > MANY && values.some((value) => value.includes(" "))) {
    rule.words = [...new Set(values.flatMap((value) => value.split(" ")))];
  } else rule.values = values;
  return rule;
}

function patternOf(type: ts.TemplateLiteralType): string {
  const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return type.texts
    .map((text, index) => {
      const hole = type.types[index];
      if (!hole) return literally(text);
      return literally(text) + (hole.flags & ts.TypeFlags.NumberLike ? "-?\\d+(?:\\.\\d+)?" : ".*");
    })
    .join("");
}

function readMethods(checker: ts.TypeChecker, element: ts.Type, plain: Set<string>): string[] {
  return checker
    .getPropertiesOfType(element)
    .filter(({ name }) => !plain.has(name) && !name.startsWith("on") && !name.startsWith("__"))
    .filter(({ name }) => !INTERNAL_METHODS.test(name))
    .filter((symbol) => {
      const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
      return checker.getSignaturesOfType(type, ts.SignatureKind.Call).length > 0;
    })
    .map((symbol) => symbol.name);
}
