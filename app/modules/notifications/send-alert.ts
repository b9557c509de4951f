import type { ShopDomain } from "../kernel/ids.ts";
import type { TriedMail } from "../kernel/jobs.ts";
import type { Mail } from "../kernel/notification.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { AlertMail } from "../shops/alert.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { findReader, handOn } from "./notifications/alert-reader.ts";
import { composeAlert } from "./notifications/compose-alert.ts";
import { deliverMail } from "./notifications/deliver-mail.ts";
import { isAlertTrue } from "./notifications/is-alert-true.ts";
import { putOffAt } from "./notifications/put-off.ts";
import { nextTry, unclearFrom } from "./notifications/unclear-mails.ts";

/**
 * For so long an alert is tried that the server may have taken, or that it refuses for now. A server that still does so then
 * refuses it for good.
 */
const PATIENCE_MS = 24 * 3_600_000;

export type SendAlertOutcome =
  | "sent"
  | "not_due"
  /** Nobody is there to read it. What somebody must hear of waits. */
  | "no_reader"
  | "refused";

/**
 * Emails one alert to one person once. A process that dies meanwhile sends it again, as every email
 * (`deliverMail`). One that is not true any more, or that the person does not want any more, is forgotten, unless nobody else
 * would hear of it (`handOn`). An address that the server refuses for good is asked again with the next alert.
 */
export async function sendAlert(
  {
    tenancy,
    mailer,
    clock,
    ...addresses
  }: Pick<Ports, "tenancy" | "mailer" | "clock" | "adminPageUrl" | "appUrl">,
  { shop, alertId, unclearSince }: { shop: ShopDomain; alertId: string } & TriedMail,
): Promise<SendAlertOutcome> {
  const mail = await tenancy.inShop(shop, (tenant) => dueMail(tenant, alertId, addresses));
  if (typeof mail === "string") return mail;
  const since = unclearFrom(unclearSince, clock.now());
  return deliverMail(
    { mailer, clock },
    { shop, mail: { ...mail, key: alertId } },
    {
      recordSent: (at) => tenancy.inShop(shop, ({ alerts }) => alerts.markSent(alertId, at)),
      recordRefused: ({ isFinal, at }) =>
        tenancy.inShop(shop, async ({ alerts }) => {
          const isOver = isFinal || (await isPutOffForGood(alerts, alertId, at));
          if (isOver) await alerts.markRefused(alertId, at);
          return isOver;
        }),
      recordUnclear: async (at) => {
        const startAfter = nextTry({ since, now: at, patienceMs: PATIENCE_MS });
        const job = { name: "send-alert", shop, alertId, unclearSince: since.getTime() } as const;
        if (startAfter) await tenancy.inShop(shop, ({ jobs }) => jobs.enqueue(job, { startAfter }));
      },
    },
  );
}

/** The email as it is to be sent, or why it is not sent. */
async function dueMail(
  tenant: Tenant,
  alertId: string,
  addresses: Pick<Ports, "adminPageUrl" | "appUrl">,
): Promise<Mail | "not_due" | "no_reader"> {
  const alert = await tenant.alerts.find(alertId);
  if (!alert || alert.sentAt) return "not_due";
  const settings = await findInstalled(tenant);
  if (!settings || !(await isAlertTrue(tenant, alert.facts))) {
    await tenant.alerts.forget(alertId);
    return "not_due";
  }
  const to = await findReader(tenant, settings, alert);
  if (!to) return (await handOn(tenant, settings, alert)) ? "no_reader" : "not_due";
  const name = tenant.shop.replace(".myshopify.com", "");
  return composeAlert(alert.facts, {
    to,
    settings,
    orderName: await orderNameOf(tenant, alert),
    pageUrl: (path) => addresses.adminPageUrl(tenant.shop, path),
    stopUrl: `${addresses.appUrl}/stop/${name}.${tenant.alerts.stopTokenOf(to, alert.kind)}`,
  });
}

/** Notes that the server refuses an alert for now, and says whether it has for long enough. */
async function isPutOffForGood(
  alerts: Tenant["alerts"],
  alertId: string,
  now: Date,
): Promise<boolean> {
  const alert = await alerts.find(alertId);
  if (!alert) return true;
  const putOff = putOffAt(alert.putOff, { by: alert.recipient, now });
  await alerts.markPutOff(alertId, putOff);
  return now.getTime() - putOff.since.getTime() >= PATIENCE_MS;
}

async function orderNameOf({ orders }: Tenant, { facts }: AlertMail): Promise<string> {
  if (facts.kind !== "critical_held") return "";
  const { orderId } = facts;
  return (await orders.namesOf([orderId])).get(orderId) ?? "";
}
