import type { App } from "../../composition.server.ts";
import { gidNumber } from "../../domain/ids.ts";
import type { HomeOverview } from "../../domain/overview/read-home.ts";
import { describeAttention } from "../../messages/attention.ts";
import { describeTestOutcome, ENVIRONMENT_NAMES } from "../../messages/connection.ts";
import { SETUP_STEPS } from "../../messages/setup.ts";
import { SHOWN_STAGES, STAGE_WORDS } from "../../messages/stages.ts";

export type HomeView = ReturnType<typeof presentHome>;

/** Home, in words. */
export function presentHome(
  { describeFailure, ports }: Pick<App, "describeFailure" | "ports">,
  overview: HomeOverview,
) {
  const { environment, connection, setup, counts, days, attention } = overview;
  return {
    now: ports.clock.now().toISOString(),
    steps: SETUP_STEPS.map(({ isDone, ...step }) => ({ ...step, isDone: setup[isDone] })),
    tiles: SHOWN_STAGES.map((stage) => ({
      stage,
      name: STAGE_WORDS[stage].name,
      count: counts[stage],
      url: `/app/referrals?status=${stage}`,
    })),
    health: {
      environment: ENVIRONMENT_NAMES[environment],
      isConnected: connection !== null,
      failure: describeTestOutcome(connection?.lastTestOutcome ?? null, describeFailure),
      lastTestedAt: connection?.lastTestedAt?.toISOString() ?? null,
      lastEventAt: connection?.lastEventAt?.toISOString() ?? null,
      tailedThrough: connection?.tailedThrough?.toISOString() ?? null,
      eventsRepaired: connection?.eventsRepaired ?? 0,
      tailingPages: connection?.tailingPages ?? null,
      isPaused: connection?.pausedAt != null,
    },
    days,
    billing: presentBilling(overview.billing),
    attention: attention.map(({ orderId, orderName, paidAt, reason, requests }) => ({
      key: `${orderId} ${reason}`,
      url: `/app/orders/${gidNumber(orderId)}`,
      orderName,
      paidAt: paidAt.toISOString(),
      requests,
      ...describeAttention(reason, describeFailure),
    })),
    hasMoreAttention: overview.hasMoreAttention,
  };
}

/** The banner about tests that the service could not charge for; null when there is nothing to say. */
function presentBilling({ failed, bulk }: HomeOverview["billing"]) {
  const isRunning = bulk !== null && bulk.finishedAt === null;
  if (failed === 0 && !isRunning) return null;
  return { failed, running: isRunning ? { done: bulk.done, total: bulk.total } : null };
}
