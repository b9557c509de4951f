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
export const fromJsonBytes = (bytes: Buffer): unknown =>
  JSON.parse(fromMessageBytes(bytes).toString("utf8"));

/**
 * Bytes that somebody sent, mostly JSON, as they are sealed: plain, as the version before reads them (docs/decisions/0141). Those that
 * look compressed are compressed, so that reading gives back what came.
 */
export const toMessageBytes = (body: Buffer): Buffer =>
  isCompressed(body) ? gzipSync(body) : body;

/** Reads what `toMessageBytes` made, and what a later version's compresses. */
export const fromMessageBytes = (bytes: Buffer): Buffer =>
  isCompressed(bytes) ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;

const isCompressed = (bytes: Buffer): boolean => bytes.subarray(0, GZIP.length).equals(GZIP);
