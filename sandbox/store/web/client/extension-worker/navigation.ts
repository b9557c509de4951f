import type { ExtensionDescription, HostApi } from "../extension-contract.ts";
import { readExtensionAddress } from "../extension-contract.ts";

type Kind = "push" | "replace" | "traverse";

/** The global `navigation` of customer-account extensions: a small relation of the browser's Navigation API. */
export class ExtensionNavigation {
  readonly #description: ExtensionDescription;
  readonly #host: HostApi;
  readonly #listeners = new Set<(event: unknown) => void>();
  #path: string;
  #state: unknown = null;
  #key = 0;

  constructor(description: ExtensionDescription, host: HostApi) {
    this.#description = description;
    this.#host = host;
    this.#path = description.entryPath ?? "/";
  }

  get currentEntry() {
    const state = this.#state;
    return {
      key: String(this.#key),
      url: this.#description.entryPath === null ? null : `extension:${this.#path}`,
      getState: () => state,
    };
  }

  readonly navigate = (
    address: string | URL,
    options: { history?: "auto" | "push" | "replace"; state?: unknown } = {},
  ): void => {
    const text = String(address);
    const replace = options.history === "replace";
    const inside = readExtensionAddress(text);
    const own = inside && (inside.handle === null || inside.handle === this.#description.handle);
    if (inside && own && this.#description.entryPath !== null) {
      this.entryChanged(inside.path, replace ? "replace" : "push", options.state ?? null);
    }
    void this.#host.navigate(text, replace);
  };

  readonly updateCurrentEntry = ({ state }: { state: unknown }): void => {
    this.#state = state;
  };

  readonly addEventListener = (type: string, listener: (event: unknown) => void): void => {
    if (type === "currententrychange") this.#listeners.add(listener);
  };

  readonly removeEventListener = (_type: string, listener: (event: unknown) => void): void => {
    this.#listeners.delete(listener);
  };

  entryChanged(path: string, navigationType: Kind, state: unknown = null): void {
    if (path === this.#path && navigationType !== "push") return;
    const from = this.currentEntry;
    this.#path = path;
    this.#state = state;
    if (navigationType !== "replace") this.#key += 1;
    for (const listener of this.#listeners) {
      listener({ type: "currententrychange", navigationType, from });
    }
  }
}
