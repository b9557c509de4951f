import { constants, gunzipSync, gzipSync } from "node:zlib";

/** Shorter texts gain nothing. */
const MIN_BYTES = 512;
/** More than anything that is stored: what opened is ours, and yet it must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How everything that is compressed begins. No text of JSON begins so. */
const GZIP = Buffer.of(0x1f, 0x8b);

/** A value as it is sealed: JSON, compressed where that makes it shorter, since what is sealed no longer is. */
export function toJsonBytes(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  if (text.length < MIN_BYTES) return text;
  const compressed = gzipSync(text, { level: constants.Z_DEFAULT_COMPRESSION });
  return compressed.length < text.length ? compressed : text;
}

/** Reads what `toJsonBytes` made, and the plain JSON of earlier versions. */
export function fromJsonBytes(bytes: Buffer): unknown {
  const isCompressed = bytes.subarray(0, GZIP.length).equals(GZIP);
  const text = isCompressed ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  return JSON.parse(text.toString("utf8"));
}
