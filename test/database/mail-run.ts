import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { Mail } from "../../app/modules/kernel/notification.ts";
import { mailNewAddress } from "../../app/modules/notifications/mail-new-address.ts";
import { sendAlert } from "../../app/modules/notifications/send-alert.ts";
import { sendNotification } from "../../app/modules/notifications/send-notification.ts";
import { sendReminder } from "../../app/modules/notifications/send-reminder.ts";
import { escalateHold } from "../../app/modules/referrals/escalate-hold.ts";
import { movableClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import { EMPTY_JOURNAL } from "./empty-journal.ts";
import { IN_DATABASE } from "./in-database.ts";

export const DAY_MS = 86_400_000;

/** Starts what a shop's emails and reminders need, with every email kept, newest last. */
export function mailRun(db: TestDatabase, shop: ShopDomain, clock = movableClock()) {
  const mails: Mail[] = [];
  const ports = {
    tenancy: db.tenancy,
    clock,
    documentBodies: IN_DATABASE,
    appUrl: "https://app.example",
    accountPageUrl: () => "https://shop.example/apps/pathway",
    adminPageUrl: (_shop: ShopDomain, path: string) => `https://admin.example${path}`,
    waits: {
      createTimeoutMs: 1,
      quarantineMs: 1,
      documentOverdueMs: 600_000,
      erasureDelayMs: 0,
      syncIntervalMs: 1,
      reminderDayMs: DAY_MS,
      mailWindowMs: 0,
      escalationHourMs: 3_600_000,
    },
    mailJournal: EMPTY_JOURNAL,
    mailer: {
      async send(_shop: ShopDomain, mail: Mail) {
        mails.push({ ...mail, to: [mail.to, ...(mail.alsoTo ?? [])].join(", ") });
        return [];
      },
    },
  };
  return {
    clock,
    mails,
    ports,
    /** Runs what is due in the outbox, once each, until nothing is. */
    async runJobs(): Promise<void> {
      for (;;) {
        const { rows } = await db.pool.query(
          // The database's own clock stamps work that is to be done at once.
          `DELETE FROM outbox WHERE shop = $1 AND (start_after = created_at OR start_after <= $2)
           RETURNING name, payload`,
          [shop, new Date(clock.now())],
        );
        if (rows.length === 0) return;
        for (const { name, payload } of rows) {
          if (name === "send-mail") await sendNotification(ports, { shop, ...payload });
          if (name === "send-alert") await sendAlert(ports, { shop, ...payload });
          if (name === "escalate-hold") await escalateHold(ports, { shop, ...payload });
          if (name === "send-reminder") await sendReminder(ports, { shop, ...payload });
          if (name === "mail-new-address") await mailNewAddress(ports, { shop, ...payload });
        }
      }
    },
  };
}

/** The token in a mail's address of this page; empty when it has none. */
export const tokenOf = (mail: Mail | undefined, page = "t"): string =>
  new RegExp(`https://app\\.example/${page}/[a-z0-9-]+\\.([\\w-]{43})`).exec(
    mail?.text ?? "",
  )?.[1] ?? "";
