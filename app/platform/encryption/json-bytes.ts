import { constants, gunzipSync, gzipSync, type ZlibOptions } from "node:zlib";

/** Shorter texts gain nothing. */
const MIN_BYTES = 512;
/** More than anything that is stored: what opened is ours, and yet it must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How everything that is compressed begins. No text of JSON begins so. */
const GZIP = Buffer.of(0x1f, 0x8b);
/** For bytes that do not stay: a little longer, in half the time. */
const QUICKLY: ZlibOptions = { level: constants.Z_BEST_SPEED, windowBits: 13, memLevel: 5 };

/** A value as it is sealed: JSON, compressed where that makes it shorter, since what is sealed no longer is. */
export const toJsonBytes = (value: unknown): Buffer =>
  compressed(Buffer.from(JSON.stringify(value)));

/** Reads what `toJsonBytes` made, and the plain JSON of earlier versions. */
export const fromJsonBytes = (bytes: Buffer): unknown =>
  JSON.parse(decompressed(bytes).toString("utf8"));

/** Bytes that somebody sent, mostly JSON, as they are sealed for the short time until they are read. */
export const toMessageBytes = (body: Buffer): Buffer => compressed(body, QUICKLY);

/** Reads what `toMessageBytes` made, and the plain bytes of earlier versions. */
export const fromMessageBytes = (bytes: Buffer): Buffer => decompressed(bytes);

function compressed(bytes: Buffer, options?: ZlibOptions): Buffer {
  // Bytes that look compressed are, so that reading them gives these.
  const looksCompressed = isCompressed(bytes);
  if (bytes.length < MIN_BYTES && !looksCompressed) return bytes;
  const shorter = gzipSync(bytes, options);
  return shorter.length < bytes.length || looksCompressed ? shorter : bytes;
}

const decompressed = (bytes: Buffer): Buffer =>
  isCompressed(bytes) ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;

const isCompressed = (bytes: Buffer): boolean => bytes.subarray(0, GZIP.length).equals(GZIP);
