import { createSmtpMailer } from "../../app/clients/mail/smtp-mailer.ts";
import type { ShopDomain } from "../../app/modules/kernel/ids.ts";
import type { Mail } from "../../app/modules/kernel/notification.ts";
import { sendAlert } from "../../app/modules/notifications/send-alert.ts";
import { movableClock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";

/** Starts what a shop's alerts need: the outgoing server at `url`, and the jobs that email them. */
export function alertRun(db: TestDatabase, shop: ShopDomain, url: string) {
  const clock = movableClock();
  const smtp = createSmtpMailer({ url, from: "Pathway <mail@pathway.example>" });
  const mails: Mail[] = [];
  const ports = {
    tenancy: db.tenancy,
    clock,
    appUrl: "https://app.example",
    adminPageUrl: (_shop: ShopDomain, path: string) => `https://admin.example${path}`,
    mailer: {
      async send(of: ShopDomain, mail: Mail) {
        mails.push({ ...mail, to: [mail.to, ...(mail.alsoTo ?? [])].join(", ") });
        return smtp.send(of, mail);
      },
    },
  };
  return {
    clock,
    mails,
    ports,
    /** Runs the queued jobs once each and answers their outcomes. One that fails stays queued, as in the engine. */
    async runJobs(): Promise<string[]> {
      const { rows } = await db.pool.query<{ id: string; alertId: string }>(
        `SELECT id, payload->>'alertId' AS "alertId" FROM outbox
         WHERE shop = $1 AND name = 'send-alert' ORDER BY id`,
        [shop],
      );
      const outcomes: string[] = [];
      for (const { id, alertId } of rows) {
        try {
          outcomes.push(await sendAlert(ports, { shop, alertId }));
        } catch (error) {
          outcomes.push(error instanceof Error ? error.message : "failed");
          continue;
        }
        await db.pool.query("DELETE FROM outbox WHERE id = $1", [id]);
      }
      return outcomes;
    },
    /** Each email that was noted, and whether it was sent. */
    async rows(): Promise<{ kind: string; is_sent: boolean }[]> {
      const { rows } = await db.pool.query(
        "SELECT kind, sent_at IS NOT NULL AS is_sent FROM alert_mails WHERE shop = $1 ORDER BY noted_at",
        [shop],
      );
      return rows;
    },
  };
}
