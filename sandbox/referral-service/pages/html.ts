/** Markup that is safe to send. */
export interface Html {
  readonly markup: string;
}

type Value = Html | string | number | null | undefined | false | Value[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markupOf(value: Value): string {
  if (value === null || value === undefined || value === false) return "";
  if (Array.isArray(value)) return value.map(markupOf).join("");
  if (typeof value === "object") return value.markup;
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** A template whose values are escaped unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: String.raw({ raw: strings }, ...values.map(markupOf)) };
}
