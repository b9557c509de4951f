import { html } from "../../../html.ts";
import { SandboxElement, View } from "../sandbox-element.ts";
import { FIELD_CSS, fill, setOrRemove } from "./field-frame.ts";

const CHOICE_CSS = `${FIELD_CSS}
  .choice { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 10px; align-items: start; font-weight: 400; cursor: pointer }
  .choice input { inline-size: 20px; block-size: 20px; margin: 2px 0 0; accent-color: var(--accent) }
  .below { grid-column: 2 }`;

/** One native checkbox: `s-checkbox`, `s-switch`, `s-consent-checkbox`. */
export class Checkbox extends View {
  #input: HTMLInputElement | null = null;
  protected readonly role: string | null = null;

  update(): void {
    const input = this.#input ?? this.#build();
    const { host, root } = this;
    const error = host.readText("error");
    fill(root, ".text", host.readText("label"));
    fill(root, ".error", error);
    fill(root, ".details", host.readText("details"));
    if (host.held.checked !== undefined) input.checked = host.readFlag("checked");
    input.indeterminate = host.readFlag("indeterminate");
    input.disabled = host.readFlag("disabled");
    input.required = host.readFlag("required");
    input.setAttribute("aria-invalid", String(error !== ""));
    setOrRemove(input, "name", host.readText("name"));
    setOrRemove(input, "aria-label", host.readText("accessibilityLabel"));
  }

  #build(): HTMLInputElement {
    this.root.innerHTML = html`<style></style>
      <div class="field">
        <label class="choice"><input type="checkbox" aria-describedby="error details" /><span class="text"></span></label>
        <p class="details" id="details"></p><p class="error" id="error"></p>
      </div>`.text;
    const style = this.root.querySelector("style");
    if (style) style.textContent = CHOICE_CSS;
    const input = this.root.querySelector("input");
    if (!input) throw new Error("The checkbox was not drawn");
    if (this.role) input.setAttribute("role", this.role);
    input.checked = this.host.readFlag("defaultChecked");
    for (const type of ["input", "change"]) {
      input.addEventListener(type, (event) => {
        event.stopPropagation();
        this.host.emitEvent(type, { checked: input.checked });
      });
    }
    this.#input = input;
    return input;
  }
}

export class Switch extends Checkbox {
  protected override readonly role = "switch";
}

/** A fieldset with one native radio button or checkbox per `s-choice`; the choices' content stays theirs. */
export class ChoiceList extends View {
  #chosen: string[] | null = null;

  update(): void {
    const { host } = this;
    if (host.held.values !== undefined) this.#chosen = (host.held.values as string[] | null) ?? [];
    const multiple = host.readFlag("multiple");
    const choices = this.#choices();
    let chosen =
      this.#chosen ??
      choices
        .filter((choice) => choice.readFlag("selected") || choice.readFlag("defaultSelected"))
        .map((choice) => choice.readText("value"));
    for (const choice of choices) {
      if (choice.held.selected === undefined) continue;
      const value = choice.readText("value");
      const rest: string[] = chosen.filter((other) => other !== value);
      if (choice.readFlag("selected")) chosen = multiple ? [...rest, value] : [value];
      else chosen = rest;
    }
    this.#chosen = chosen;
    const focused = this.root.activeElement?.getAttribute("value");
    const exclusive = host.readText("labelAccessibilityVisibility") === "exclusive";
    const error = host.readText("error");
    const inline = ["inline", "grid"].includes(host.readText("variant"));
    this.root.innerHTML = html`<style></style>
      <fieldset aria-describedby="error details" ${error && html`aria-invalid="true"`}>
        <legend class="${exclusive ? "visually-hidden" : ""}">${host.readText("label")}</legend>
        <div class="choices${inline && " inline"}">
          ${choices.map(
            (choice, index) => html`<label class="choice">
              <input type="${multiple ? "checkbox" : "radio"}" name="choice" aria-label="${wordsOf(choice)}" value="${choice.readText("value")}"
                ${choice.readFlag("disabled") || host.readFlag("disabled") ? html`disabled` : null} />
              <span><slot name="choice-${index}"></slot></span>
            </label>`,
          )}
        </div>
        <p class="details" id="details">${host.readText("details")}</p>
        <p class="error" id="error">${error}</p>
      </fieldset>`.text;
    const style = this.root.querySelector("style");
    if (style) {
      style.textContent = `${CHOICE_CSS} fieldset { border: 0; margin: 0; padding: 0; min-inline-size: 0 } legend { margin-block-end: 6px }
        .choices { display: grid; gap: 10px } .choices.inline { display: flex; flex-wrap: wrap; gap: 16px }`;
    }
    for (const input of this.root.querySelectorAll("input")) {
      input.checked = chosen.includes(input.value);
      if (input.value === focused) input.focus();
      for (const type of ["input", "change"]) {
        input.addEventListener(type, (event) => {
          event.stopPropagation();
          this.#tell(type);
        });
      }
    }
  }

  override childrenChanged(): void {
    for (const [index, choice] of this.#choices().entries()) choice.slot = `choice-${index}`;
    this.update();
  }

  #choices(): SandboxElement[] {
    return [...this.host.children].filter(
      (child): child is SandboxElement =>
        child instanceof SandboxElement && child.localName === "s-choice",
    );
  }

  #tell(type: string): void {
    this.#chosen = [...this.root.querySelectorAll("input")]
      .filter((input) => input.checked)
      .map((input) => input.value);
    for (const choice of this.#choices()) {
      if (choice.held.selected !== undefined) {
        choice.held.selected = this.#chosen.includes(choice.readText("value"));
      }
    }
    this.host.emitEvent(type, { values: this.#chosen });
  }
}

/** A choice's own words, without what stands in its slots: the name of its control. */
function wordsOf(choice: SandboxElement): string {
  const label = choice.readText("accessibilityLabel");
  if (label) return label;
  return [...choice.childNodes]
    .filter((node) => !(node instanceof Element) || node.slot === "")
    .map((node) => node.textContent ?? "")
    .join("")
    .trim();
}

/** The words of a choice; its list draws the control. */
export class Choice extends View {
  update(): void {
    this.root.innerHTML =
      '<style>:host { display: block } slot[name] { display: block; color: var(--text-subdued); font-size: .875em }</style><slot></slot><slot name="details"></slot><slot name="secondary-content"></slot>';
  }
}

/** A calendar is shown as native date fields: one day, or the two ends of a range. */
export class DatePicker extends View {
  update(): void {
    const { host } = this;
    const range = host.readText("type") === "range";
    const [from = "", to = ""] = (host.readText("value") || host.readText("defaultValue")).split(
      "--",
    );
    const labels = range ? ["From", "To"] : ["Date"];
    this.root.innerHTML = html`<style></style>
      <div class="field" role="group" aria-label="Date">
        ${labels.map(
          (label, index) => html`<label>${label}
            <span class="control"><input type="date" value="${index === 0 ? from : to}" ${host.readFlag("disabled") && html`disabled`} /></span>
          </label>`,
        )}
      </div>`.text;
    const style = this.root.querySelector("style");
    if (style) style.textContent = FIELD_CSS;
    const inputs = [...this.root.querySelectorAll("input")];
    for (const input of inputs) {
      for (const type of ["input", "change"]) {
        input.addEventListener(type, (event) => {
          event.stopPropagation();
          host.emitEvent(type, { value: inputs.map((one) => one.value).join("--") });
        });
      }
    }
  }
}
