import { KeyDamaged, KeyDestroyed, KeyUnknown } from "../errors.ts";
import type { ShopDomain } from "../shop-domain.ts";
import type { KeySet } from "./data-keys.ts";
import { fromJsonBytes, toJsonBytes } from "./json-bytes.ts";
import { seal, unseal, versionOf } from "./sealing.ts";

/** Seals and opens fields of one subject. The row is the value's key within its table. */
export interface Sealer {
  seal(place: FieldPlace, plaintext: Buffer | string): Buffer<ArrayBuffer>;
  /**
   * Throws `KeyUnknown` when the key that sealed the value is not at hand: read anew, it may be. Throws `KeyDestroyed` when
   * the subject has no key at all, and `KeyDamaged` when nothing can be made of the key that it has.
   */
  open(place: FieldPlace, sealed: Uint8Array): Buffer;
  sealJson(place: FieldPlace, value: unknown): Buffer<ArrayBuffer>;
  /** The caller parses what it gets: this layer wrote it, another version may have. */
  openJson(place: FieldPlace, sealed: Uint8Array): unknown;
}

/** Seals and opens what belongs to the shop itself. */
export interface ShopSealer extends Sealer {
  /** For messages that wait. Its key is another after each erasure. */
  messages: Sealer;
  /** Keyed hash of a value: equal for equal values of one place, and nobody without the shop's key can guess it. */
  fingerprint(place: FieldPlace, value: string): Buffer<ArrayBuffer>;
  /**
   * When the database that its keys were read from had last taken another's place (`KeySet`). Where the database that is
   * written to says otherwise, it may lack these keys, and nothing may be sealed with them.
   */
  switchedAt: string | null;
}

export interface FieldPlace {
  table: string;
  column: string;
  row: string;
}

/** Nothing is sealed with keys that were read so long ago: a process that stood still may not know that they ended. */
const SEALS_FOR_MS = 90_000;

/** `former` opens what the shop's one key of earlier versions sealed. */
export function sealerWith(
  shop: ShopDomain,
  { current, byVersion, damaged, readAt }: KeySet,
  former?: (place: FieldPlace, sealed: Uint8Array) => Buffer,
): Sealer {
  const sealBytes: Sealer["seal"] = (place, plaintext) => {
    if (damaged.has(current)) throw new KeyDamaged();
    const key = byVersion.get(current);
    if (!key || performance.now() - readAt > SEALS_FOR_MS) throw new KeyUnknown();
    const bytes = Buffer.isBuffer(plaintext) ? plaintext : Buffer.from(plaintext);
    return seal(key, current, { shop, ...place }, bytes);
  };
  const open: Sealer["open"] = (place, sealed) => {
    const version = versionOf(sealed, place);
    if (version === 0 && former) return former(place, sealed);
    const key = byVersion.get(version);
    if (damaged.has(version)) throw new KeyDamaged();
    if (!key) throw byVersion.size === 0 ? new KeyDestroyed() : new KeyUnknown(version);
    return unseal(key, { shop, ...place }, sealed);
  };
  return {
    seal: sealBytes,
    open,
    sealJson: (place, value) => sealBytes(place, toJsonBytes(value)),
    openJson: (place, sealed) => fromJsonBytes(open(place, sealed)),
  };
}
