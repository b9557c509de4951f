import { deflateRawSync, inflateRawSync } from "node:zlib";

/** A PDF as it is sealed in the database: shorter where that can be, since what is sealed no longer is. */
export function deflated(pdf: Buffer): Buffer {
  const shorter = deflateRawSync(pdf);
  return shorter.length < pdf.length ? shorter : pdf;
}

/** The PDF of so many bytes that was sealed in the database, deflated or as it came. */
export const inflated = (opened: Buffer, bytes: number): Buffer =>
  opened.length < bytes ? inflateRawSync(opened, { maxOutputLength: bytes }) : opened;
