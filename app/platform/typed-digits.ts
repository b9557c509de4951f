import { normalised } from "./normalised.ts";

/** The zeros of scripts whose digits a telephone's keyboard types; a script's ten digits stand in sequence. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50];

/**
 * Typed or pasted text with its digits as 0 to 9, whatever keyboard they came from, and without signs that have no shape, which
 * a telephone's contacts and right-to-left text bring along.
 */
export const plainDigits = (text: string): string =>
  normalised(text, "NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((start) => code >= start && code < start + 10);
      return zero === undefined ? digit : String(code - zero);
    });

/**
 * Reads the digits of a code as somebody types or pastes them: alone in a line of other text, or grouped by spaces, hyphens
 * or dots, with an O or an l where a digit looks like one.
 */
export function typedCode(text: string, length: number): string {
  const plain = plainDigits(text);
  const standing = plain.match(/\d+/g)?.filter((run) => run.length === length) ?? [];
  if (standing[0] && standing.length === 1) return standing[0];
  return plain
    .replace(/[\s.\p{Pd}]/gu, "")
    .replace(/o/gi, "0")
    .replace(/[il|]/gi, "1");
}
