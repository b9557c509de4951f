import { storable } from "../../../platform/storable.ts";

/** How JSON writes what PostgreSQL does not take. Whole characters of two units are written alike, and looked at in vain. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/i;

/**
 * The value of a JSON text, or undefined (which JSON cannot express) when it is none. The parser's own error
 * is dropped on purpose: its message quotes the text, which may be health data or a token.
 */
export function parseJson(text: string): unknown {
  try {
    // One entry that can't be stored would keep a whole page from being stored.
    return UNSTORABLE.test(text) ? storable(JSON.parse(text)) : JSON.parse(text);
  } catch {
    // See above: the error quotes the text.
    return undefined;
  }
}
