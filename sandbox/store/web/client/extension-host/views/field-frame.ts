import { html } from "../../../html.ts";
import { View } from "../sandbox-element.ts";

export const FIELD_CSS = `
  :host { display: block }
  .field { display: grid; gap: 4px }
  label, legend, .label { font-weight: 500; padding: 0 }
  .control { display: flex; align-items: center; gap: 6px; border: 1px solid var(--line-field); border-radius: 8px; background: var(--surface); padding-inline: 12px }
  .control:focus-within { outline: 2px solid var(--focus); outline-offset: 1px }
  input:not([type="checkbox"], [type="radio"]), select, textarea { flex: 1; min-inline-size: 0; inline-size: 100%; min-block-size: 42px; border: 0; outline: 0; background: transparent; color: var(--text); padding: 0 }
  textarea { padding-block: 10px; resize: vertical }
  select { cursor: pointer } input[type="file"] { padding-block: 9px } input[type="color"] { padding-block: 4px }
  .affix { color: var(--text-subdued); white-space: nowrap }
  .details { color: var(--text-subdued); font-size: .875em; margin: 0 }
  .error { color: var(--critical); font-size: .875em; margin: 0 }
  .error:empty, .details:empty { display: none }
  [aria-invalid="true"] { color: var(--critical) } .invalid { border-color: var(--critical); box-shadow: 0 0 0 1px var(--critical) }
  .off { background: var(--surface-strong) }
  ::placeholder { color: var(--text-subdued); opacity: 1 }`;

export type NativeField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Label, native control, help and error of a field. The control itself is made once and only updated, so that it keeps
 * focus, cursor and what is being typed.
 */
export abstract class FieldView extends View {
  #control: NativeField | null = null;
  #lastValue: unknown;
  /** Values told to the extension whose echo has not come back yet. */
  readonly #told: string[] = [];

  /** Makes the native control. */
  abstract create(): NativeField;
  /** Attributes of the control that follow the element's properties. */
  abstract sync(control: NativeField): void;
  /** The detail that an event carries to the extension. */
  detail(control: NativeField): Record<string, unknown> {
    return { value: control.value };
  }
  prefix(): string {
    return this.host.readText("prefix");
  }

  update(): void {
    const control = this.#control ?? this.#build();
    const { host, root } = this;
    const error = host.readText("error");
    fill(root, ".text", host.readText("label"));
    fill(root, ".error", error);
    fill(root, ".details", host.readText("details"));
    fill(root, ".prefix", this.prefix());
    fill(root, ".suffix", host.readText("suffix"));
    root
      .querySelector("label")
      ?.classList.toggle(
        "visually-hidden",
        host.readText("labelAccessibilityVisibility") === "exclusive",
      );
    root.querySelector(".control")?.classList.toggle("invalid", error !== "");
    root.querySelector(".control")?.classList.toggle("off", host.readFlag("disabled"));
    control.disabled = host.readFlag("disabled");
    control.required = host.readFlag("required");
    control.setAttribute("aria-invalid", String(error !== ""));
    setOrRemove(control, "name", host.readText("name"));
    setOrRemove(control, "autocomplete", host.readText("autocomplete"));
    this.sync(control);
    this.#syncValue(control);
  }

  #build(): NativeField {
    this.root.innerHTML = html`<style></style><div class="field">
      <label for="control"><span class="text"></span></label>
      <div class="control"><span class="affix prefix"></span><span class="affix suffix"></span></div>
      <p class="details" id="details"></p><p class="error" id="error"></p>
    </div>`.text;
    const style = this.root.querySelector("style");
    if (style) style.textContent = FIELD_CSS;
    const control = this.create();
    control.id = "control";
    control.setAttribute("aria-describedby", "error details");
    this.root.querySelector(".suffix")?.before(control);
    const start = this.host.readText("defaultValue");
    if (start && this.host.held.value === undefined) control.value = start;
    for (const type of ["input", "change", "focus", "blur"]) {
      control.addEventListener(type, (event) => {
        // Native ones would reach the extension without a value.
        event.stopPropagation();
        if (type === "input" || type === "change") this.#told.push(control.value);
        this.host.emitEvent(type, this.detail(control));
      });
    }
    this.#control = control;
    return control;
  }

  /**
   * Takes over the extension's value, unless it is the echo of something typed before: meanwhile the person may have
   * typed on, and must not lose it.
   */
  #syncValue(control: NativeField): void {
    const value = this.host.held.value;
    if (value === undefined || value === this.#lastValue) return;
    this.#lastValue = value;
    const text = String(value ?? "");
    const echo = this.#told.indexOf(text);
    this.#told.splice(0, echo < 0 ? this.#told.length : echo + 1);
    if (this.#told.length === 0 && control.value !== text) control.value = text;
  }

  /** For controls whose choices come later than their value. */
  protected restoreValue(control: NativeField): void {
    const value = this.host.held.value;
    if (value !== undefined) control.value = String(value ?? "");
  }

  override call(method: string): void {
    if (method === "focus") this.#control?.focus();
  }
}

export function fill(root: ShadowRoot, selector: string, text: string): void {
  const element = root.querySelector(selector);
  if (element && element.textContent !== text) element.textContent = text;
}

export function setOrRemove(element: Element, name: string, value: string): void {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
