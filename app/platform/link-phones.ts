import { dialAddress } from "./dial-address.ts";
import { wholePhones } from "./whole-phones.ts";

/**
 * Cuts a text at these numbers, with each number on one line: a piece with an address is a link. Only numbers that are known as
 * such are looked for, since an order's number or a date may look like one. A number that is not clearly one stays text.
 */
export function linkPhones(
  text: string,
  phones: readonly string[],
): { text: string; href: string | null }[] {
  const whole = wholePhones(text);
  const addresses = new Map(phones.map((phone) => [wholePhones(phone), dialAddress(phone)]));
  if (addresses.size === 0) return [{ text: whole, href: null }];
  // The longest first: a number with an extension may begin with another one.
  const known = [...addresses.keys()].toSorted((a, b) => b.length - a.length).map(literally);
  const number = new RegExp(`(?<![\\w@+.-]|\\d\\s)(${known.join("|")})(?![\\w@-]|\\s\\d)`);
  return whole.split(number).map((piece) => ({ text: piece, href: addresses.get(piece) ?? null }));
}

const literally = (literal: string): string => literal.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&");
