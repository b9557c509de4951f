/** The first text anywhere in a JSON value of which `read` makes something, keys included; null without. Walks, for nesting may be deep. */
export function mentionedIn<T>(value: unknown, read: (text: string) => T | null): T | null {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    const found = typeof one === "string" ? read(one) : null;
    if (found !== null) return found;
    if (typeof one === "object" && one !== null)
      for (const [key, inner] of Object.entries(one)) open.push(key, inner);
  }
  return null;
}
