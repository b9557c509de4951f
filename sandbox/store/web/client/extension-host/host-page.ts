import type { Places } from "./addresses.ts";
import { resolveAddress } from "./addresses.ts";
import type { SandboxElement } from "./sandbox-element.ts";

/** An element's link to its extension; kept on the element into which the extension is mounted. */
export interface HostPage {
  places: Places;
  /** Follows an address of the extension: inside its page, or away. */
  navigate(address: string, replace: boolean): void;
}

const PAGES = new WeakMap<Element, HostPage>();

export function setHostPage(root: Element, page: HostPage): void {
  PAGES.set(root, page);
}

export function hostPageOf(element: SandboxElement): HostPage | null {
  const root = element.closest("[data-extension]");
  return root ? (PAGES.get(root) ?? null) : null;
}

/** The address to show in a link, so that it can be copied or opened in a tab; `#` when it leads nowhere. */
export function hrefOf(element: SandboxElement): string {
  const page = hostPageOf(element);
  return (page && resolveAddress(element.readText("href"), page.places)) ?? "#";
}
