import type { Waits } from "../../kernel/ports.ts";
import type { StoredReferral } from "../referral-repository.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Until when the database that is lost told of a form, where it told of it; null where it did not, or none is lost. It did when the
 * service had made every form of the unit while that database is known to have worked, and so long before its end that the sync had
 * found it and its mail had not waited for others any more.
 *
 * A form that was made later, or while no database was there, is told: told twice is better than never.
 */
export async function toldBeforeRestore(
  tenant: Pick<Tenant, "restores">,
  referrals: readonly Pick<StoredReferral, "serviceUpdatedAt">[],
  { mailWindowMs, syncIntervalMs }: Pick<Waits, "mailWindowMs" | "syncIntervalMs">,
): Promise<Date | null> {
  const lost = await tenant.restores.lastSwitch();
  if (!lost) return null;
  const told = lost.servedUntil.getTime() - mailWindowMs - syncIntervalMs;
  const isTold =
    referrals.length > 0 && referrals.every((one) => one.serviceUpdatedAt.getTime() < told);
  return isTold ? lost.servedUntil : null;
}
