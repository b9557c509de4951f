import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A shop's data key, encrypted by a master key; safe to store beside the data. */
export interface WrappedKey {
  masterKeyId: string;
  wrapped: Buffer<ArrayBuffer>;
}

/** The keys that wrap data keys. The first wraps new ones; all unwrap, so that a key can be rotated. */
export interface MasterKeyRing {
  /** Id of the key that wraps new data keys. */
  activeId: string;
  wrap(dataKey: Buffer, shop: string): WrappedKey;
  unwrap(wrapped: { masterKeyId: string; wrapped: Uint8Array }, shop: string): Buffer;
}

/**
 * Reads PATHWAY_MASTER_KEYS: `id:base64 of 32 bytes`, comma separated, the active one first.
 * Throws when it is malformed; the message does not repeat the keys.
 */
export function readMasterKeys(text: string): MasterKeyRing {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(",")) {
    const [id, encoded] = entry.trim().split(":");
    const key = Buffer.from(encoded ?? "", "base64");
    if (!id || key.length !== 32)
      throw new Error("PATHWAY_MASTER_KEYS must be id:base64 of 32 bytes, comma separated");
    keys.set(id, key);
  }
  const [active] = keys;
  if (!active) throw new Error("PATHWAY_MASTER_KEYS holds no key");
  const [activeId, activeKey] = active;

  return {
    activeId,
    wrap(dataKey, shop) {
      const iv = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", activeKey, iv).setAAD(Buffer.from(shop));
      const body = Buffer.concat([cipher.update(dataKey), cipher.final()]);
      return { masterKeyId: activeId, wrapped: Buffer.concat([iv, cipher.getAuthTag(), body]) };
    },
    unwrap({ masterKeyId, wrapped }, shop) {
      const key = keys.get(masterKeyId);
      if (!key) throw new Error(`Master key "${masterKeyId}" is not in PATHWAY_MASTER_KEYS`);
      const bytes = Buffer.from(wrapped);
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
        .setAAD(Buffer.from(shop))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
    },
  };
}
