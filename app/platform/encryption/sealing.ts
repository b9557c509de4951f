import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";
import { SealedDamaged } from "../errors.ts";

/** Where a sealed value lives. It is authenticated, so that ciphertext moved elsewhere does not open. */
export interface SealedPlace {
  shop: string;
  table: string;
  column: string;
  row: string;
}

/** By the one key that a shop had before; it has version 0. */
const BY_SHOP = 1;
/** By a version of a subject's key, which follows in four bytes. */
const BY_SUBJECT = 2;
const VERSION_BYTES = 4;
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A new key for `seal`. */
export const newKey = (): Buffer<ArrayBuffer> => randomBytes(KEY_BYTES);

/**
 * AES-256-GCM: format byte, version of the key, initialisation vector, tag, ciphertext.
 * `key` is 32 bytes; the place is the additional authenticated data.
 */
export function seal(
  key: Buffer | KeyObject,
  version: number,
  place: SealedPlace,
  plaintext: Buffer,
): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(authenticated(place));
  const ciphertext = cipher.update(plaintext);
  const rest = cipher.final();
  return Buffer.concat([sealedStart(version), iv, cipher.getAuthTag(), ciphertext, rest]);
}

/** How everything begins that a version of a key sealed. */
export function sealedStart(version: number): Buffer<ArrayBuffer> {
  if (version === 0) return Buffer.of(BY_SHOP);
  const start = Buffer.alloc(1 + VERSION_BYTES);
  start[0] = BY_SUBJECT;
  start.writeUInt32BE(version, 1);
  return start;
}

/** The version of the key that sealed a value; 0 for the one that the shop had before. */
export function versionOf(sealed: Uint8Array, place: Omit<SealedPlace, "shop" | "row">): number {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  if (bytes[0] === BY_SHOP && bytes.length >= 1 + IV_BYTES + TAG_BYTES) return 0;
  if (bytes[0] === BY_SUBJECT && bytes.length >= 1 + VERSION_BYTES + IV_BYTES + TAG_BYTES) {
    const version = bytes.readUInt32BE(1);
    // Version 0 has a format of its own.
    if (version > 0) return version;
  }
  throw new SealedDamaged(`Sealed value in ${place.table}.${place.column} has an unknown format`);
}

/** Opens what `seal` made. Throws `SealedDamaged` when the key, the place or a single bit differs. */
export function unseal(key: Buffer | KeyObject, place: SealedPlace, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const ivAt = versionOf(bytes, place) === 0 ? 1 : 1 + VERSION_BYTES;
  const tagAt = ivAt + IV_BYTES;
  const bodyAt = tagAt + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(ivAt, tagAt))
    .setAAD(authenticated(place))
    .setAuthTag(bytes.subarray(tagAt, bodyAt));
  const start = decipher.update(bytes.subarray(bodyAt));
  try {
    return Buffer.concat([start, decipher.final()]);
  } catch (error) {
    throw new SealedDamaged(
      `Sealed value in ${place.table}.${place.column} can't be opened`,
      error,
    );
  }
}

// Length-prefixed, so that no two places read alike.
function authenticated({ shop, table, column, row }: SealedPlace): Buffer {
  return Buffer.from([shop, table, column, row].map((part) => `${part.length}:${part}`).join(""));
}
