/** Returns an interface of which only this is modelled; anything else that is called says so. */
export function only<T extends object>(name: string, modelled: Partial<T>): T {
  return new Proxy(modelled, {
    get(target, property, receiver) {
      if (property in target || typeof property === "symbol" || property === "then")
        return Reflect.get(target, property, receiver);
      throw new Error(`${name}.${property} is not modelled`);
    },
  }) as T;
}
