import { createHash } from "node:crypto";
import { gidNumber, type LineItemId, type OrderId, type ShopDomain } from "../kernel/ids.ts";

/**
 * The referenceNumber of one unit of one order line: the same for the same fact, in whatever order and
 * however often it is derived, and different for any two facts. Not derived from the attempt.
 * "PW" + order number + "-" + 12 base32 characters of a digest over shop, order, line, unit and generation.
 */
export function referenceNumber(fact: {
  shop: ShopDomain;
  orderId: OrderId;
  lineItemId: LineItemId;
  unit: number;
  generation: number;
}): string {
  const { shop, orderId, lineItemId, unit, generation } = fact;
  const digest = createHash("sha256")
    .update([shop, orderId, lineItemId, unit, generation].join("\n"))
    .digest();
  let code = "";
  for (const byte of digest.subarray(0, 12)) code += ALPHABET.charAt(byte & 31);
  return `PW${gidNumber(orderId)}-${code}`;
}

/** Reads one of ours, of whatever shop, also where a service has padded it or written its letters small; null for anything else. */
export function readReferenceNumber(text: string): string | null {
  const number = text.trim().toUpperCase();
  return /^PW\d{1,20}-[0-9A-HJKMNP-TV-Z]{12}$/.test(number) ? number : null;
}

// Crockford's base32: no letter that a person would misread over the telephone.
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
