/** Shopify's scales of sizes as lengths of this page. */
const SPACE: Record<string, string> = {
  none: "0",
  "small-500": "2px",
  "small-400": "4px",
  "small-300": "6px",
  "small-200": "8px",
  "small-100": "10px",
  small: "12px",
  base: "16px",
  large: "20px",
  "large-100": "24px",
  "large-200": "28px",
  "large-300": "32px",
  "large-400": "40px",
  "large-500": "48px",
};
const RADIUS: Record<string, string> = {
  none: "0",
  "small-200": "2px",
  "small-100": "4px",
  small: "6px",
  base: "8px",
  large: "12px",
  "large-100": "16px",
  "large-200": "20px",
  max: "999px",
};
const BORDER: Record<string, string> = {
  none: "0",
  "small-100": "1px",
  small: "1px",
  base: "1px",
  large: "2px",
  "large-100": "3px",
  "large-200": "4px",
};

const words = (scale: Record<string, string>) => (value: string) =>
  value
    .split(" ")
    .map((word) => scale[word] ?? word)
    .join(" ");
export const space = words(SPACE);
export const radius = words(RADIUS);
export const borderWidth = words(BORDER);

/** A value that depends on the size of the query container: `@container (inline-size > 500px) a, b`. */
interface Responsive {
  fallback: string;
  condition: string | null;
  conditional: string;
}

export function readResponsive(value: string): Responsive {
  const match = /^@container\s+([\w-]*)\s*(\([^)]*\)(?:\s+and\s+\([^)]*\))*)\s*(.*)$/s.exec(value);
  if (!match) return { fallback: value, condition: null, conditional: "" };
  const [, name = "", query = "", rest = ""] = match;
  const comma = topLevelComma(rest);
  return {
    condition: `${name} ${query}`.trim(),
    conditional: rest.slice(0, comma).trim(),
    fallback: rest.slice(comma + 1).trim(),
  };
}

/** The comma that is not inside brackets: values may be `repeat(2, 1fr)`. */
function topLevelComma(text: string): number {
  let depth = 0;
  for (const [index, character] of [...text].entries()) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) return index;
  }
  return text.length;
}

/** Collects declarations for one selector, with container queries where values ask for them. */
export class StyleRules {
  readonly #selector: string;
  #plain = "";
  #conditional = "";

  constructor(selector: string) {
    this.#selector = selector;
  }

  /** Adds `property: read(value)`; nothing for an absent value. */
  add(property: string, value: string, read: (value: string) => string = (same) => same): void {
    if (value === "") return;
    const { fallback, condition, conditional } = readResponsive(value);
    if (fallback) this.#plain += `${property}:${read(fallback)};`;
    if (condition) {
      this.#conditional += `@container ${condition}{${this.#selector}{${property}:${read(conditional)}}}`;
    }
  }

  toString(): string {
    return `${this.#selector}{${this.#plain}}${this.#conditional}`;
  }
}
