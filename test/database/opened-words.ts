import { fromJsonBytes } from "../../app/platform/encryption/json-bytes.ts";

/** An opened value in words: JSON as it was before it was shortened. Anything else, such as a PDF, is as it came. */
export function openedWords(opened: Buffer): string {
  try {
    return JSON.stringify(fromJsonBytes(opened));
  } catch {
    // It was not sealed as JSON.
    return opened.toString();
  }
}
