import { openWith, sealWith } from "./wrapping.ts";

/** A key that a master key has encrypted. */
export interface WrappedKey {
  masterKeyId: string;
  wrapped: Buffer<ArrayBuffer>;
}

/** The keys that wrap others. The first wraps new ones; all unwrap, so that a key can be rotated. */
export interface MasterKeyRing {
  /** Id of the key that wraps new keys. */
  activeId: string;
  /** `owner` is authenticated: what was wrapped for one owner unwraps for no other. */
  wrap(key: Buffer, owner: string): WrappedKey;
  unwrap(wrapped: { masterKeyId: string; wrapped: Uint8Array }, owner: string): Buffer;
}

export const MASTER_KEY_MISSING = "master_key_missing";

/** A key is wrapped by a master key that this process does not have: taken out too early, or not put in yet. */
class MasterKeyMissing extends Error {
  /** Which the log has: it has no message of any error. */
  readonly code = MASTER_KEY_MISSING;
  constructor(masterKeyId: string) {
    super(`Master key "${masterKeyId}" is not in PATHWAY_MASTER_KEYS`);
    this.name = "MasterKeyMissing";
  }
}

/**
 * Reads PATHWAY_MASTER_KEYS: `id:base64 of 32 bytes`, comma separated, the active one first.
 * Throws when it is malformed; the message does not repeat the keys.
 */
export function readMasterKeys(text: string): MasterKeyRing {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(",")) {
    const [id, encoded, ...more] = entry.trim().split(":");
    const key = Buffer.from(encoded ?? "", "base64");
    if (!id || key.length !== 32 || more.length > 0)
      throw new Error("PATHWAY_MASTER_KEYS must be id:base64 of 32 bytes, comma separated");
    // Neither would open what the other wrapped, under the same name.
    if (keys.has(id))
      throw new Error("PATHWAY_MASTER_KEYS names two keys alike: a new key needs an id of its own");
    keys.set(id, key);
  }
  const [active] = keys;
  if (!active) throw new Error("PATHWAY_MASTER_KEYS holds no key");
  const [activeId, activeKey] = active;

  return {
    activeId,
    wrap: (key, owner) => ({ masterKeyId: activeId, wrapped: sealWith(activeKey, owner, key) }),
    unwrap({ masterKeyId, wrapped }, owner) {
      const key = keys.get(masterKeyId);
      if (!key) throw new MasterKeyMissing(masterKeyId);
      return openWith(key, owner, wrapped);
    },
  };
}
