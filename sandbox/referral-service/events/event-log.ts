import { randomUUID } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Faults } from "../faults/faults.ts";
import type { Stores } from "../storage/stores.ts";
import type { EventType } from "./event.ts";

/** How long a delivery is held back so that the next one overtakes it (fault `reorder`). */
const reorderDelayMs = 400;

export interface EventLog {
  /**
   * Notes an event for the organisation's webhook. Called inside the transaction that makes the
   * change, so that a change and its announcement are stored together or not at all.
   */
  emit(input: {
    organisationId: number;
    type: EventType;
    referralUuid: string;
    resultUuid?: string | null;
  }): void;
  /** Called after each emitted event; the deliverer listens. */
  onEmit(listener: () => void): void;
}

/** Writes events into the delivery outbox; without a webhook there is nobody to tell. */
export function createEventLog(options: {
  stores: Stores;
  clock: Clock;
  faults: Faults;
}): EventLog {
  const { stores, clock, faults } = options;
  const holdingBack = new Set<number>();
  let listener = () => {};

  /** Only the first of two events in a row is held back; delaying both would change nothing. */
  const delayMs = (organisationId: number): number => {
    const { settings, webhooks } = faults.of(organisationId);
    if (holdingBack.delete(organisationId)) return settings.webhooks.delayMs;
    if (!webhooks.reorder.hits()) return settings.webhooks.delayMs;
    holdingBack.add(organisationId);
    return settings.webhooks.delayMs + reorderDelayMs;
  };

  return {
    emit({ organisationId, type, referralUuid, resultUuid = null }) {
      if (!stores.webhooks.find(organisationId)) return;
      stores.deliveries.add({
        id: `dlv_${randomUUID()}`,
        organisationId,
        eventId: `evt_${randomUUID()}`,
        event: type,
        referralUuid,
        resultUuid,
        createdAtMs: clock.nowMs(),
        state: "waiting",
        nextAttemptAtMs: Date.now() + delayMs(organisationId),
      });
      listener();
    },
    onEmit(next) {
      listener = next;
    },
  };
}
