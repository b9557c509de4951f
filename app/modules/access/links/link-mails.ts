import type { NotificationKind } from "../../kernel/notification.ts";
import { queueMail } from "../../kernel/queue-mail.ts";
import type { Tenant } from "../tenant.ts";

/** Mails that bring a link because somebody asked for one. */
const KINDS = ["link_renewed", "correction_link"] as const satisfies NotificationKind[];
export type LinkMailKind = (typeof KINDS)[number];

/** More would be a nuisance to whoever owns the address. */
const MAX_MAILS_PER_DAY = 5;
const DAY_MS = 24 * 3_600_000;
/** So long a second press counts as the first: its mail is under way. Later, its link may be used up already. */
const SAME_PRESS_MS = 10 * 60_000;

/** Queues a mail with a link: one for each asking link and kind in ten minutes. False when too many were mailed in a day. */
export async function queueLinkMail(
  tenant: Tenant,
  { requestId, kind, by, now }: { requestId: string; kind: LinkMailKind; by: string; now: Date },
): Promise<boolean> {
  const since = new Date(now.getTime() - DAY_MS);
  if ((await tenant.notifications.countSince(requestId, since, KINDS)) >= MAX_MAILS_PER_DAY)
    return false;
  const due = { requestId, kind, occurrence: `${by} ${Math.floor(now.getTime() / SAME_PRESS_MS)}` };
  await queueMail(tenant, due, { now });
  return true;
}
