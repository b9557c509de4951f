import { presentOutage } from "../../components/feedback/outage-banner.tsx";
import { gidNumber } from "../../modules/kernel/ids.ts";
import type { Waits } from "../../modules/kernel/ports.ts";
import { describeRefused, describeRefusedEvents } from "../../modules/kernel/refusal-words.ts";
import {
  describeOutage,
  describeTestNow,
  ENVIRONMENT_NAMES,
  lastAnsweredAt,
} from "../../modules/lifecycle/connection-words.ts";
import { settledAfterMs } from "../../modules/referrals/resume-after-restore.ts";
import { COUNT_LIMIT } from "../../modules/reports/home-figures.ts";
import { boundedCount } from "../../modules/reports/order-words.ts";
import { OTHER_NAME } from "../../modules/reports/other-store-words.ts";
import { askToReorderAll } from "../../modules/reports/question-words.ts";
import type { HomeOverview, HomeTrends } from "../../modules/reports/read-home.ts";
import {
  describeConnectStep,
  describeMappingStep,
  describeWebhookStep,
  SETUP_STEPS,
} from "../../modules/reports/setup-words.ts";
import { SHOWN_STAGES, STAGE_WORDS } from "../../modules/reports/stage-words.ts";
import { UNHEARD_WORDS } from "../../modules/reports/unheard-words.ts";
import type { WorkHealth } from "../../modules/reports/work-health.ts";
import { describeWaiting, describeWork } from "../../modules/reports/work-health-words.ts";
import type { WebApp } from "../../web-app.ts";
import { presentItem } from "../app.attention/present-attention.ts";

export type HomeView = ReturnType<typeof presentHome>;
export type TrendsView = ReturnType<typeof presentTrends>;

/** Home, in words. */
export function presentHome(
  {
    describeFailure,
    ports,
    serviceAddresses,
  }: Pick<WebApp, "describeFailure" | "ports" | "serviceAddresses">,
  overview: HomeOverview,
  work: WorkHealth,
) {
  const { environment, connection, setup, counts, attention, refusedEvents } = overview;
  const isUnsigned = connection?.signingScheme === "none";
  return {
    now: ports.clock.now().toISOString(),
    // Nobody can go live where production can't be reached.
    steps: SETUP_STEPS.filter(
      ({ isDone }) => isDone !== "isLive" || serviceAddresses.production,
    ).map(({ isDone, ...step }) => ({
      ...step,
      ...(isDone === "isConnected" && describeConnectStep(overview)),
      ...(isDone === "hasMapping" && describeMappingStep(overview)),
      ...(isDone === "hasEvents" &&
        describeWebhookStep({ environment, isUnsigned, refusedEvents })),
      isDone: setup[isDone],
    })),
    accounts: overview.accounts,
    isGuideShown: !setup.isDismissed,
    brokenMappings: overview.brokenMappings,
    otherName: overview.hasOtherName ? OTHER_NAME : null,
    tiles: SHOWN_STAGES.map((stage) => ({
      stage,
      name: STAGE_WORDS[stage].name,
      count: boundedCount(counts[stage], COUNT_LIMIT),
      isSome: counts[stage] > 0,
      url: stage === "attention" ? "/app/attention" : `/app/referrals?status=${stage}`,
    })),
    health: {
      environment: ENVIRONMENT_NAMES[environment],
      isConnected: connection !== null,
      outage: presentOutage(
        describeOutage(overview.failing, { now: ports.clock.now(), describeFailure }),
      ),
      answeredAt: (connection && lastAnsweredAt(connection))?.toISOString() ?? null,
      failure: connection && describeTestNow(connection, describeFailure),
      lastTestedAt: connection?.lastTestedAt?.toISOString() ?? null,
      lastEventAt: connection?.lastEventAt?.toISOString() ?? null,
      syncedThrough: connection?.syncedThrough?.toISOString() ?? null,
      eventsReceived: connection?.eventsReceived ?? 0,
      eventsRepaired: connection?.eventsRepaired ?? 0,
      syncPages: connection?.syncPages ?? null,
      clockSkewMinutes: Math.round(work.clockSkewMs / 60_000),
      work: presentWork(work, { isOutageTold: connection?.failing != null }),
      unreadableEntries: overview.unreadableEntries,
      refused: describeRefused(overview.refusedMessages),
      refusedEvents: describeRefusedEvents(refusedEvents, {
        isOver: !overview.areEventsFailing,
      }),
      areEventsFailing: overview.areEventsFailing,
      pause: presentPause(connection?.pausedAt ?? null, ports.waits),
    },
    attention: attention.map((item) => presentItem({ describeFailure }, item, overview.numberOf)),
    unheard: overview.unheard.map((alert) => UNHEARD_WORDS[alert]),
    billing: presentBilling(overview.billing),
    hasMoreAttention: overview.hasMoreAttention,
  };
}

/** Since when sending is paused, and when it goes on at the earliest; null while nothing is paused. */
function presentPause(since: Date | null, waits: Waits) {
  if (since === null) return null;
  const until = new Date(since.getTime() + settledAfterMs(waits));
  return { since: since.toISOString(), until: until.toISOString() };
}

/** Presents work that does not move and work that waits; null while all is well. */
export function presentWork(work: WorkHealth, told: { isOutageTold?: boolean } = {}) {
  const problems = describeWork(work, told);
  if (problems.length === 0) return null;
  const { hasWorker, troubles } = work;
  return {
    isStopped: !hasWorker || troubles.some(({ kind }) => kind !== "silent"),
    problems: problems.map(({ since, ...words }) => ({
      ...words,
      since: since?.toISOString() ?? null,
    })),
    waiting: describeWaiting(work).map(({ text, since }) => ({ text, since: since.toISOString() })),
  };
}

/** Presents the part of home beneath the fold. */
export function presentTrends({ days, overdue }: HomeTrends) {
  return {
    days,
    overdue: {
      count: overdue.count,
      rows: overdue.latest.map(({ orderId, issuedAt, ...row }) => ({
        ...row,
        number: gidNumber(orderId),
        issuedAt: issuedAt.toISOString(),
      })),
    },
  };
}

/** The banner about tests that the service could not charge for; null when there is nothing to say. */
function presentBilling({ failed, costs, titles, running }: HomeOverview["billing"]) {
  if (failed === 0 && !running) return null;
  return {
    failed,
    question: askToReorderAll(failed, costs, titles),
    running: running && { done: running.done, total: running.total },
  };
}
