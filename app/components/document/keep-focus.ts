import { SAVE_BAR_GONE } from "./save-bar-gone.ts";

/** Elements that tell the outcome of something. */
const NOTICES = "#page [role=alert], #page [role=status]";
const FAULTY = "#page [aria-invalid=true]";
const HELD_UP = ":disabled, [aria-disabled=true], [hidden] *";

let isKept = false;

/**
 * Keeps the keyboard's focus in its place. A browser drops it when the button that was pressed leaves the page, or when it
 * can't be pressed while its work is done: the next press of Tab then begins anywhere, and a screen reader says nothing.
 *
 * - Fields that are found faulty get the focus from the button that sent them.
 * - A notice of the outcome gets it from a button that has gone, or was busy, and from the field whose form was saved by the
 *   admin's save bar, unless a key was pressed meanwhile.
 * - Without a notice the focus goes back to the button, else to the list, form or card that it was in, else to the page's
 *   heading.
 *
 * Loaded with the first focus: no page needs it before.
 */
export function keepFocus(): void {
  if (isKept) return;
  isKept = true;
  let last: Element | null = null;
  let around: Element[] = [];
  /** The notices of before, with their words: a notice can come to tell something else. */
  let told = new Map<Element, string>();
  let edited: Element | null = null;
  let wasBusy = false;
  /** Where the focus waits for an outcome. */
  let waiting: Element | null = null;
  const remember = (element: Element) => {
    // The save bar gave the focus back: what was told meanwhile is news.
    if (element === last) return;
    last = element;
    around = placesAround(element);
    told = new Map(
      [...document.querySelectorAll(`${NOTICES}, ${FAULTY}`)].map((one) => [one, one.textContent]),
    );
    wasBusy = false;
  };
  const fresh = (selector: string) =>
    [...document.querySelectorAll(selector)].find(
      (one) => told.get(one) !== one.textContent && isFull(one),
    );
  const look = () => {
    // Elsewhere in the admin somebody is busy: nothing is lost.
    if (!last || !document.hasFocus()) return;
    const active = document.activeElement;
    const isHere = active === last || isLost();
    wasBusy ||= isHere && last.matches(HELD_UP);
    const fault = isHere && last.matches("button") && fresh(FAULTY);
    if (fault) return moveTo(fault);
    if (last.isConnected && last.matches(HELD_UP)) return;
    const isAwaited = waiting !== null && active === waiting;
    if (!isLost() && !isAwaited && !(isHere && wasBusy)) return;
    const notice = fresh(NOTICES);
    if (notice) return moveTo(notice);
    if (!isLost()) return;
    const place = last.isConnected
      ? last
      : (around.find(({ isConnected }) => isConnected) ?? document.querySelector("#page h1"));
    moveTo(place);
    waiting = place;
  };
  // Not at once: between two elements the focus is nowhere, and a page may change just then.
  let isDue = false;
  const lookSoon = () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      look();
    });
  };
  document.addEventListener("focusin", ({ target }) => {
    // A dialogue gives the focus back to what opened it.
    if (target instanceof Element && !target.matches("ui-modal")) remember(target);
  });
  document.addEventListener("focusout", ({ target }) => {
    requestAnimationFrame(() => {
      if (target !== last || !document.hasFocus() || !isLost()) return;
      // Somebody pressed beside everything: that is where they want to be.
      if (last?.isConnected && !last.matches(HELD_UP)) last = null;
    });
  });
  document.addEventListener("input", ({ target }) => {
    if (target instanceof Element) edited = target;
  });
  window.addEventListener(SAVE_BAR_GONE, () => {
    if (edited?.isConnected) last = edited;
    window.focus();
    lookSoon();
  });
  for (const press of ["keydown", "pointerdown"])
    document.addEventListener(press, () => {
      waiting = null;
    });
  new MutationObserver(lookSoon).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ["disabled", "aria-disabled", "aria-invalid", "hidden"],
  });
  if (!isLost() && document.activeElement) remember(document.activeElement);
}

const isLost = () => !document.activeElement || document.activeElement === document.body;

/** Whether there is something to be told. What is drawn while a page is awaited says nothing. */
const isFull = (element: Element) =>
  element.checkVisibility() &&
  !element.closest("[aria-hidden=true]") &&
  (element.matches("[aria-invalid]") || element.textContent !== "");

/** The parts of the page around an element that have something to read, the innermost first. */
function placesAround(element: Element): Element[] {
  const place = element.parentElement?.closest(
    "#page :is(ul, ol, table, form, section, fieldset, [class*=ShadowBevel])",
  );
  return place ? [place, ...placesAround(place)] : [];
}

function moveTo(element: Element | null): void {
  if (!(element instanceof HTMLElement)) return;
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus();
}
