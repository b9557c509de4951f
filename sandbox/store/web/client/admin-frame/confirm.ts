import { make } from "./dom.ts";

/** Asks in a dialog; Escape means no. */
export function confirmWith(question: string, yes: string, no: string): Promise<boolean> {
  return new Promise((resolve) => {
    const dialog = make(
      "dialog",
      { class: "dialog small", "aria-label": question },
      make(
        "form",
        { method: "dialog" },
        make("div", { class: "dialog-body" }, make("p", {}, question)),
        make(
          "div",
          { class: "dialog-foot" },
          make("button", { class: "button", value: "no" }, no),
          make("button", { class: "button critical", value: "yes" }, yes),
        ),
      ),
    );
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
