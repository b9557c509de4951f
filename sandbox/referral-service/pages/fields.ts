import { type Html, html } from "./html.ts";

/** A labelled single-line input. */
export function textField(options: {
  name: string;
  label: string;
  value?: string | number | null | undefined;
  type?: "text" | "email" | "password" | "url" | "number";
  hint?: string;
  autocomplete?: string;
}): Html {
  const { name, label, value, type = "text", hint, autocomplete } = options;
  const hintId = `${name}-hint`;
  return html`<div class="field"><label for="${name}">${label}</label>
<input type="${type}" id="${name}" name="${name}" value="${value ?? ""}"${
    autocomplete && html` autocomplete="${autocomplete}"`
  }${type === "number" && html` step="any" min="0"`}${hint && html` aria-describedby="${hintId}"`}>
${hint && html`<small id="${hintId}">${hint}</small>`}</div>`;
}

/** A labelled drop-down list. */
export function selectField(options: {
  name: string;
  label: string;
  value: string | null | undefined;
  choices: readonly (readonly [string, string])[];
}): Html {
  const { name, label, value, choices } = options;
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${choices.map(
    ([key, text]) =>
      html`<option value="${key}"${key === value && html` selected`}>${text}</option>`,
  )}</select></div>`;
}

/** A labelled check box. */
export function checkbox(options: { name: string; label: string; checked: boolean }): Html {
  const { name, label, checked } = options;
  return html`<label class="choice"><input type="checkbox" name="${name}" value="yes"${
    checked && html` checked`
  }> <span>${label}</span></label>`;
}

/** A form that posts to an address of this application. */
export function form(action: string, button: string, fields: Html | null, small = false): Html {
  return html`<form method="post" action="${action}">${fields}<button${
    small && html` class="plain small"`
  }>${button}</button></form>`;
}

/** A table with a caption; scrolls sideways on narrow screens. */
export function table(caption: string, heads: string[], rows: Html[]): Html {
  return html`<div class="scroll"><table><caption>${caption}</caption><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
