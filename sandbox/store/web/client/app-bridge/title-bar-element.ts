import type { TitleBar, TitleBarAction } from "../bridge-protocol.ts";
import { idOf, isDisabled, isLoading, watch } from "./buttons.ts";
import type { Connection } from "./connection.ts";

/** Reads the title and the actions of a `<ui-title-bar>`. */
export function readTitleBar(element: Element): TitleBar {
  return {
    title: element.getAttribute("title") ?? document.title,
    actions: [...element.querySelectorAll("button, a")].map(readAction),
  };
}

function readAction(button: Element): TitleBarAction {
  const variant = button.getAttribute("variant");
  return {
    id: idOf(button),
    label: button.textContent?.trim() ?? "",
    variant: variant === "primary" || variant === "breadcrumb" ? variant : "secondary",
    tone: button.getAttribute("tone") ?? "default",
    disabled: isDisabled(button),
    loading: isLoading(button),
    group: button.closest("section")?.getAttribute("label") ?? null,
  };
}

/** `<ui-title-bar>`: invisible in the app, shown by the frame. Inside a `<ui-modal>` it belongs to the modal. */
export function defineTitleBar(connection: Connection): void {
  customElements.define(
    "ui-title-bar",
    class extends HTMLElement {
      #observer: MutationObserver | null = null;

      connectedCallback(): void {
        if (this.closest("ui-modal")) return;
        const report = () => connection.tell("titleBar", readTitleBar(this));
        this.#observer = watch(this, report);
        // Its buttons may not have been parsed yet.
        queueMicrotask(report);
      }

      disconnectedCallback(): void {
        if (!this.#observer) return;
        this.#observer.disconnect();
        this.#observer = null;
        // A router replaces one title bar by the next in the same task: only a bar that stays away is cleared.
        setTimeout(() => {
          if (!document.querySelector("ui-title-bar")) connection.tell("titleBar", null);
        });
      }
    },
  );
}
