import { z } from "zod";
import { integer, integerOrNull, text, textOrNull } from "../storage/column.ts";
import type { Database, Row } from "../storage/database.ts";
import { type EventType, eventTypes } from "./event.ts";

/** One try at sending an event. */
export interface Attempt {
  /** ISO 8601, the machine's time. */
  at: string;
  /** HTTP status of the answer; null when there was none. */
  status: number | null;
  /** From the start to the answer, or to giving up. */
  ms: number;
  error: string | null;
}

export type DeliveryState = "waiting" | "delivered" | "failed" | "dropped";

/** One event on its way to the webhook. Due times are milliseconds of the machine's clock. */
export interface Delivery {
  seq: number;
  id: string;
  organisationId: number;
  eventId: string;
  event: EventType;
  referralUuid: string;
  resultUuid: string | null;
  createdAtMs: number;
  state: DeliveryState;
  attempts: Attempt[];
  nextAttemptAtMs: number | null;
}

export interface DeliveryStore {
  add(delivery: Omit<Delivery, "seq" | "attempts">): void;
  save(delivery: Delivery): void;
  find(organisationId: number, id: string): Delivery | null;
  newest(organisationId: number, limit: number): Delivery[];
  /** Due deliveries, oldest first. */
  due(nowMs: number, limit: number): Delivery[];
  /** When the first delivery after this instant falls due. */
  nextDueAfterMs(nowMs: number): number | null;
}

const state = z.enum(["waiting", "delivered", "failed", "dropped"]);
const eventType = z.enum(eventTypes);

function fromRow(row: Row): Delivery {
  const attempts: Attempt[] = JSON.parse(text(row, "attempts"));
  return {
    seq: integer(row, "seq"),
    id: text(row, "id"),
    organisationId: integer(row, "organisation_id"),
    eventId: text(row, "event_id"),
    event: eventType.parse(text(row, "event")),
    referralUuid: text(row, "referral_uuid"),
    resultUuid: textOrNull(row, "result_uuid"),
    createdAtMs: integer(row, "created_ms"),
    state: state.parse(text(row, "state")),
    attempts,
    nextAttemptAtMs: integerOrNull(row, "next_attempt_ms"),
  };
}

/** The delivery log and outbox in one table. */
export function createDeliveryStore(database: Database): DeliveryStore {
  return {
    add(delivery) {
      database.run(
        `INSERT INTO deliveries (id, organisation_id, event_id, event, referral_uuid, result_uuid,
           created_ms, state, next_attempt_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        delivery.id,
        delivery.organisationId,
        delivery.eventId,
        delivery.event,
        delivery.referralUuid,
        delivery.resultUuid,
        delivery.createdAtMs,
        delivery.state,
        delivery.nextAttemptAtMs,
      );
    },
    save(delivery) {
      database.run(
        "UPDATE deliveries SET state = ?, attempts = ?, next_attempt_ms = ? WHERE seq = ?",
        delivery.state,
        JSON.stringify(delivery.attempts),
        delivery.nextAttemptAtMs,
        delivery.seq,
      );
    },
    find(organisationId, id) {
      const row = database.get(
        "SELECT * FROM deliveries WHERE id = ? AND organisation_id = ?",
        id,
        organisationId,
      );
      return row ? fromRow(row) : null;
    },
    newest: (organisationId, limit) =>
      database
        .all(
          "SELECT * FROM deliveries WHERE organisation_id = ? ORDER BY seq DESC LIMIT ?",
          organisationId,
          limit,
        )
        .map(fromRow),
    due: (nowMs, limit) =>
      database
        .all(
          "SELECT * FROM deliveries WHERE next_attempt_ms <= ? ORDER BY next_attempt_ms, seq LIMIT ?",
          nowMs,
          limit,
        )
        .map(fromRow),
    nextDueAfterMs(nowMs) {
      const row = database.get(
        "SELECT MIN(next_attempt_ms) AS due FROM deliveries WHERE next_attempt_ms > ?",
        nowMs,
      );
      return row ? integerOrNull(row, "due") : null;
    },
  };
}
