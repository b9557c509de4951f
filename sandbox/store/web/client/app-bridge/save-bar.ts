import type { SaveBar } from "../bridge-protocol.ts";
import { idOf, isDisabled, isLoading, watch } from "./buttons.ts";
import type { Connection } from "./connection.ts";

interface Source {
  element: HTMLElement;
  state: () => SaveBar;
  save: () => void;
  discard: () => void;
}

/** The one save bar of the admin, whoever asked for it: an element, its id, or a form that marks itself. */
export class SaveBarController {
  readonly #connection: Connection;
  #shown: Source | null = null;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.on("saveBarAction", ({ id, action }) => {
      const source = this.#shown;
      if (!source || idOf(source.element) !== id) return;
      if (action === "save") source.save();
      else source.discard();
    });
  }

  isShowing(element: HTMLElement): boolean {
    return this.#shown?.element === element;
  }

  get visible(): boolean {
    return this.#shown !== null;
  }

  show(source: Source): void {
    const first = !this.isShowing(source.element);
    this.#shown = source;
    this.#connection.tell("saveBar", source.state());
    if (first) source.element.dispatchEvent(new CustomEvent("show"));
  }

  /** Tells the frame of a changed button; without effect while the element's bar is hidden. */
  refresh(element: HTMLElement): void {
    const source = this.#shown;
    if (source?.element === element) this.#connection.tell("saveBar", source.state());
  }

  hide(element: HTMLElement): void {
    if (!this.isShowing(element)) return;
    this.#shown = null;
    this.#connection.tell("saveBar", null);
    element.dispatchEvent(new CustomEvent("hide"));
  }

  /** Resolves when leaving is fine; stays pending when the person chose to stay. */
  async leaveConfirmation(): Promise<void> {
    if (!this.visible) return;
    const leave = await this.#connection.call("confirmLeave", null);
    if (!leave) await new Promise(() => {});
  }
}

/** `<ui-save-bar id=…>` with a primary button (save) and another one (discard). */
export function defineSaveBar(bars: SaveBarController): void {
  customElements.define(
    "ui-save-bar",
    class extends HTMLElement {
      #observer: MutationObserver | null = null;

      connectedCallback(): void {
        this.#observer = watch(this, () => bars.refresh(this));
        if (this.hasAttribute("open")) queueMicrotask(() => this.show());
      }
      disconnectedCallback(): void {
        this.#observer?.disconnect();
        bars.hide(this);
      }
      get showing(): boolean {
        return bars.isShowing(this);
      }
      get discardConfirmation(): boolean {
        return this.hasAttribute("discardconfirmation");
      }
      set discardConfirmation(wanted: boolean) {
        this.toggleAttribute("discardconfirmation", wanted);
      }
      async show(): Promise<void> {
        const button = (primary: boolean) =>
          [...this.querySelectorAll("button")].find(
            (candidate) => (candidate.getAttribute("variant") === "primary") === primary,
          );
        bars.show({
          element: this,
          state: () => {
            const save = button(true);
            const discard = button(false);
            return {
              id: idOf(this),
              saveDisabled: save ? isDisabled(save) : false,
              saveLoading: save ? isLoading(save) : false,
              discardDisabled: discard ? isDisabled(discard) : false,
              discardConfirmation: this.discardConfirmation,
            };
          },
          save: () => button(true)?.click(),
          discard: () => button(false)?.click(),
        });
      }
      async hide(): Promise<void> {
        bars.hide(this);
      }
      async toggle(): Promise<void> {
        await (this.showing ? this.hide() : this.show());
      }
    },
  );
}

/** `<form data-save-bar>`: the bar appears with the first change and goes with submit or reset. */
export function watchForms(bars: SaveBarController): void {
  const formOf = (event: Event): HTMLFormElement | null => {
    const target = event.target;
    return target instanceof Element
      ? target.closest<HTMLFormElement>("form[data-save-bar]")
      : null;
  };
  const changed = (event: Event) => {
    const form = formOf(event);
    if (!form) return;
    bars.show({
      element: form,
      state: () => ({
        id: idOf(form),
        saveDisabled: false,
        saveLoading: false,
        discardDisabled: false,
        discardConfirmation: form.hasAttribute("data-discard-confirmation"),
      }),
      save: () => form.requestSubmit(),
      discard: () => form.reset(),
    });
  };
  document.addEventListener("input", changed);
  document.addEventListener("change", changed);
  for (const type of ["submit", "reset"]) {
    document.addEventListener(type, (event) => {
      const form = formOf(event);
      if (form) bars.hide(form);
    });
  }
}
