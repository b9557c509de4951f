import type { ToastMessage } from "../bridge-protocol.ts";
import { find, make } from "./dom.ts";

/** Shows toasts in the page's live region until their time is over or somebody closes them. */
export class Toasts {
  readonly #region = find("#toasts");
  readonly #onAction: (id: string) => void;
  readonly #onDismiss: (id: string) => void;

  constructor(listeners: { onAction: (id: string) => void; onDismiss: (id: string) => void }) {
    this.#onAction = listeners.onAction;
    this.#onDismiss = listeners.onDismiss;
  }

  show(toast: ToastMessage): void {
    const element = make(
      "div",
      { class: toast.isError ? "toast is-error" : "toast", "data-toast": toast.id },
      make("span", {}, toast.message),
    );
    if (toast.action) {
      const act = () => this.#onAction(toast.id);
      element.append(make("button", { type: "button", click: act }, toast.action));
    }
    const dismiss = () => this.hide(toast.id);
    element.append(
      make("button", { type: "button", "aria-label": "Dismiss", click: dismiss }, "×"),
    );
    this.#region.append(element);
    setTimeout(dismiss, toast.durationMs);
  }

  hide(id: string): void {
    const element = this.#region.querySelector(`[data-toast="${CSS.escape(id)}"]`);
    if (!element) return;
    element.remove();
    this.#onDismiss(id);
  }
}
