import { type Html, html } from "../../../html.ts";
import { View } from "../sandbox-element.ts";
import { heading, TemplateView } from "./layout-views.ts";

const BANNERS: Record<string, { look: string; word: string }> = {
  info: { look: "#e8f1fb;--edge:#2b6cb0", word: "Information" },
  success: { look: "#e5f6e9;--edge:#1c7a3d", word: "Success" },
  warning: { look: "#fff2df;--edge:#a65b00", word: "Warning" },
  critical: { look: "#fdeaea;--edge:#b3232b", word: "Problem" },
};

export class Banner extends View {
  #open = false;

  update(): void {
    const { host } = this;
    const title = host.readText("heading");
    const { look, word } = BANNERS[host.readText("tone")] ?? {
      look: "var(--surface-subdued);--edge:var(--line-strong)",
      word: "Note",
    };
    const urgent = host.readText("tone") === "critical";
    const collapsible = host.readFlag("collapsible") && title !== "";
    this.root.innerHTML = html`<style>
        :host { display: block }
        .banner { background: ${look}; border-inline-start: 4px solid var(--edge); border-radius: 8px; padding: 12px 16px; display: grid; gap: 8px; color: var(--text) }
        .top { display: flex; gap: 8px; justify-content: space-between } .heading { font-weight: 600; min-inline-size: 0; overflow-wrap: anywhere }
        button { background: none; border: 0; cursor: pointer; padding: 0 8px; color: inherit; text-decoration: underline }
        .body[hidden] { display: none }
      </style>
      <div class="banner" role="${urgent ? "alert" : "status"}">
        <div class="top">
          ${title ? heading(host, title) : html`<span class="visually-hidden">${word}</span>`}
          <span>
            ${collapsible && html`<button class="more" aria-expanded="${String(this.#open)}">${this.#open ? "Less" : "More"}</button>`}
            ${host.readFlag("dismissible") && html`<button class="dismiss" aria-label="Dismiss">×</button>`}
          </span>
        </div>
        <div class="body"><slot></slot><slot name="secondary-actions"></slot></div>
      </div>`.text;
    const body = this.root.querySelector<HTMLElement>(".body");
    if (body) body.hidden = collapsible && !this.#open;
    this.root.querySelector(".more")?.addEventListener("click", () => {
      this.#open = !this.#open;
      this.update();
      this.root.querySelector<HTMLElement>(".more")?.focus();
    });
    this.root.querySelector(".dismiss")?.addEventListener("click", () => {
      host.emitEvent("dismiss");
      host.assignProperty("hidden", true);
      host.emitEvent("afterhide");
    });
  }
}

export class Announcement extends View {
  update(): void {
    this.root.innerHTML = `<style>:host { display: block } section { display: flex; gap: 8px; background: var(--surface-strong); padding: 12px 16px; border-radius: 8px } .body { flex: 1 } button { background: none; border: 0; cursor: pointer }</style>
      <section aria-label="Announcement"><div class="body"><slot></slot></div><button aria-label="Dismiss">×</button></section>`;
    this.root.querySelector("button")?.addEventListener("click", () => this.call("dismiss"));
  }
  override call(method: string): void {
    if (method !== "dismiss") return;
    this.host.emitEvent("dismiss");
    this.host.hidden = true;
  }
}

export class Spinner extends TemplateView {
  css(): string {
    const size =
      { large: "32px", "large-100": "40px", small: "16px", "small-100": "14px" }[
        this.host.readText("size")
      ] ?? "24px";
    return `:host { display: inline-block } .spinner { display: block; inline-size: ${size}; block-size: ${size}; border-radius: 50%; border: 3px solid var(--line); border-block-start-color: var(--accent); animation: turn .9s linear infinite }
      @keyframes turn { to { rotate: 1turn } } @media (prefers-reduced-motion: reduce) { .spinner { animation-duration: 5s } }`;
  }
  markup(): Html {
    return html`<span role="status"><span class="spinner" aria-hidden="true"></span><span class="visually-hidden">${this.host.readText("accessibilityLabel") || "Loading"}</span></span>`;
  }
}

export class Progress extends TemplateView {
  css(): string {
    return `:host { display: block } progress { inline-size: 100%; block-size: 8px; accent-color: ${this.host.readText("tone") === "critical" ? "var(--critical)" : "var(--accent)"} }`;
  }
  markup(): Html {
    const value = this.host.readText("value");
    const label = this.host.readText("accessibilityLabel") || "Progress";
    return html`<progress aria-label="${label}" max="${this.host.readText("max") || "1"}" ${value && html`value="${value}"`}></progress>`;
  }
}

export class SkeletonParagraph extends TemplateView {
  css(): string {
    return ":host { display: block } span { color: transparent; background: var(--surface-strong); border-radius: 4px } .empty { display: block; block-size: 1em }";
  }
  markup(): Html {
    const content = this.host.readText("content");
    return html`<span aria-hidden="true" class="${content ? "" : "empty"}">${content}</span>`;
  }
}

/** Shown while the pointer or the focus is on the element that is interested in it. */
export class Tooltip extends View {
  update(): void {
    this.root.innerHTML = `<style>:host { display: none; position: absolute; z-index: 5; max-inline-size: 20rem; padding: 8px 12px; border-radius: 8px; background: #1d2126; color: #fff }</style><slot></slot>`;
    this.host.setAttribute("role", "tooltip");
    const id = this.host.id;
    const source = [...(this.host.closest("[data-extension]")?.querySelectorAll("*") ?? [])].find(
      (element) => "interestFor" in element && element.interestFor === id,
    );
    const show = (display: string) => () => this.host.style.setProperty("display", display);
    for (const type of ["pointerenter", "focusin"]) source?.addEventListener(type, show("block"));
    for (const type of ["pointerleave", "focusout"]) source?.addEventListener(type, show("none"));
  }
}
