import { refusalOf } from "../database/refusal.ts";
import { KeyUnknown } from "../errors.ts";
import { EpochMissing } from "./data-keys.ts";

/**
 * Runs a transaction, and runs it again with keys that are looked up anew: a rotation or the end of an epoch may have
 * passed between the look-up of a key and its use. Such a moment is rare, and no reader is to see an error for it.
 */
export async function despiteReplacedKeys<T>(
  forget: () => void,
  transaction: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (tries === MAX_TRIES || !isOfReplacedKey(error)) throw error;
      forget();
    }
  }
}

const MAX_TRIES = 3;
/** The database refuses a new key under an epoch that has ended. */
const EPOCH_ENDED = "data_keys_epoch_fkey";

function isOfReplacedKey(error: unknown): boolean {
  if (error instanceof KeyUnknown || error instanceof EpochMissing) return true;
  return refusalOf(error)?.constraint === EPOCH_ENDED;
}
