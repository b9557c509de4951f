import type { Tenant } from "../../privacy/tenant.ts";
import { type AlertMail, KEPT_KINDS, readersFor, readersOf } from "../../shops/alert.ts";
import { NO_READER, noteAlert } from "../../shops/note-alert.ts";
import type { Shop } from "../../shops/shop.ts";

/**
 * Returns the address to which an alert goes: the one that it was noted for, or where its reader's was changed meanwhile, the
 * new one. Null when that reader wants no alerts of this kind any more.
 */
export async function findReader(
  { alerts }: Tenant,
  settings: Shop,
  { id, kind, recipient, recipientId }: AlertMail,
): Promise<string | null> {
  const readers = readersFor(kind, readersOf(settings, await alerts.recipients()));
  const same = readers.find(({ address }) => alerts.recipientOf(address).equals(recipient));
  if (same) return same.address;
  const moved = readers.find((one) => one.id === recipientId);
  return moved && (await alerts.readdress(id, moved)) ? moved.address : null;
}

/**
 * Ends an alert whose reader has gone. One that nobody else was told, and that is of a kind which somebody must hear of, goes
 * to everybody who wants it now, or waits for somebody (`noteAlert`). Returns whether nobody was there.
 */
export async function handOn(tenant: Tenant, settings: Shop, alert: AlertMail): Promise<boolean> {
  const { id, occurrence, facts, recipient } = alert;
  // When two lose their readers at once, one must see that the other is gone.
  await tenant.alerts.lockRecipients();
  if (KEPT_KINDS.includes(alert.kind) && !(await tenant.alerts.isNotedBeside(alert))) {
    const noted = await noteAlert(tenant, settings, { occurrence, facts, at: alert.notedAt });
    const isNobodys = recipient.equals(tenant.alerts.recipientOf(NO_READER.address));
    if (noted > 0 || !isNobodys) await tenant.alerts.forget(id);
    return noted === 0;
  }
  await tenant.alerts.forget(id);
  return false;
}
