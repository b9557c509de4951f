/** Marks on one sign, with the two signs of Japanese keyboards that become marks. To put a row in order takes the square of its length. */
const LONG_ROW = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/**
 * The text in one form of Unicode's. No sign of any language has more than 30 marks (UAX #15, stream-safe text): further ones are left
 * out, for a text of nothing else, which anybody may send, would keep the process for minutes.
 */
export const normalised = (text: string, form: "NFC" | "NFKC" | "NFKD"): string =>
  text.replace(LONG_ROW, "$1").normalize(form);
