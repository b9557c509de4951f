import { type RefObject, useEffect } from "react";

/**
 * Tells browsers, and so screen readers, that a box stands for several of which some are ticked. Polaris says so by an
 * attribute that does not count for a real checkbox unless its own state agrees.
 */
export function useMixedTicks(within: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const boxes = within.current?.querySelectorAll<HTMLInputElement>("input[type=checkbox]") ?? [];
    for (const box of boxes) box.indeterminate = box.getAttribute("aria-checked") === "mixed";
  });
}
