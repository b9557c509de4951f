import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a key by another, as every version of this program did: vector, tag, ciphertext. `owner` is authenticated. */
export function sealWith(by: Buffer | KeyObject, owner: string, key: Buffer): Buffer<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", by, iv).setAAD(Buffer.from(owner));
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]);
}

/** Opens what `sealWith` made. Throws when the key, the owner or a single bit differs. */
export function openWith(by: Buffer | KeyObject, owner: string, wrapped: Uint8Array): Buffer {
  const bytes = Buffer.from(wrapped);
  const bodyAt = IV_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", by, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(owner))
    .setAuthTag(bytes.subarray(IV_BYTES, bodyAt));
  return Buffer.concat([decipher.update(bytes.subarray(bodyAt)), decipher.final()]);
}
