import { createHmac, randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import { signingSecret } from "../state/credentials.ts";
import type { DeliveryDocument } from "../state/delivery.ts";
import { nextPosition } from "../state/next-id.ts";
import type { Tables } from "../state/tables.ts";

/** Shopify waits five seconds in all and tries eight times more over four hours. */
const timeoutMs = 5_000;
const retryDelaysMs = [60, 120, 300, 600, 1200, 2400, 3600, 6120].map((seconds) => seconds * 1000);
/** A held-back delivery goes out after the next one, or alone after this time. */
const reorderWaitMs = 2_000;
const logLength = 20_000;

export type NewDelivery = Pick<
  DeliveryDocument,
  "id" | "shop" | "eventId" | "topic" | "url" | "apiVersion" | "triggeredAt" | "payload"
>;

export interface WebhookQueue {
  /** Logs the delivery and sends it as soon as its faults allow. */
  send(delivery: NewDelivery): void;
  /** Sends once more at once, with the original body and ids. */
  redeliver(id: string): void;
  /** The headers of a delivery, with the signature that its body really has. */
  headers(delivery: DeliveryDocument): Record<string, string>;
  /** Takes up what a restart interrupted. */
  resume(): void;
  stop(): Promise<void>;
}

export interface WebhookQueueOptions {
  data: Tables;
  clock: Clock;
  faults: Faults;
  /** 1 is Shopify's four hours; 1/240, the default of the program, plays them in a minute. */
  retryScale: number;
  log(line: string): void;
}

export function createWebhookQueue(options: WebhookQueueOptions): WebhookQueue {
  const { data, clock, faults } = options;
  const timers = new Map<string, NodeJS.Timeout>();
  const onTheWire = new Set<Promise<void>>();
  const heldBack = new Set<string>();
  /** Deliveries whose next attempt is made twice at the same time. */
  const twice = new Set<string>();
  const closing = new AbortController();

  const plan = (id: string) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    const dueAtMs = data.deliveries.get(id)?.nextAttemptAtMs ?? null;
    if (dueAtMs === null || closing.signal.aborted) return;
    const start = () => {
      timers.delete(id);
      run(id);
      if (twice.delete(id)) run(id, true);
    };
    const waitMs = dueAtMs - clock.nowMs();
    if (waitMs <= 0) start();
    else timers.set(id, setTimeout(start, Math.min(waitMs, 2 ** 31 - 1)));
  };
  const run = (id: string, isDuplicate = false) => {
    const running = attempt(id, isDuplicate).finally(() => onTheWire.delete(running));
    onTheWire.add(running);
  };
  const unlisten = clock.onAdvance(() => {
    for (const id of [...timers.keys()]) plan(id);
  });

  const due = (id: string, delayMs: number) => {
    const delivery = data.deliveries.get(id);
    if (!delivery) return;
    data.deliveries.put({ ...delivery, nextAttemptAtMs: clock.nowMs() + delayMs });
    plan(id);
  };

  /** A duplicate is a delivery of its own, with the same event id. */
  async function attempt(id: string, isDuplicate: boolean): Promise<void> {
    const delivery = data.deliveries.get(id);
    if (!delivery) return;
    heldBack.delete(id);
    const startedMs = performance.now();
    const at = clock.nowIso();
    const spoilt = faults.webhook("badHmac");
    const sent = isDuplicate ? { ...delivery, id: randomUUID() } : delivery;
    const outcome = await post(sent, headers(sent, spoilt), closing.signal);
    if (closing.signal.aborted) return; // the attempt stays due and is repeated after a restart
    const ms = Math.round(performance.now() - startedMs);
    settle(id, { at, ms, ...outcome });
    for (const held of heldBack) {
      heldBack.delete(held);
      due(held, 0);
    }
  }

  /** Writes down one attempt and plans the next one if it failed. */
  function settle(id: string, made: DeliveryDocument["attempts"][number]): void {
    const delivery = data.deliveries.get(id); // read again: the twin of a duplicate may have written
    if (!delivery) return;
    const attempts = [...delivery.attempts, made];
    const delivered = attempts.some((entry) => isSuccess(entry.status));
    const failures = attempts.filter((entry) => !isSuccess(entry.status)).length;
    const retryInMs = delivered ? undefined : retryDelaysMs[failures - 1];
    const nextAttemptAtMs =
      retryInMs === undefined ? null : clock.nowMs() + retryInMs * options.retryScale;
    data.deliveries.put({ ...delivery, attempts, nextAttemptAtMs });
    if (!isSuccess(made.status)) {
      options.log(`webhook ${delivery.topic} ${id} failed: ${made.status ?? made.error}`);
    }
    plan(id);
  }

  function headers(delivery: DeliveryDocument, spoilt: boolean): Record<string, string> {
    const secret = spoilt ? "not the app's secret" : signingSecret({ data });
    return {
      "Content-Type": "application/json",
      "User-Agent": "Shopify-Captain-Hook",
      "X-Shopify-Topic": delivery.topic,
      "X-Shopify-Hmac-Sha256": createHmac("sha256", secret)
        .update(delivery.payload)
        .digest("base64"),
      "X-Shopify-Shop-Domain": delivery.shop,
      "X-Shopify-API-Version": delivery.apiVersion,
      "X-Shopify-Webhook-Id": delivery.id,
      "X-Shopify-Event-Id": delivery.eventId,
      "X-Shopify-Triggered-At": delivery.triggeredAt,
    };
  }

  const prune = () => {
    for (const delivery of data.deliveries.all()) {
      if (data.deliveries.size <= logLength) return;
      if (delivery.nextAttemptAtMs === null) data.deliveries.delete(delivery.id);
    }
  };

  return {
    headers: (delivery) => headers(delivery, false),
    send(delivery) {
      const dropped = faults.webhook("drop");
      data.deliveries.put({
        ...delivery,
        attempts: [],
        nextAttemptAtMs: null,
        dropped,
        sequence: nextPosition(data, "delivery"),
      });
      if (data.deliveries.size > logLength * 1.1) prune();
      if (dropped) return;
      const { delayMs } = faults.current().webhooks;
      if (faults.webhook("duplicate")) twice.add(delivery.id);
      const holdBack = faults.webhook("reorder");
      if (holdBack) heldBack.add(delivery.id);
      due(delivery.id, holdBack ? delayMs + reorderWaitMs : delayMs);
    },
    redeliver(id) {
      due(id, 0);
    },
    resume() {
      for (const delivery of data.deliveries.all()) plan(delivery.id);
    },
    async stop() {
      unlisten();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      closing.abort();
      await Promise.all(onTheWire);
    },
  };
}

const isSuccess = (status: number | null): boolean =>
  status !== null && status >= 200 && status < 300;

type Outcome = { status: number | null; error: string | null };

/** One POST. Resolves with what happened; never rejects. */
async function post(
  delivery: Pick<DeliveryDocument, "url" | "payload">,
  headers: Record<string, string>,
  closing: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(delivery.url, {
      method: "POST",
      headers,
      body: delivery.payload,
      redirect: "manual",
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), closing]),
    });
    await response.arrayBuffer();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no answer within 5 s";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
