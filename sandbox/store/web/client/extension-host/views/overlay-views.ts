import { html } from "../../../html.ts";
import { activate } from "../commands.ts";
import { SandboxElement, View } from "../sandbox-element.ts";

const WIDTHS: Record<string, string> = {
  "small-100": "20rem",
  small: "26rem",
  base: "36rem",
  large: "48rem",
  "large-100": "60rem",
  max: "96vw",
};

/** Modal and sheet: a native dialog, with the events and commands of Shopify's overlays. */
class DialogView extends View {
  readonly #dialog = document.createElement("dialog");
  #built = false;
  protected readonly edge: boolean = false;

  update(): void {
    const { host } = this;
    if (!this.#built) this.#build();
    const title = host.readText("heading");
    this.#dialog.setAttribute(
      "aria-label",
      host.readText("accessibilityLabel") || title || "Dialog",
    );
    const heading = this.root.querySelector(".heading");
    if (heading) heading.textContent = title;
    this.#dialog.style.setProperty("--width", WIDTHS[host.readText("size") || "base"] ?? "36rem");
    this.#dialog.classList.toggle("bare", host.readText("padding") === "none");
  }

  override call(method: string): void {
    const open = this.#dialog.open;
    if (method === "hideOverlay" || (open && (method === "toggleOverlay" || method === "auto"))) {
      this.#dialog.close();
    } else if (!open) {
      this.#dialog.showModal();
      this.host.emitEvent("show");
      this.host.emitEvent("aftershow");
    }
  }

  #build(): void {
    this.#built = true;
    this.#dialog.innerHTML =
      html`<header><div class="heading" role="heading" aria-level="2"></div><button class="close" aria-label="Close">×</button></header>
      <div class="body"><slot></slot></div>
      <footer><slot name="secondary-actions"></slot><slot name="primary-action"></slot></footer>`.text;
    const style = document.createElement("style");
    style.textContent = `
      :host { display: contents }
      dialog { border: 0; padding: 0; border-radius: 12px; inline-size: min(var(--width), calc(100vw - 32px)); max-block-size: 90vh; overflow: auto; color: var(--text); background: var(--surface); box-shadow: 0 20px 60px rgb(0 0 0 / .3) }
      dialog::backdrop { background: rgb(15 20 30 / .5) }
      ${this.edge ? "dialog { margin-block: 0; margin-inline: auto 0; block-size: 100vh; max-block-size: 100vh; border-radius: 0; inline-size: min(28rem, 100vw) }" : ""}
      header { display: flex; justify-content: space-between; gap: 8px; padding: 16px 20px 0 } .heading { font-weight: 600; font-size: 1.125rem }
      .body { padding: 16px 20px } .bare .body { padding: 0 } footer { display: flex; gap: 8px; justify-content: flex-end; padding: 0 20px 16px }
      .close { background: none; border: 0; font-size: 1.25rem; line-height: 1; cursor: pointer; padding: 4px 8px; color: inherit }`;
    this.root.append(style, this.#dialog);
    this.root.querySelector(".close")?.addEventListener("click", () => this.#dialog.close());
    this.#dialog.addEventListener("close", () => {
      this.host.emitEvent("hide");
      this.host.emitEvent("afterhide");
    });
    if (this.host.readFlag("defaultOpen")) this.call("showOverlay");
  }
}

export class Modal extends DialogView {}
export class Sheet extends DialogView {
  protected override readonly edge = true;
}

/** Popover and menu: a native popover under the button that opened it. */
export class Popover extends View {
  #panel: HTMLElement | null = null;

  update(): void {
    if (this.#panel) return;
    this.root.innerHTML = `<style>
      :host { display: contents }
      div { margin: 0; border: 1px solid var(--line); border-radius: 10px; padding: 12px; background: var(--surface); color: var(--text); box-shadow: 0 8px 24px rgb(0 0 0 / .18); max-inline-size: calc(100vw - 32px) }
    </style><div popover><slot></slot></div>`;
    const panel = this.root.querySelector<HTMLElement>("div");
    if (!panel) return;
    this.#panel = panel;
    panel.setAttribute("role", "group");
    const label = this.host.readText("accessibilityLabel");
    if (label) panel.setAttribute("aria-label", label);
    panel.addEventListener("toggle", (event) => {
      this.host.emitEvent("newState" in event && event.newState === "open" ? "show" : "hide");
    });
  }

  override call(method: string): void {
    const panel = this.#panel;
    if (!panel) return;
    const source = document.activeElement?.getBoundingClientRect();
    if (method === "hideOverlay") panel.hidePopover();
    else if (method === "showOverlay") panel.showPopover();
    else panel.togglePopover();
    if (source) {
      panel.style.insetBlockStart = `${source.bottom + 4}px`;
      panel.style.insetInlineStart = `${Math.max(8, Math.min(source.left, innerWidth - panel.offsetWidth - 8))}px`;
    }
  }
}

export class Menu extends Popover {}

/** `s-details` with its `s-summary`. */
export class Details extends View {
  #details: HTMLDetailsElement | null = null;

  update(): void {
    if (!this.#details) {
      this.root.innerHTML = `<style>:host { display: block } summary { cursor: pointer; padding-block: 6px; font-weight: 500 } .body { padding-block: 4px 8px }</style>
        <details><summary><slot name="summary"></slot></summary><div class="body"><slot></slot></div></details>`;
      this.#details = this.root.querySelector("details");
      if (this.#details) this.#details.open = this.host.readFlag("defaultOpen");
      this.#details?.addEventListener("toggle", () => {
        const open = this.#details?.open ?? false;
        this.host.emitEvent("toggle", { open });
        this.host.emitEvent("aftertoggle", { open });
      });
    }
    if (this.#details && this.host.held.open !== undefined)
      this.#details.open = this.host.readFlag("open");
  }

  override childrenChanged(): void {
    for (const child of this.host.children) {
      if (child.localName === "s-summary") child.slot = "summary";
    }
  }
}

/** `s-form`: hears Enter in a line of text; buttons of the type submit find it by themselves. */
export class Form extends View {
  update(): void {
    if (this.root.childElementCount > 0) return;
    this.root.innerHTML = "<style>:host { display: block }</style><slot></slot>";
    this.host.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || this.host.readFlag("disabled")) return;
      const field = event.composedPath()[0];
      const line =
        field instanceof HTMLInputElement && !["checkbox", "radio", "file"].includes(field.type);
      if (!line) return;
      event.preventDefault();
      // The field's `change` must reach the extension before the form does.
      field.dispatchEvent(new Event("change", { bubbles: true }));
      const button = [...this.host.querySelectorAll("s-button")].find(
        (candidate) =>
          candidate instanceof SandboxElement && candidate.readText("type") === "submit",
      );
      if (button instanceof SandboxElement && button.readFlag("disabled")) return;
      if (button instanceof SandboxElement) activate(button, event);
      else this.host.emitEvent("submit");
    });
  }
}
