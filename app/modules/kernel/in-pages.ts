/** How many rows one query reads of a list that may be of any length. */
const PAGE = 500;

/** Reads a list that may be of any length by bounded queries: `read` answers what comes behind an item. */
export async function inPages<Item>(
  read: (page: { after: Item | null; limit: number }) => Promise<Item[]>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const page = await read({ after: all.at(-1) ?? null, limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
