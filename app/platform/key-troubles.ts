import { loopFailures } from "./counters.ts";
import { MASTER_KEY_MISSING } from "./encryption/master-keys.ts";
import { errorCode } from "./error-code.ts";

/** Codes of what is wrong with the keys themselves. Each has to be seen by somebody: an alert counts them. */
export const KEY_TROUBLES: readonly string[] = [
  ...[MASTER_KEY_MISSING, "key_store_missing", "key_folder_older", "epoch_missing"],
  ...["epoch_damaged", "key_damaged", "note_damaged"],
];

/** Whether a failure is of some keys of one shop. Every other one is of the database, the folder or the program. */
export const isKeyTrouble = (error: unknown): boolean => KEY_TROUBLES.includes(errorCode(error));

const SHUT: readonly string[] = [...KEY_TROUBLES, "key_unknown", "sealed_damaged"];

/** Whether a failure says that what is sealed can't be opened before somebody has put the value or its keys right. */
export const isSealedShut = (error: unknown): boolean => SHUT.includes(errorCode(error));

/** Counts a trouble of some keys for the alert, where it may not end the work for others. */
export function countKeyTrouble(error: unknown): void {
  loopFailures.add({ loop: "keys", code: errorCode(error) });
}
