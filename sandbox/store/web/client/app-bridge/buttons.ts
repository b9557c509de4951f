let lastId = 0;

/** A stable name for an element, by which the frame refers to it. */
export function idOf(element: Element): string {
  const known = element.getAttribute("data-sandbox-id");
  if (known) return known;
  lastId += 1;
  const id = `e${lastId}`;
  element.setAttribute("data-sandbox-id", id);
  return id;
}

export function byId(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-sandbox-id="${CSS.escape(id)}"]`);
}

/** App Bridge's `loading` attribute: present, and not "false". */
export function isLoading(button: Element): boolean {
  const loading = button.getAttribute("loading");
  return loading !== null && loading !== "false";
}

export function isDisabled(button: Element): boolean {
  return button.hasAttribute("disabled");
}

/** Calls back, once per burst, when anything inside the element changes. */
export function watch(element: Element, changed: () => void): MutationObserver {
  let planned = false;
  const observer = new MutationObserver(() => {
    if (planned) return;
    planned = true;
    queueMicrotask(() => {
      planned = false;
      changed();
    });
  });
  observer.observe(element, {
    attributes: true,
    childList: true,
    subtree: true,
    characterData: true,
    // Our own marks must not start another round.
    attributeFilter: [
      "disabled",
      "loading",
      "variant",
      "tone",
      "href",
      "title",
      "rel",
      "discardconfirmation",
    ],
  });
  return observer;
}
