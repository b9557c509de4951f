import type { Frame, Page } from "playwright-core";
import { expect } from "vitest";
import { eventually } from "../harness/index.ts";

/** More stops than any page of the admin has, with the admin's own around it. */
const MAX_STOPS = 300;

/** Where the keyboard's focus is. */
export interface Stop {
  name: string;
  tag: string;
  /** The dialogue that it is in, by its name. */
  dialog: string | null;
  /** Whether somebody who looks at the page can tell. */
  isSeen: boolean;
  /** Where on the page it is: two stops of one name are told apart by it. */
  place: string;
}

/** Somebody who has no mouse: presses keys, and notices when they can't tell where they are or can't go on. */
export function takeKeyboard(page: Page) {
  const appFrame = async (): Promise<Frame | null> => {
    const element = await page.locator("#app-frame").elementHandle();
    return (await element?.contentFrame()) ?? null;
  };
  const focused = async (): Promise<Stop> => {
    const outer = await page.evaluate(describeFocus);
    if (outer.tag !== "IFRAME") return outer;
    return (await (await appFrame())?.evaluate(describeFocus)) ?? outer;
  };
  const press = (key: string) => page.keyboard.press(key);

  /** Presses Tab, or with `back` Shift and Tab, until it comes to what is named so. Every stop on the way must be seen. */
  const tabTo = async (name: string | RegExp, { back = false } = {}): Promise<Stop> => {
    const passed: string[] = [];
    let before = "";
    let repeated = 0;
    for (let stops = 0; stops < MAX_STOPS; stops++) {
      await press(back ? "Shift+Tab" : "Tab");
      const stop = await focused();
      const isBody = stop.tag === "BODY" || stop.tag === "HTML";
      const place = `${stop.tag} ${stop.name} ${stop.place}`;
      if (!isBody) {
        // A field for a date has several stops of its own.
        repeated = place === before ? repeated + 1 : 0;
        expect(repeated, `Tab does not leave ${place}`).toBeLessThan(6);
        // Its further stops are drawn by the browser alone.
        if (repeated === 0) expect(stop.isSeen, `the focus can't be seen on ${place}`).toBe(true);
      }
      before = place;
      passed.push(stop.name || stop.tag);
      if (typeof name === "string" ? stop.name === name : name.test(stop.name)) return stop;
    }
    throw new Error(`Tab never came to ${name}. It came to: ${[...new Set(passed)].join(" | ")}`);
  };

  /** Waits until the focus is where it should be. */
  const waitFor = (name: string | RegExp): Promise<void> =>
    eventually(
      async () => {
        const stop = await focused();
        expect(`${stop.tag} ${stop.name}`).toEqual(
          typeof name === "string" ? `${stop.tag} ${name}` : expect.stringMatching(name),
        );
      },
      { what: `the focus on ${name}`, timeoutMs: 60_000 },
    );

  return {
    focused,
    press,
    type: (text: string) => page.keyboard.type(text),
    tabTo,
    waitFor,
    /** Puts a text in the place of what a field has. */
    async retype(text: string) {
      await press("ControlOrMeta+a");
      await (text ? page.keyboard.type(text) : press("Delete"));
    },
    /** Opens a dialogue with the focused button, turns it away with Escape, and is back where it was opened. */
    async openAndEscape(back?: string | RegExp): Promise<void> {
      const opener = await focused();
      await press("Enter");
      await eventually(async () => expect((await focused()).dialog).not.toBeNull(), {
        what: "the focus in a dialogue",
      });
      await press("Escape");
      await waitFor(back ?? opener.name);
    },
  };
}

/** Describes the focused element, through shadow roots. Runs in the page. */
function describeFocus(): Stop {
  let element = document.activeElement;
  let dialog: string | null = null;
  const noteDialog = (one: Element | null) => {
    const own = one?.closest("dialog, [role=dialog]");
    if (own) dialog = own.getAttribute("aria-label") ?? "";
  };
  noteDialog(element);
  while (element?.shadowRoot?.activeElement) {
    element = element.shadowRoot.activeElement;
    noteDialog(element);
  }
  if (!element) return { name: "", tag: "BODY", dialog, isSeen: false, place: "" };
  const textOf = (ids: string | null) =>
    (ids ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ");
  const labels = "labels" in element ? [...((element.labels as NodeList | null) ?? [])] : [];
  const names = [
    element.getAttribute("aria-label"),
    textOf(element.getAttribute("aria-labelledby")),
    labels.map((label) => label.textContent).join(" "),
    element.textContent,
    element.getAttribute("title"),
  ];
  const name = (names.find((one) => one?.trim()) ?? "").replace(/\s+/g, " ").trim().slice(0, 200);
  const box = element.getBoundingClientRect();
  const hasOutline = (one: Element | null, pseudo?: string) => {
    if (!one) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudo);
    return outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0;
  };
  // Polaris draws the outline of a field on the frame beside it.
  const around = [
    element,
    element.parentElement,
    element.parentElement?.parentElement ?? null,
    ...(element.parentElement?.children ?? []),
    ...(element.parentElement?.parentElement?.children ?? []),
  ];
  const isOutlined = around.some(
    (one) => hasOutline(one) || hasOutline(one, "::before") || hasOutline(one, "::after"),
  );
  const isInside =
    box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  return {
    ...{ name, dialog, tag: element.tagName },
    isSeen: isOutlined && isInside && element.checkVisibility(),
    place: `${Math.round(box.left + scrollX)},${Math.round(box.top + scrollY)}`,
  };
}
