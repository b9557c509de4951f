import { constants, deflateRawSync, gunzipSync, inflateRawSync } from "node:zlib";
import { VOCABULARY } from "./json-vocabulary.ts";

/** More than anything that is stored: what opened is ours, and yet it must not fill the memory. */
const MAX_BYTES = 64 * 1024 * 1024;
/** How everything begins that is compressed with the vocabulary. No text of JSON begins so, and no gzip. */
const MARK = Buffer.of(0x01);
/** How everything began that was compressed before there was a vocabulary. */
const GZIP = Buffer.of(0x1f, 0x8b);

/** A value as it is sealed: JSON, compressed where that makes it shorter, since what is sealed no longer is. */
export function toJsonBytes(value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value));
  const compressed = deflateRawSync(text, {
    dictionary: VOCABULARY,
    level: constants.Z_BEST_COMPRESSION,
  });
  return MARK.length + compressed.length < text.length ? Buffer.concat([MARK, compressed]) : text;
}

/** Reads what `toJsonBytes` made, and the plain JSON and gzip of before. */
export function fromJsonBytes(bytes: Buffer): unknown {
  return JSON.parse(textOf(bytes).toString("utf8"));
}

function textOf(bytes: Buffer): Buffer {
  const limits = { maxOutputLength: MAX_BYTES };
  if (bytes[0] === MARK[0])
    return inflateRawSync(bytes.subarray(MARK.length), { ...limits, dictionary: VOCABULARY });
  return bytes.subarray(0, GZIP.length).equals(GZIP) ? gunzipSync(bytes, limits) : bytes;
}
