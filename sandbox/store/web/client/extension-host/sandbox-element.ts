import { type ElementRule, isAllowed } from "../../extensions/element-rules.ts";

declare global {
  interface Window {
    /** Misuses by extensions of this page that Shopify's types do not allow: `s-button.tone=loud`. */
    violations: string[];
  }
}
window.violations ??= [];

export function reportViolation(text: string): void {
  if (window.violations.includes(text)) return;
  window.violations.push(text);
  console.error(`Extension: ${text}`);
}

/** How one kind of element looks and behaves; draws into the element's shadow root. */
export abstract class View {
  readonly host: SandboxElement;
  readonly root: ShadowRoot;

  constructor(host: SandboxElement, root: ShadowRoot) {
    this.host = host;
    this.root = root;
  }

  /** Brings the shadow root in line with the element's properties; soon after any of them changed. */
  abstract update(): void;

  /** The element's children came or went, or their text changed. */
  childrenChanged(): void {}

  /** Methods that the extension or a command may call: `showOverlay`, … */
  call(_method: string): void {}
}

export type ViewClass = new (host: SandboxElement, root: ShadowRoot) => View;

const BASE = new CSSStyleSheet();
BASE.replaceSync(`
  :host { box-sizing: border-box; font: inherit; color: inherit }
  :host([hidden]) { display: none !important }
  *, *::before, *::after { box-sizing: border-box; font: inherit }
  .visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px }
`);

/** An `s-*` element in the page. Its properties are those of the rule; the view does the rest. */
export class SandboxElement extends HTMLElement {
  /** Values of the properties. The names of members here must not be those of any property of an `s-*` element. */
  readonly held: Record<string, unknown> = {};
  readonly #view: View;
  #planned = false;

  constructor(ViewOfTag: ViewClass) {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [BASE];
    this.#view = new ViewOfTag(this, root);
  }

  connectedCallback(): void {
    this.#view.update();
    this.#view.childrenChanged();
    new MutationObserver(() => this.#view.childrenChanged()).observe(this, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  }

  assignProperty(name: string, value: unknown): void {
    this.held[name] = value;
    if (name === "lang" || name === "dir") this.setAttribute(name, String(value ?? ""));
    if (name === "hidden") this.toggleAttribute("hidden", Boolean(value));
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      if (this.isConnected) this.#view.update();
      // Parents draw some of their children's properties: options, choices, headers.
      const parent = this.parentElement?.closest<SandboxElement>("s-select, s-choice-list");
      if (parent instanceof SandboxElement) parent.#view.childrenChanged();
    });
  }

  callMethod(method: string): void {
    this.#view.call(method);
  }

  readText(name: string): string {
    const value = this.held[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  }

  readFlag(name: string): boolean {
    const value = this.held[name];
    return value === true || value === "";
  }

  /** Tells the extension. Not composed and not bubbling: remote elements hear only their own events. */
  emitEvent(type: string, detail: Record<string, unknown> = {}): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Registers a tag with the properties and methods that Shopify's types give it. */
export function defineElement(tag: string, rule: ElementRule, ViewOfTag: ViewClass): void {
  if (customElements.get(tag)) return;
  class TagElement extends SandboxElement {
    constructor() {
      super(ViewOfTag);
    }
  }
  for (const [name, property] of Object.entries(rule.properties)) {
    if (name === "id") continue;
    Object.defineProperty(TagElement.prototype, name, {
      configurable: true,
      get(this: SandboxElement) {
        return this.held[name];
      },
      set(this: SandboxElement, value: unknown) {
        if (!isAllowed(property, value)) reportViolation(`${tag}.${name}=${String(value)}`);
        this.assignProperty(name, value);
      },
    });
  }
  for (const method of rule.methods) {
    Object.defineProperty(TagElement.prototype, method, {
      value(this: SandboxElement) {
        this.callMethod(method);
      },
    });
  }
  customElements.define(tag, TagElement);
}
