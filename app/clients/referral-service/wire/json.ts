/**
 * The value of a JSON text, or undefined (which JSON cannot express) when it is none. The parser's own error
 * is dropped on purpose: its message quotes the text, which may be health data or a token.
 */
export function parseJson(text: string): unknown {
  try {
    // PostgreSQL takes no text with this character: one entry with it would keep a whole page from being stored.
    return text.includes("\\u0000") ? JSON.parse(text, withoutNul) : JSON.parse(text);
  } catch {
    // See above: the error quotes the text.
    return undefined;
  }
}

const withoutNul = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value;
