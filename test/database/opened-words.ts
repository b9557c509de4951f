import { inflateRawSync } from "node:zlib";
import { fromJsonBytes } from "../../app/platform/encryption/json-bytes.ts";

/** An opened value in words: JSON and a PDF as they were before they were shortened. Anything else is as it came. */
export function openedWords(opened: Buffer): string {
  const readings = [
    () => JSON.stringify(fromJsonBytes(opened)),
    () => inflateRawSync(opened).toString(),
  ];
  for (const read of readings) {
    try {
      return read();
    } catch {
      // It was not shortened so.
    }
  }
  return opened.toString();
}
