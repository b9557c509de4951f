import { retryUntil } from "../../platform/retry-until.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import { type Mail, RecipientRefusedError } from "../kernel/notification.ts";
import type { Ports } from "../privacy/ports.ts";
import type { Tenant } from "../privacy/tenant.ts";
import type { Connection, Environment } from "../shops/connection.ts";
import { helpOf } from "../shops/customer-help.ts";
import { findInstalled } from "../shops/find-installed.ts";
import { layOutEmail } from "../shops/lay-out-email.ts";
import type { Shop } from "../shops/shop.ts";

/** The merchant is emailed of an outage that has lasted so long: a shorter one is over before anybody could act. */
export const ALERT_AFTER_MS = 5 * 60_000;

/** How long a mail that is out is tried to be written down: longer than a database takes to come up again. */
const RECORDING = { forMs: 20_000, everyMs: 250 };

type AlertOutcome = "outage_told" | "end_told" | "nothing_to_tell";

/**
 * Emails the merchant once that the service is away where the shop's orders go, and once that it is back. The connection
 * notes which outage was told, whichever process told it. Should the process die between the outgoing server's yes and
 * the note, the email is sent again. An address that refuses it for good is not asked again for this outage.
 */
export async function alertOutage(
  {
    tenancy,
    mailer,
    clock,
    adminPageUrl,
  }: Pick<Ports, "tenancy" | "mailer" | "clock" | "adminPageUrl">,
  { shop, environment }: { shop: ShopDomain; environment: Environment },
): Promise<AlertOutcome> {
  const due = await tenancy.inShop(shop, (tenant) => dueAlert(tenant, environment, clock.now()));
  if (!due) return "nothing_to_tell";
  const { told, toldBefore } = due;
  const url = adminPageUrl(shop, "/app/settings/connection");
  try {
    await mailer.send(shop, composeAlert(due, url));
  } catch (error) {
    if (!(error instanceof RecipientRefusedError && error.isFinal)) throw error;
  }
  const change = { from: toldBefore, to: told };
  await retryUntil(
    () =>
      tenancy.inShop(shop, (tenant) => tenant.connections.recordOutageTold(environment, change)),
    RECORDING,
  );
  return told ? "outage_told" : "end_told";
}

interface DueAlert {
  settings: Shop;
  to: string;
  isRefused: boolean;
  /** The beginning of the outage that is told now, and of the one that was told before; null for none. */
  told: Date | null;
  toldBefore: Date | null;
}

/** Null also for a shop that has left, and while there is nobody to write to. */
async function dueAlert(
  tenant: Tenant,
  environment: Environment,
  now: Date,
): Promise<DueAlert | null> {
  const settings = await findInstalled(tenant);
  const connection = await tenant.connections.find(environment);
  if (!settings?.contactEmail || !connection) return null;
  const told = toldOf(connection, { isLive: settings.environment === environment, now });
  if (told === undefined) return null;
  return {
    ...{ settings, to: settings.contactEmail, told, toldBefore: connection.outageToldSince },
    isRefused: connection.failing?.code === "referral_service_unauthorized",
  };
}

/** The outage to tell, null for the end of the one that was told, undefined for nothing. */
function toldOf(
  { failing, outageToldSince }: Connection,
  { isLive, now }: { isLive: boolean; now: Date },
): Date | null | undefined {
  // Calls may have been answered in between: it goes on, as whoever was told sees it.
  if (outageToldSince) return failing ? undefined : null;
  const isLong = failing && now.getTime() - failing.since.getTime() >= ALERT_AFTER_MS;
  return isLive && isLong ? failing.since : undefined;
}

/** Says nothing of patients, products or orders. */
function composeAlert({ settings, to, isRefused, told, toldBefore }: DueAlert, url: string): Mail {
  const since = momentOf(told ?? toldBefore ?? new Date(0), settings.timeZone);
  const words = !told
    ? {
        subject: "The referral service answers again",
        text: `The referral service had not answered since ${since}. It answers again. Paid orders that waited go on by themselves. You don’t need to do anything.`,
      }
    : isRefused
      ? {
          subject: "The referral service doesn’t accept your credentials",
          text: `The referral service has refused your credentials since ${since}. Paid orders are stored and wait. Enter new credentials in the settings, then test the connection. We will email you when it answers again.`,
        }
      : {
          subject: "The referral service doesn’t answer",
          text: `The referral service has not answered since ${since}. Paid orders are stored and sent by themselves once it answers. You don’t need to do anything. If it lasts longer than an hour, ask the service’s support. We will email you when it answers again.`,
        };
  return layOutEmail({
    ...{ to, subject: words.subject, about: null, paragraphs: [words.text] },
    action: { label: "See the connection", url },
    afterwards: ["The link opens Pathway in your Shopify admin."],
    help: helpOf(settings),
    stop: null,
  });
}

const momentOf = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat("en-AU", {
    ...{ day: "numeric", month: "short", year: "numeric" },
    ...{ hour: "numeric", minute: "2-digit", timeZoneName: "short", timeZone },
  }).format(at);
