import {
  createRemoteElement,
  RemoteFragmentElement,
  RemoteRootElement,
} from "@remote-dom/core/elements";
import type { ElementRules, PropertyRule } from "../../extensions/element-rules.ts";

/**
 * How attributes become properties. Not the library's own `Boolean`, which makes every flag start as false: an element
 * would then seem to be told that it is unchecked or closed.
 */
const TYPES: Partial<Record<PropertyRule["kind"], { parse(text: string): unknown }>> = {
  boolean: { parse: (text) => text !== "false" },
  number: { parse: Number },
};
/** The properties that the page reports with an event of a field, and that the element then holds. */
const MIRRORED = ["value", "checked", "values", "selected", "files", "pressed", "open", "hidden"];

/** Defines the `s-*` elements of a target in the worker, so that Preact finds their properties and events. */
export function defineRemoteElements(rules: ElementRules): void {
  customElements.define("remote-root", RemoteRootElement);
  customElements.define("remote-fragment", RemoteFragmentElement);
  for (const [tag, rule] of Object.entries(rules)) {
    const properties = Object.fromEntries(
      Object.entries(rule.properties)
        // `id` stays an attribute: commands find their element by it.
        .filter(([name]) => name !== "id")
        .map(([name, { kind }]) => [name, { type: TYPES[kind], attribute: name.toLowerCase() }]),
    );
    const events = Object.fromEntries(
      rule.events.map((event) => [event, { dispatchEvent: mirror }]),
    );
    customElements.define(
      tag,
      createRemoteElement<Record<string, unknown>, Record<string, () => unknown>, object, object>({
        properties,
        events,
        attributes: ["id", "slot"],
        methods: rule.methods,
      }),
    );
  }
}

/** Before listeners run, the element takes over what the field now holds; the event itself is the library's own. */
function mirror(this: Element, detail: unknown): undefined {
  if (typeof detail !== "object" || detail === null) return undefined;
  const target = this as Element & Record<string, unknown>;
  for (const name of MIRRORED) {
    if (name in detail && name in target) target[name] = (detail as Record<string, unknown>)[name];
  }
  return undefined;
}
