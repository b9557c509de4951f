import { type DueNotification, isNewsKind } from "./notification.ts";
import type { Tenant } from "./tenant.ts";

type Scope = Pick<Tenant, "shop" | "notifications" | "jobs">;

/**
 * Notes that a mail is due and queues it, unless it was noted before. Returns whether it was not. `windowMs`: how long news
 * waits for further news; a job that came sooner would only put it off. Each look at one mail has one key, so that two never send it at once.
 */
export async function queueMail(
  tenant: Scope,
  due: DueNotification,
  { now, windowMs = 0 }: { now: Date; windowMs?: number },
): Promise<boolean> {
  if (!(await tenant.notifications.note(due, now))) return false;
  const waitMs = isNewsKind(due.kind) ? windowMs : 0;
  const later = waitMs > 0 ? { notBefore: new Date(now.getTime() + waitMs) } : {};
  await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due }, later);
  return true;
}

/** Queues what was noted and is not sent, of these requests or of all: what held it back is over. */
export async function queueUnsentMails(tenant: Scope, requestIds?: string[]): Promise<void> {
  for (const due of await tenant.notifications.unsent(requestIds))
    await tenant.jobs.enqueue({ name: "send-mail", shop: tenant.shop, ...due });
}
