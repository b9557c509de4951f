/** The first text anywhere in a JSON value that fits, keys included; null without. Walks, for nesting may be deep. */
export function mentionedIn(value: unknown, fits: (text: string) => boolean): string | null {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string" && fits(one)) return one;
    if (typeof one === "object" && one !== null)
      for (const [key, inner] of Object.entries(one)) open.push(key, inner);
  }
  return null;
}
