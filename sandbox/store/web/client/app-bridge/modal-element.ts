import { byId } from "./buttons.ts";
import { readTitleBar } from "./title-bar-element.ts";

const WIDTHS: Record<string, string> = {
  small: "26rem",
  base: "39rem",
  large: "61rem",
  max: "100vw",
};

const STYLE = `
  dialog { border: 0; padding: 0; border-radius: 12px; inline-size: min(var(--width), 96vw); max-block-size: 92vh;
    color: #1d2126; background: #fff; box-shadow: 0 20px 60px rgb(0 0 0 / .3); overflow: auto }
  dialog::backdrop { background: rgb(15 20 30 / .5) }
  header, footer { display: flex; gap: .5rem; align-items: center; padding: .75rem 1rem; background: #f4f5f7 }
  header h2 { font: 600 1rem/1.4 Inter, sans-serif; margin: 0; flex: 1 }
  footer { justify-content: flex-end } footer:empty { display: none }
  button { font: 500 .875rem/1 Inter, sans-serif; padding: .6rem .9rem; border-radius: 8px; border: 1px solid #8c939c;
    background: #fff; color: #1d2126; cursor: pointer }
  button.primary { background: #1f4f82; border-color: #1f4f82; color: #fff }
  button:disabled { opacity: .6; cursor: default }
  iframe { display: block; inline-size: 100%; block-size: 60vh; border: 0 }
`;

/** `<ui-modal>`: shown as a dialog over the app. Its title bar's buttons become the footer. */
export function defineModal(): void {
  customElements.define(
    "ui-modal",
    class extends HTMLElement {
      readonly #dialog = document.createElement("dialog");

      constructor() {
        super();
        const shadow = this.attachShadow({ mode: "open" });
        const style = document.createElement("style");
        style.textContent = STYLE;
        shadow.append(style, this.#dialog);
        this.#dialog.addEventListener("close", () => this.dispatchEvent(new CustomEvent("hide")));
      }
      get variant(): string {
        return this.getAttribute("variant") ?? "base";
      }
      set variant(variant: string) {
        this.setAttribute("variant", variant);
      }
      get src(): string | null {
        return this.getAttribute("src");
      }
      set src(src: string | null) {
        if (src === null) this.removeAttribute("src");
        else this.setAttribute("src", src);
      }
      get contentWindow(): Window | null {
        return this.#dialog.querySelector("iframe")?.contentWindow ?? null;
      }
      get showing(): boolean {
        return this.#dialog.open;
      }
      async show(): Promise<void> {
        if (this.#dialog.open) return;
        this.#draw();
        this.#dialog.showModal();
        this.dispatchEvent(new CustomEvent("show"));
      }
      async hide(): Promise<void> {
        this.#dialog.close();
      }
      async toggle(): Promise<void> {
        await (this.showing ? this.hide() : this.show());
      }

      #draw(): void {
        const bar = this.querySelector("ui-title-bar");
        const { title, actions } = bar ? readTitleBar(bar) : { title: document.title, actions: [] };
        this.#dialog.style.setProperty("--width", WIDTHS[this.variant] ?? "39rem");
        this.#dialog.setAttribute("aria-label", title);
        const heading = document.createElement("h2");
        heading.textContent = title;
        const close = document.createElement("button");
        close.textContent = "Close";
        close.addEventListener("click", () => this.hide());
        const header = document.createElement("header");
        header.append(heading, close);
        const footer = document.createElement("footer");
        for (const action of actions) {
          const button = document.createElement("button");
          button.textContent = action.label;
          button.disabled = action.disabled || action.loading;
          button.classList.toggle("primary", action.variant === "primary");
          button.addEventListener("click", () => byId(action.id)?.click());
          footer.append(button);
        }
        const src = this.src;
        let body: HTMLElement = document.createElement("slot");
        if (src) {
          const frame = document.createElement("iframe");
          frame.src = src;
          frame.title = title;
          body = frame;
        }
        this.#dialog.replaceChildren(header, body, footer);
      }
    },
  );
}
