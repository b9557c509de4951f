import { html } from "../../../html.ts";
import { boxStyle } from "../box-style.ts";
import { activate } from "../commands.ts";
import { hrefOf } from "../host-page.ts";
import { View } from "../sandbox-element.ts";

/** The attributes of a native button or link that follow the element's properties; the native one stays the same. */
abstract class PressableView extends View {
  #control: HTMLElement | null = null;
  readonly #style = document.createElement("style");

  abstract css(): string;
  /** The content of the control. */
  content(): string {
    return "<slot></slot>";
  }
  /** Class of the control. */
  look(): string {
    return "";
  }
  /** Attributes beyond those that every control has. */
  extra(_control: HTMLElement): void {}

  update(): void {
    const { host } = this;
    const wanted = host.readText("href") && !this.inert ? "a" : "button";
    if (this.#control?.localName !== wanted) this.#create(wanted);
    const control = this.#control;
    if (!control) return;
    this.#style.textContent = this.css();
    control.className = this.look();
    setAttribute(control, "aria-label", host.readText("accessibilityLabel"));
    setAttribute(control, "lang", host.readText("lang"));
    setAttribute(control, "aria-busy", host.readFlag("loading") ? "true" : "");
    if (control instanceof HTMLAnchorElement) {
      control.href = hrefOf(host);
      setAttribute(control, "download", host.readText("download"));
      const blank = host.readText("target") === "_blank";
      setAttribute(control, "target", blank ? "_blank" : "");
      setAttribute(control, "rel", blank ? "noopener" : "");
    }
    if (control instanceof HTMLButtonElement) control.disabled = this.inert;
    this.extra(control);
  }

  override call(method: string): void {
    if (method === "focus") this.#control?.focus();
  }

  protected get inert(): boolean {
    return this.host.readFlag("disabled") || this.host.readFlag("loading");
  }

  #create(tag: "a" | "button"): void {
    const hadFocus = this.root.activeElement === this.#control && this.#control !== null;
    const control = document.createElement(tag);
    if (control instanceof HTMLButtonElement) control.type = "button";
    control.innerHTML = this.content();
    control.addEventListener("click", (event) => this.pressed(event));
    for (const type of ["focus", "blur"]) {
      control.addEventListener(type, () => this.host.emitEvent(type));
    }
    this.root.replaceChildren(this.#style, control);
    this.#control = control;
    if (hadFocus) control.focus();
  }

  protected pressed(event: Event): void {
    activate(this.host, event);
  }
}

function setAttribute(element: Element, name: string, value: string): void {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

const BUTTON_CSS = `
  button, a { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 40px; padding: 8px 16px;
    border-radius: 8px; border: 1px solid var(--line-field); background: var(--surface); color: var(--text); font-weight: 500;
    text-decoration: none; cursor: pointer; inline-size: 100% }
  button:hover:not(:disabled), a:hover { background: var(--surface-strong) }
  .primary { background: var(--accent); border-color: var(--accent); color: #fff }
  .primary:hover:not(:disabled) { background: var(--accent-strong) }
  .tertiary { background: transparent; border-color: transparent; color: var(--link) }
  .critical { color: var(--critical); border-color: var(--critical) }
  .primary.critical { background: var(--critical); color: #fff }
  button:disabled { cursor: default; background: var(--surface-strong); border-color: var(--line); color: var(--text-subdued) }
  [aria-busy="true"]::after { content: ""; inline-size: 1em; block-size: 1em; border-radius: 50%; border: 2px solid currentColor; border-inline-end-color: transparent; animation: turn .8s linear infinite }
  @keyframes turn { to { rotate: 1turn } }
  @media (prefers-reduced-motion: reduce) { [aria-busy="true"]::after { animation-duration: 4s } }`;

export class Button extends PressableView {
  css(): string {
    const size = this.host.readText("inlineSize");
    // Not stretched by the stack around it, unless it asks to fill.
    return `:host { ${size === "fill" ? "display: block" : "display: inline-block; inline-size: fit-content"} } ${BUTTON_CSS}`;
  }
  override look(): string {
    return `${this.host.readText("variant")} ${this.host.readText("tone")}`;
  }
}

export class PressButton extends Button {
  override extra(control: HTMLElement): void {
    control.setAttribute("aria-pressed", String(this.#pressed));
  }
  override look(): string {
    return this.#pressed ? "primary" : "";
  }
  get #pressed(): boolean {
    const { pressed } = this.host.held;
    return pressed === undefined ? this.host.readFlag("defaultPressed") : Boolean(pressed);
  }
  protected override pressed(event: Event): void {
    event.stopPropagation();
    const pressed = !this.#pressed;
    this.host.assignProperty("pressed", pressed);
    this.host.emitEvent("click", { pressed });
  }
}

export class Link extends PressableView {
  css(): string {
    const tone = this.host.readText("tone");
    const colour =
      tone === "neutral" ? "inherit" : tone === "critical" ? "var(--critical)" : "var(--link)";
    return `:host { display: inline } a, button { color: ${colour}; text-decoration: underline; text-underline-offset: 2px; background: none; border: 0; padding: 0; cursor: pointer; text-align: start }
      a:hover, button:hover { text-decoration-thickness: 2px }`;
  }
}

/** A box that can be pressed as a whole. */
export class Clickable extends PressableView {
  css(): string {
    return `:host { display: block } a, button { display: block; inline-size: 100%; background: none; border: 0; padding: 0; text-align: start; color: inherit; text-decoration: none; cursor: pointer }
      ${String(boxStyle(this.host)).replaceAll(".box", "a, button")}`;
  }
}

export class ClickableChip extends PressableView {
  css(): string {
    return `:host { display: inline-flex } ${BUTTON_CSS} button, a { min-block-size: 32px; padding: 4px 10px; inline-size: auto }`;
  }
  override content(): string {
    return '<slot name="graphic"></slot><slot></slot><span class="remove" aria-hidden="true" hidden>×</span>';
  }
  override extra(control: HTMLElement): void {
    const cross = control.querySelector<HTMLElement>(".remove");
    if (cross) cross.hidden = !this.host.readFlag("removable");
  }
  protected override pressed(event: Event): void {
    if (!this.host.readFlag("removable")) {
      super.pressed(event);
      return;
    }
    event.stopPropagation();
    this.host.emitEvent("remove");
    this.host.assignProperty("hidden", true);
    this.host.emitEvent("afterhide");
  }
}

export class ButtonGroup extends View {
  update(): void {
    const label = this.host.readText("accessibilityLabel");
    const tight = this.host.readText("gap") === "none";
    this.root.innerHTML = html`<style>
        :host { display: block } div { display: flex; flex-wrap: wrap; gap: ${tight ? "0" : "8px"} }
      </style>
      <div role="group" ${label && html`aria-label="${label}"`}>
        <slot name="secondary-actions"></slot><slot></slot><slot name="primary-action"></slot>
      </div>`.text;
  }
}

/** Copied by a command of a button, never by itself. */
export class ClipboardItem extends View {
  update(): void {}
  override call(method: string): void {
    if (method !== "copy" && method !== "auto") return;
    navigator.clipboard.writeText(this.host.readText("text")).then(
      () => this.host.emitEvent("copy"),
      () => this.host.emitEvent("copyerror"),
    );
  }
}
