/** The rule of Shopify's published types for one property of an `s-*` element. */
export interface PropertyRule {
  kind: "boolean" | "number" | "string" | "array" | "other";
  /** The only values allowed; absent when any value of the kind will do. */
  values?: string[];
  /** Shorthands (`"base none"`): words of which up to four stand in a row; instead of thousands of combinations. */
  words?: string[];
  /** Regular expressions of template types (`${number}px`), beside the values. */
  patterns?: string[];
}

export interface ElementRule {
  properties: Record<string, PropertyRule>;
  /** Lower case, without `on`. */
  events: string[];
  /** Methods that the element has beside those of every element: `showOverlay`, … */
  methods: string[];
}

/** Tag → rule, for the elements that one target may use. */
export type ElementRules = Record<string, ElementRule>;

/** Whether a value keeps to its rule. Absent values always do. */
export function isAllowed(rule: PropertyRule, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const { values, words, patterns } = rule;
  if (!values && !words) return true;
  const text = String(value);
  if (values?.includes(text)) return true;
  if (patterns?.some((pattern) => new RegExp(`^(?:${pattern})$`, "s").test(text))) return true;
  const parts = text.split(" ");
  return words !== undefined && parts.length <= 4 && parts.every((part) => words.includes(part));
}
