/**
 * The value of a JSON text, or undefined (which JSON cannot express) when it is none. The parser's own error
 * is dropped on purpose: its message quotes the text, which may be health data or a token.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // See above: the error quotes the text.
    return undefined;
  }
}
