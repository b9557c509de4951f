import type { Core } from "../core.ts";
import type { Attempt, Delivery } from "./delivery-store.ts";
import { payloadOf, shapeHeaders } from "./payload.ts";
import { signatureHeaders } from "./sign-delivery.ts";
import type { Webhook } from "./webhook-store.ts";

/** How long an endpoint may take to answer. */
const attemptTimeoutMs = 5000;

/** Waits between attempts, by pace; after the last one a delivery has failed. */
const retryDelaysMs = {
  instant: [250, 1000, 4000, 15_000, 60_000, 300_000, 1_800_000, 7_200_000],
  natural: [5000, 30_000, 120_000, 600_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000],
} as const;

/** How many due deliveries are looked at in one go; some may wait for one of the same referral. */
const lookAhead = 64;

/** Deliveries under way at once. */
const concurrency = 16;

export interface Deliverer {
  /** Looks for due deliveries now. */
  wake(): void;
  /** Sends a logged event once more, whatever became of it before. */
  redeliver(delivery: Delivery): void;
  stop(): void;
}

async function send(webhook: Webhook, delivery: Delivery): Promise<Attempt> {
  const startedAtMs = Date.now();
  const body = JSON.stringify(
    payloadOf({ ...delivery, id: delivery.eventId, type: delivery.event }, webhook.shape),
  );
  const finish = (status: number | null, error: string | null): Attempt => ({
    at: new Date(startedAtMs).toISOString(),
    status,
    ms: Date.now() - startedAtMs,
    error,
  });
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        "user-agent": "referral-service-events/1",
        ...shapeHeaders({ type: delivery.event }, webhook.shape),
        ...signatureHeaders(webhook, {
          eventId: delivery.eventId,
          // The receiver compares this with its own clock, which POST /clock does not move.
          timestampSeconds: Math.floor(startedAtMs / 1000),
          body,
        }),
      },
      body,
      signal: AbortSignal.timeout(attemptTimeoutMs),
    });
    await response.body?.cancel();
    return finish(response.status, response.ok ? null : "the endpoint did not accept the event");
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    return finish(null, timedOut ? "the endpoint did not answer in time" : "no connection");
  }
}

/**
 * Sends events from the outbox until they are accepted or their retries are used up. Events of one
 * referral go out one after the other; a failed one does not hold back the next.
 */
export function createDeliverer(core: Core): Deliverer {
  const { stores, faults, options } = core;
  const busy = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let wakeAtMs = Number.POSITIVE_INFINITY;
  let stopped = false;

  const wakeAt = (atMs: number) => {
    if (stopped || atMs >= wakeAtMs) return;
    if (timer !== null) clearTimeout(timer);
    wakeAtMs = atMs;
    timer = setTimeout(look, Math.max(0, atMs - Date.now()));
  };

  const settle = (delivery: Delivery, attempt: Attempt) => {
    const attempts = [...delivery.attempts, attempt];
    const now = stores.deliveries.find(delivery.organisationId, delivery.id);
    if (now && now.nextAttemptAtMs !== delivery.nextAttemptAtMs) {
      // Somebody asked for it again while it was on its way.
      stores.deliveries.save({ ...now, attempts });
      return;
    }
    if (attempt.error === null) {
      stores.deliveries.save({ ...delivery, attempts, state: "delivered", nextAttemptAtMs: null });
      return;
    }
    const delays = retryDelaysMs[options.pace];
    const delayMs = delays[Math.min(attempts.length, delays.length + 1) - 1];
    const nextAttemptAtMs = delayMs === undefined ? null : Date.now() + delayMs;
    const state = nextAttemptAtMs === null ? "failed" : "waiting";
    stores.deliveries.save({ ...delivery, attempts, state, nextAttemptAtMs });
  };

  const attempt = async (delivery: Delivery) => {
    const webhook = stores.webhooks.find(delivery.organisationId);
    if (!webhook) {
      stores.deliveries.save({ ...delivery, state: "dropped", nextAttemptAtMs: null });
      return;
    }
    const { webhooks } = faults.of(delivery.organisationId);
    if (delivery.attempts.length === 0 && webhooks.drop.hits()) {
      stores.deliveries.save({ ...delivery, state: "dropped", nextAttemptAtMs: null });
      return;
    }
    const outcome = await send(webhook, delivery);
    if (!stopped) settle(delivery, outcome);
    if (!stopped && webhooks.duplicate.hits()) await send(webhook, delivery);
  };

  const start = (delivery: Delivery) => {
    busy.add(delivery.id);
    busy.add(delivery.referralUuid);
    attempt(delivery)
      .catch((error: unknown) => console.error("a delivery could not be made", error))
      .finally(() => {
        busy.delete(delivery.id);
        busy.delete(delivery.referralUuid);
        if (!stopped) wakeAt(Date.now());
      });
  };

  const look = () => {
    timer = null;
    wakeAtMs = Number.POSITIVE_INFINITY;
    if (stopped) return;
    const underWay = () => busy.size / 2;
    // One instant for both questions: what falls due between them must not be forgotten.
    const nowMs = Date.now();
    for (const delivery of stores.deliveries.due(nowMs, lookAhead)) {
      if (underWay() >= concurrency) break;
      if (!busy.has(delivery.referralUuid)) start(delivery);
    }
    const nextDueAtMs = stores.deliveries.nextDueAfterMs(nowMs);
    // A due delivery waits for one that is under way, whose end looks again.
    if (nextDueAtMs !== null) wakeAt(nextDueAtMs);
  };

  core.events.onEmit(() => wakeAt(Date.now()));
  return {
    wake: () => wakeAt(Date.now()),
    redeliver(delivery) {
      stores.deliveries.save({ ...delivery, state: "waiting", nextAttemptAtMs: Date.now() });
      wakeAt(Date.now());
    },
    stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
