import "@remote-dom/core/polyfill";
import type { ComponentChildren } from "preact";
import { render } from "preact";
import { AppProvider } from "../shared/app-context.ts";
import { createCustomerApi } from "../shared/customer-api.ts";
import type { TestHost } from "./host-of-locale.ts";

/** Renders into the DOM that extensions have in their worker (Remote DOM's), with a real client of `origin`. */
export function renderInto(host: TestHost, origin: string, children: ComponentChildren): Element {
  const root = document.createElement("div");
  document.body.append(root);
  const api = createCustomerApi(() => host.sessionToken.get(), origin);
  render(<AppProvider value={{ host, api }}>{children}</AppProvider>, root);
  return root;
}

export const all = (root: Element, tag: string): Element[] => [...root.querySelectorAll(tag)];

/** The first element of this tag whose attribute or property `name` (or text) is `value`. Throws when there is none. */
export function one(root: Element, tag: string, value?: string): Element {
  const found = all(root, tag).find(
    (element) =>
      value === undefined ||
      [element.textContent, attribute(element, "name"), attribute(element, "heading")].includes(
        value,
      ),
  );
  if (!found) throw new Error(`no <${tag}> ${value ?? ""} in ${root.textContent}`);
  return found;
}

/** Reads what the extension set on an element, whether it became a property or an attribute. */
export function attribute(element: Element, name: string): unknown {
  const property: unknown = Reflect.get(element, name);
  return property ?? element.getAttribute(name) ?? undefined;
}

/** Does what the page does when a shopper edits a field or presses something. */
export function act(element: Element, type: string, values: Record<string, unknown> = {}): void {
  Object.assign(element, values);
  // Preact listens for "Click" where an element knows no onclick; the host's real elements do know it.
  for (const name of [type, type.charAt(0).toUpperCase() + type.slice(1)])
    element.dispatchEvent(new Event(name));
}

/** Waits until `check` stops throwing. */
export async function until<T>(check: () => T, withinMs = 2000): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    try {
      return check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
