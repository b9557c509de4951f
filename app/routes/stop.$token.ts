import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { stopReminders } from "../modules/access/stop-reminders.ts";
import { customerHelp } from "../modules/shops/customer-help.ts";
import { readStopLink, type StopLink, stopAlerts } from "../modules/shops/stop-alerts.ts";
import { readToken } from "../web/customer-interface/token.ts";
import { despiteOutage } from "../web/customer-pages/despite-outage.ts";
import {
  alertsStoppedPage,
  messagePage,
  stopAlertsPage,
  stopPage,
} from "../web/customer-pages/message-pages.tsx";
import { hostedPage, NO_SHOP } from "../web/customer-pages/page-response.tsx";

/**
 * GET /stop/{token}: asks before it stops anything, and says so where nothing is left to stop. A link that is none of alerts has
 * the page of reminders, whatever it is: nothing is given away.
 */
async function load({ params, context }: LoaderFunctionArgs) {
  const { ports } = context.app;
  const link = readToken(params.token);
  const help = (link && (await customerHelp(ports, link.shop))) ?? NO_SHOP;
  const alerts = link && (await readStopLink(ports, link));
  return hostedPage(pageOf(alerts), { help });
}

function pageOf(alerts: StopLink | null) {
  if (!alerts) return stopPage();
  return alerts.isDue ? stopAlertsPage(alerts.kind) : alertsStoppedPage(alerts.kind);
}

/**
 * POST: no more of these emails, by the page's button or by one click in a mail program (RFC 8058). A program that posts nothing,
 * to see what comes, sees the page.
 */
async function act(args: ActionFunctionArgs) {
  const { request, params, context } = args;
  const { ports } = context.app;
  // A body that is no form says nothing.
  const form = await request.formData().catch(() => new FormData());
  const isMeant = form.get("intent") === "stop" || form.get("List-Unsubscribe") === "One-Click";
  if (!isMeant) return load(args);
  const link = readToken(params.token);
  const alerts = link && (await stopAlerts(ports, link));
  if (link && !alerts) await stopReminders(ports, link);
  const help = (link && (await customerHelp(ports, link.shop))) ?? NO_SHOP;
  const page = alerts ? alertsStoppedPage(alerts) : messagePage("stop.stopped");
  return hostedPage(page, { help });
}

export const loader = despiteOutage(load);
export const action = despiteOutage(act);
