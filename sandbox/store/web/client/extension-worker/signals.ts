import { signal as coreSignal } from "@preact/signals-core";

interface SignalLike {
  value: unknown;
}
type SignalClass = new (value: unknown) => SignalLike;

/**
 * Signals of the `shopify` global. The bundle brings its own copy of the signals library and hands it over by
 * `setSignals`, as only signals of that copy make its components draw again; signals made before are replaced.
 */
export class Signals {
  readonly #values = new Map<string, unknown>();
  readonly #made = new Map<string, SignalLike>();
  #class: SignalClass | null = null;

  constructor(values: Record<string, unknown>) {
    for (const [name, value] of Object.entries(values)) this.#values.set(name, value);
  }

  setClass(Signal: SignalClass): void {
    this.#class = Signal;
    this.#made.clear();
  }

  get(name: string): SignalLike {
    const known = this.#made.get(name);
    if (known) return known;
    const value = this.#values.get(name);
    const made = this.#class ? new this.#class(value) : coreSignal(value);
    // Members of older versions that the types still list as deprecated.
    Object.defineProperty(made, "current", { get: () => made.value });
    Object.defineProperty(made, "destroy", { value: async () => {} });
    this.#made.set(name, made);
    return made;
  }

  set(name: string, value: unknown): void {
    this.#values.set(name, value);
    const made = this.#made.get(name);
    if (made) made.value = value;
  }

  /** An object whose members are these signals, made when they are read. */
  members(names: Iterable<string>, prefix = ""): Record<string, unknown> {
    const target: Record<string, unknown> = {};
    for (const name of names) {
      Object.defineProperty(target, name, {
        enumerable: true,
        configurable: true,
        get: () => this.get(prefix + name),
      });
    }
    return target;
  }
}
