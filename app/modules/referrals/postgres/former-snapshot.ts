import type { Scope } from "../../../platform/database/scope.ts";
import { SealedDamaged } from "../../../platform/errors.ts";

/**
 * Opens the copy that a fresh one is about to overwrite; null where its bytes are damaged. Nothing can be compared with it then, and the
 * fresh one mends it: to fail would keep the damaged one for good.
 */
export function formerSnapshot<T>(
  { tolerate }: Pick<Scope, "tolerate">,
  kind: "referral" | "result",
  open: () => T,
): T | null {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealedDamaged)) throw error;
    tolerate(`${kind}.former-snapshot`)(error);
    return null;
  }
}
