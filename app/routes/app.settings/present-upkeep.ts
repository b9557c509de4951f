import { VISIBLE_DAYS } from "../../modules/orders/listed-order.ts";
import { DAYS_TO_DO_A_DUTY } from "../../modules/privacy/privacy.ts";
import type { UpkeepOverview } from "../../modules/reports/read-upkeep.ts";
import {
  DUTY_WORDS,
  describeFindings,
  describeReceipt,
  describeStandstill,
} from "../../modules/reports/upkeep-words.ts";

const DAY_MS = 86_400_000;

export type CatchUpView = NonNullable<ReturnType<typeof presentUpkeep>["catchUp"]>;
export type DutyView = ReturnType<typeof presentUpkeep>["duties"][number];

/** Missed orders, privacy requests and retention, in words. */
export function presentUpkeep(
  { catchUp, lastRegular, duties, retentionMonths }: UpkeepOverview,
  now: Date,
) {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  return {
    retentionMonths,
    suggestedSince: daysAgo(14).slice(0, 10),
    visibleSince: daysAgo(VISIBLE_DAYS).slice(0, 10),
    lastRegularAt: lastRegular?.finishedAt?.toISOString() ?? null,
    catchUp: catchUp && {
      isRunning: catchUp.state === "running",
      wasStopped: catchUp.state === "cancelled",
      percent: percentOf(catchUp),
      findings: describeFindings(catchUp),
      standstill: catchUp.failure && describeStandstill(catchUp.failure),
      at: (catchUp.finishedAt ?? catchUp.startedAt).toISOString(),
    },
    duties: duties.map((duty) => ({
      id: duty.inboxId,
      words: DUTY_WORDS[duty.duty],
      askedAt: duty.askedAt.toISOString(),
      dueAt: new Date(duty.askedAt.getTime() + DAYS_TO_DO_A_DUTY * DAY_MS).toISOString(),
      doneAt: duty.doneAt?.toISOString() ?? null,
      receipt: duty.receipt && describeReceipt(duty.receipt),
      customer: duty.customerId?.slice(duty.customerId.lastIndexOf("/") + 1),
      hasPackage: duty.hasPackage,
    })),
  };
}

/** How far the walk has come in time, which costs no call to count the orders first. */
function percentOf({ since, until, reached, state }: NonNullable<UpkeepOverview["catchUp"]>) {
  if (state === "done") return 100;
  if (!reached) return 0;
  const whole = until.getTime() - since.getTime();
  const done = (reached.getTime() - since.getTime()) / Math.max(1, whole);
  return Math.round(100 * Math.min(1, Math.max(0, done)));
}
