import type { SaveBar } from "../bridge-protocol.ts";
import { confirmWith } from "./confirm.ts";
import { find } from "./dom.ts";

/** The bar that covers the top bar while the app has unsaved changes. */
export class FrameSaveBar {
  readonly #bar = find("#save-bar");
  readonly #save = find<HTMLButtonElement>("#save-bar-save");
  readonly #discard = find<HTMLButtonElement>("#save-bar-discard");
  #state: SaveBar | null = null;

  constructor(onAction: (id: string, action: "save" | "discard") => void) {
    this.#save.addEventListener("click", () => {
      if (this.#state) onAction(this.#state.id, "save");
    });
    this.#discard.addEventListener("click", async () => {
      const state = this.#state;
      if (!state) return;
      const sure =
        !state.discardConfirmation ||
        (await confirmWith("Discard all unsaved changes?", "Discard changes", "Continue editing"));
      if (sure) onAction(state.id, "discard");
    });
  }

  get visible(): boolean {
    return this.#state !== null;
  }

  draw(state: SaveBar | null): void {
    this.#state = state;
    this.#bar.hidden = state === null;
    this.#save.disabled = state?.saveDisabled === true || state?.saveLoading === true;
    this.#save.setAttribute("aria-busy", String(state?.saveLoading ?? false));
    this.#discard.disabled = state?.discardDisabled ?? false;
  }

  /** True when there is nothing to lose, or when the person agrees to lose it. */
  async mayLeave(): Promise<boolean> {
    return (
      !this.visible ||
      confirmWith("Leave page with unsaved changes?", "Leave page", "Stay on this page")
    );
  }
}
