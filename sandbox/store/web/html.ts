/** HTML that is already safe to send: only {@link html} and {@link trusted} make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | null | undefined | false | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for element content and for quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return value.map(render).join("");
}

/** Template tag: interpolated values are escaped unless they are {@link Html}; null, undefined and false vanish. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  let text = strings[0] ?? "";
  values.forEach((value, index) => {
    text += render(value) + (strings[index + 1] ?? "");
  });
  return new Html(text);
}

/** Markup from a trusted source: the merchant's product description, a rendered theme block. */
export function trusted(markup: string): Html {
  return new Html(markup);
}

/** Data for a script of the page: `<script type="application/json" id=…>`, safe against `</script>`. */
export function jsonScript(id: string, data: unknown): Html {
  const json = JSON.stringify(data).replace(/</g, "\\u003c");
  return html`<script type="application/json" id="${id}">${trusted(json)}</script>`;
}
