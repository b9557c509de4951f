import { VISIBLE_DAYS } from "../../modules/orders/listed-order.ts";
import { DAYS_FOR_A_PRIVACY_REQUEST } from "../../modules/privacy/privacy.ts";
import {
  describeFindings,
  describeKeyWork,
  describeReceipt,
  describeStandstill,
  HELD_REDACTION,
  PRIVACY_REQUEST_WORDS,
} from "../../modules/reports/maintenance-words.ts";
import type { MaintenanceOverview } from "../../modules/reports/read-maintenance.ts";
import { calendarDay } from "../../platform/calendar-day.ts";

const DAY_MS = 86_400_000;

export type OrderImportView = NonNullable<ReturnType<typeof presentMaintenance>["orderImport"]>;
export type PrivacyRequestView = ReturnType<typeof presentMaintenance>["privacyRequests"][number];

/** Import orders, privacy requests and retention, in words. */
export function presentMaintenance(
  {
    orderImport,
    lastRegular,
    privacyRequests,
    retentionMonths,
    isRetentionChosen,
    keyWork,
    timeZone,
  }: MaintenanceOverview,
  now: Date,
) {
  const daysAgo = (days: number) => calendarDay(new Date(now.getTime() - days * DAY_MS), timeZone);
  return {
    retentionMonths,
    isRetentionChosen,
    keyWork: describeKeyWork(keyWork),
    suggestedSince: daysAgo(14),
    visibleSince: daysAgo(VISIBLE_DAYS),
    lastRegularAt: lastRegular?.finishedAt?.toISOString() ?? null,
    orderImport: orderImport && {
      isRunning: orderImport.state === "running",
      wasStopped: orderImport.state === "cancelled",
      percent: percentOf(orderImport),
      findings: describeFindings(orderImport),
      standstill: orderImport.failure && describeStandstill(orderImport.failure),
      at: (orderImport.finishedAt ?? orderImport.startedAt).toISOString(),
    },
    privacyRequests: privacyRequests.map((asked) => ({
      id: asked.inboxId,
      words: PRIVACY_REQUEST_WORDS[asked.kind],
      askedAt: asked.askedAt.toISOString(),
      dueAt: new Date(asked.askedAt.getTime() + DAYS_FOR_A_PRIVACY_REQUEST * DAY_MS).toISOString(),
      doneAt: asked.doneAt?.toISOString() ?? null,
      receipt: asked.receipt && describeReceipt(asked.receipt),
      held: asked.doneAt || !asked.receipt?.newer ? null : HELD_REDACTION,
      customer: asked.customerId?.slice(asked.customerId.lastIndexOf("/") + 1),
      hasExport: asked.hasExport,
    })),
  };
}

/** How far the walk has come in time, which costs no call to count the orders first. */
function percentOf({
  since,
  until,
  reached,
  state,
}: NonNullable<MaintenanceOverview["orderImport"]>) {
  if (state === "done") return 100;
  if (!reached) return 0;
  const whole = until.getTime() - since.getTime();
  const done = (reached.getTime() - since.getTime()) / Math.max(1, whole);
  return Math.round(100 * Math.min(1, Math.max(0, done)));
}
