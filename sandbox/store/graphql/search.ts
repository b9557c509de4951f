import { notModelled } from "./not-modelled.ts";

/**
 * Shopify's search syntax over fields that a list knows: `financial_status:paid AND (tag:'a b' OR -status:open)`,
 * comparisons `created_at:>='2026-07-01T00:00:00Z'`, prefixes `sku:FE*`, lists `id:1,2`, free text. A field that the list
 * does not know is an error here, and so is a time that is none or that lacks its quotes; Shopify would ignore them with a
 * warning, which hides mistakes.
 */
export type SearchFields<T> = Record<string, (item: T) => SearchValue | SearchValue[]>;
export type SearchValue = string | number | boolean | Date | null;

export function search<T>(
  items: T[],
  query: string | null | undefined,
  fields: SearchFields<T>,
  freeText: (item: T) => string,
): T[] {
  const tokens = tokenise(query ?? "");
  if (tokens.length === 0) return items;
  const matches = parseOr(tokens, fields, freeText);
  return items.filter(matches);
}

type Token =
  | { kind: "(" | ")" | "AND" | "OR" | "NOT" }
  | { kind: "term"; field: string | null; value: string };
type Matcher<T> = (item: T) => boolean;

function tokenise(query: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\s*(?:([()])|(-(?=\S))|(?:([A-Za-z_.]+):)?((?:[<>]=?)?(?:"[^"]*"|'[^']*'|[^\s()]+)))/gy;
  for (const match of query.matchAll(pattern)) {
    const [, bracket, minus, field, value = ""] = match;
    if (bracket === "(" || bracket === ")") tokens.push({ kind: bracket });
    else if (minus) tokens.push({ kind: "NOT" });
    else if (!field && (value === "AND" || value === "OR" || value === "NOT"))
      tokens.push({ kind: value });
    else if (value !== "") tokens.push({ kind: "term", field: field ?? null, value });
  }
  return tokens;
}

function parseOr<T>(
  tokens: Token[],
  fields: SearchFields<T>,
  text: (item: T) => string,
): Matcher<T> {
  const options = [parseAnd(tokens, fields, text)];
  while (tokens[0]?.kind === "OR") {
    tokens.shift();
    options.push(parseAnd(tokens, fields, text));
  }
  return (item) => options.some((matches) => matches(item));
}

function parseAnd<T>(
  tokens: Token[],
  fields: SearchFields<T>,
  text: (item: T) => string,
): Matcher<T> {
  const parts: Matcher<T>[] = [];
  for (let next = tokens[0]; next && next.kind !== "OR" && next.kind !== ")"; next = tokens[0]) {
    tokens.shift();
    if (next.kind === "AND") continue;
    if (next.kind === "NOT") {
      const negated = parseOne(tokens.shift(), tokens, fields, text);
      parts.push((item) => !negated(item));
    } else {
      parts.push(parseOne(next, tokens, fields, text));
    }
  }
  return (item) => parts.every((matches) => matches(item));
}

function parseOne<T>(
  token: Token | undefined,
  tokens: Token[],
  fields: SearchFields<T>,
  text: (item: T) => string,
): Matcher<T> {
  if (token?.kind === "(") {
    const inner = parseOr(tokens, fields, text);
    tokens.shift();
    return inner;
  }
  if (token?.kind !== "term") return () => true;
  const { field, value } = token;
  if (field === null) {
    const wanted = unquote(value).toLowerCase();
    return (item) => text(item).toLowerCase().includes(wanted.replace(/\*$/, ""));
  }
  const name = field.toLowerCase();
  // `tag_not:x` is what Shopify documents beside `-tag:x`.
  if (name.endsWith("_not") && fields[name.slice(0, -4)]) {
    const positive: Token = { kind: "term", field: name.slice(0, -4), value };
    const matches = parseOne(positive, tokens, fields, text);
    return (item) => !matches(item);
  }
  const read = fields[name];
  if (!read) throw notModelled(`search by ${field}`);
  return (item) => [read(item)].flat().some((actual) => compares(actual, value));
}

function compares(actual: SearchValue, condition: string): boolean {
  const [, operator = "", rest = ""] = /^([<>]=?)?([\s\S]*)$/.exec(condition) ?? [];
  if (actual instanceof Date) return comparesTime(actual.getTime(), operator, rest);
  if (operator !== "") return ordered(actual, operator, unquote(rest));
  if (rest === "*") return actual !== null && actual !== "";
  const quoted = /^["']/.test(rest);
  const wanted = quoted ? [unquote(rest)] : rest.split(",");
  return wanted.some((option) => equal(actual, option));
}

function equal(actual: SearchValue, wanted: string): boolean {
  if (actual === null) return false;
  const left = String(actual).toLowerCase();
  const right = wanted.toLowerCase();
  return right.endsWith("*") ? left.startsWith(right.slice(0, -1)) : left === right;
}

/** A day alone is a whole day: equal to every time in it, and `>` begins after it. */
function comparesTime(actualMs: number, operator: string, condition: string): boolean {
  const wanted = unquote(condition);
  // A colon is part of the grammar: outside of quotes it does not belong to a value.
  if (wanted === condition && condition.includes(":"))
    throw notModelled(`search by a time without quotes (${condition})`);
  const startMs = wanted === "now" ? Date.now() : Date.parse(wanted);
  if (Number.isNaN(startMs)) throw notModelled(`search by the time ${wanted}`);
  const endMs = /^\d{4}-\d{2}-\d{2}$/.test(wanted) ? startMs + 86_399_999 : startMs;
  if (operator === "") return actualMs >= startMs && actualMs <= endMs;
  const edgeMs = operator === ">" || operator === "<=" ? endMs : startMs;
  return inOrder(actualMs, operator, edgeMs);
}

function ordered(actual: SearchValue, operator: string, wanted: string): boolean {
  if (actual === null) return false;
  const right = Number(wanted);
  return !Number.isNaN(right) && inOrder(Number(actual), operator, right);
}

function inOrder(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case ">":
      return left > right;
    case ">=":
      return left >= right;
    case "<":
      return left < right;
    default:
      return left <= right;
  }
}

const unquote = (text: string): string => text.replace(/^(["'])([\s\S]*)\1$/, "$2");
