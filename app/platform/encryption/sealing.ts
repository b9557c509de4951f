import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

/** Where a sealed value lives. It is authenticated, so that ciphertext moved elsewhere does not open. */
export interface SealedPlace {
  shop: string;
  table: string;
  column: string;
  row: string;
}

const FORMAT = 1;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM: format byte, initialisation vector, tag, ciphertext.
 * `key` is 32 bytes; the place is the additional authenticated data.
 */
export function seal(
  key: Buffer | KeyObject,
  place: SealedPlace,
  plaintext: Buffer,
): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(authenticated(place));
  const ciphertext = cipher.update(plaintext);
  const rest = cipher.final();
  return Buffer.concat([Buffer.of(FORMAT), iv, cipher.getAuthTag(), ciphertext, rest]);
}

/** Opens what `seal` made. Throws when the key, the place or a single bit differs. */
export function unseal(key: Buffer | KeyObject, place: SealedPlace, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes[0] !== FORMAT || bytes.length < 1 + IV_BYTES + TAG_BYTES)
    throw new Error(`Sealed value in ${place.table}.${place.column} has an unknown format`);
  const tagAt = 1 + IV_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(1, tagAt))
    .setAAD(authenticated(place))
    .setAuthTag(bytes.subarray(tagAt, bodyAt));
  return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
}

// Length-prefixed, so that no two places read alike.
function authenticated({ shop, table, column, row }: SealedPlace): Buffer {
  return Buffer.from([shop, table, column, row].map((part) => `${part.length}:${part}`).join(""));
}
