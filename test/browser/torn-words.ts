import type { Page } from "playwright-core";

/** A word that is longer than this share of the page may break between two letters: an address, a link. */
const LONG = 0.6;

/**
 * Words inside `places` that leave their box, or break between two letters though a line would hold them. `whole`: the
 * element whose width is the page's; the window is it where there is none. Each fault is named once.
 */
export async function tornWords(page: Page, places: string, whole: string): Promise<string[]> {
  const faults = await page.locator(`:is(${places}) :not(svg *)`).evaluateAll(
    (all, [pageOf, long]) => {
      const room = long * (document.querySelector(pageOf)?.clientWidth ?? innerWidth);
      const range = document.createRange();
      const partsOf = ({ 0: word, index }: RegExpMatchArray, text: Text, from = 0) => {
        range.setStart(text, from + (index ?? 0));
        range.setEnd(text, from + (index ?? 0) + word.length);
        return [...range.getClientRects()];
      };
      const isBroken = (parts: DOMRect[]) =>
        new Set(parts.map(({ top }) => Math.round(top))).size > 1;
      // A box in a shadow tree holds words of the tree around it.
      const around = (box: Element) => {
        const root = box.getRootNode();
        const host = root instanceof ShadowRoot ? root.host : null;
        return box.assignedSlot ?? box.parentElement ?? host;
      };
      const boxAround = (one: Element) => {
        let box: Element | null = one;
        while (box && /^(inline|contents)/.test(getComputedStyle(box).display)) box = around(box);
        return box;
      };
      return all.flatMap((one) => {
        const texts = [...one.childNodes].filter((node) => node instanceof Text);
        if (!texts.some(({ data }) => data.trim()) || !one.checkVisibility()) return [];
        const box = boxAround(one);
        // Words for whoever hears the page have a box of one pixel.
        if (!box || box.clientWidth <= 1) return [];
        const edge = box.getBoundingClientRect().right + 1;
        return texts.flatMap((text) =>
          [...text.data.matchAll(/\S{2,}/g)].flatMap((chunk) => {
            const parts = partsOf(chunk, text);
            if (parts.some(({ right }) => right > edge)) return [`out of its box: "${chunk[0]}"`];
            const width = parts.reduce((sum, part) => sum + part.width, 0);
            if (!isBroken(parts) || width > room) return [];
            // A browser may break after a hyphen or a slash.
            const words = chunk[0].matchAll(/[\p{L}\p{N}]{2,}/gu);
            return [...words]
              .filter((word) => isBroken(partsOf(word, text, chunk.index)))
              .map(([word]) => `broken: "${word}" in "${text.data.trim()}"`);
          }),
        );
      });
    },
    [whole, LONG] as const,
  );
  return [...new Set(faults)];
}
