import type { Waits } from "../../kernel/ports.ts";
import { topicOfForm } from "../mail-topics.ts";
import type { Ports } from "../ports.ts";
import type { StoredReferral } from "../referral-repository.ts";
import type { Tenant } from "../tenant.ts";

/**
 * Until when the database that is lost told of a form, where it told of it; null where it did not, or none is lost. It did when the
 * service had made every form of the unit while that database is known to have worked, and so long before its end that the sync had
 * found it and its mail had not waited for others any more. Where the journal of mails goes back so far, it has to have the mail too:
 * the mail server may have been away.
 *
 * A form that was made later, or while no database was there, is told: told twice is better than never.
 */
export async function toldBeforeRestore(
  tenant: Pick<Tenant, "restores" | "notifications">,
  form: { sourceUuid: string },
  {
    referrals,
    waits: { mailWindowMs, syncIntervalMs },
    mailJournal,
  }: {
    referrals: readonly Pick<StoredReferral, "serviceUpdatedAt">[];
    waits: Pick<Waits, "mailWindowMs" | "syncIntervalMs">;
  } & Pick<Ports, "mailJournal">,
): Promise<Date | null> {
  const lost = await tenant.restores.lastSwitch();
  if (!lost) return null;
  const told = lost.servedUntil.getTime() - mailWindowMs - syncIntervalMs;
  const isOlderThan = (at: number) => referrals.every((one) => one.serviceUpdatedAt.getTime() < at);
  if (referrals.length === 0 || !isOlderThan(told)) return null;
  const since = mailJournal.knownSince();
  const isKnown = since !== null && !isOlderThan(since.getTime());
  const isMailed = mailJournal.lastOf(tenant.notifications.hashOf(...topicOfForm(form.sourceUuid)));
  return isKnown && !isMailed ? null : lost.servedUntil;
}
