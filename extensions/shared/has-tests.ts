interface Entry {
  target: { type: string };
  metafield: { key: string };
}

/** Whether something in the order is a test: the app writes the metafield of every product that is mapped to one. */
export const hasTests = (entries: readonly Entry[]): boolean =>
  entries.some(({ target, metafield }) => target.type === "product" && metafield.key === "pathway");
