import type { Scope } from "../../../platform/database/scope.ts";
import type { Opener } from "../../../platform/encryption/subject-keys.ts";
import { KeyUnknown, SealedDamaged } from "../../../platform/errors.ts";

/**
 * Opens the copy that a fresh one is about to overwrite; null where its bytes are damaged. Nothing can be compared with it then, and the
 * fresh one mends it: to fail would keep the damaged one for good. A copy whose key is missing stays, and fails.
 */
export async function formerSnapshot<T>(
  { tolerate, keys }: Pick<Scope, "tolerate" | "keys">,
  kind: "referral" | "result",
  requestId: string,
  open: (opener: Opener) => T,
): Promise<T | null> {
  const subject = { request: requestId };
  try {
    return open(await keys.opener(subject));
  } catch (error) {
    const version = error instanceof KeyUnknown ? error.version : undefined;
    const isDamaged = version
      ? await keys.wasNeverMade(subject, version)
      : error instanceof SealedDamaged;
    if (!isDamaged) throw error;
    tolerate(`${kind}.former-snapshot`)(new SealedDamaged(`Stored copy of a ${kind}`, error));
    return null;
  }
}
