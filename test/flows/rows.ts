import { z } from "zod";
import type { Sql } from "../harness/index.ts";

const requestRow = z.object({
  id: z.string(),
  state: z.string(),
  reviewReason: z.string().nullable(),
  unit: z.number(),
  attempt: z.number(),
  title: z.string(),
  customerId: z.string().nullable(),
  lineItemId: z.string(),
  referenceNumber: z.string(),
});
export type RequestRow = z.infer<typeof requestRow>;

/** The referral requests of an order, by line and unit. */
export function requestsOf(sql: Sql, orderId: string): Promise<RequestRow[]> {
  return sql.rows(
    requestRow,
    `SELECT id, state, coalesce(result_code, nullif(concat_ws(':', review_code, review_detail), '')) AS "reviewReason", unit, attempt, title, customer_id AS "customerId",
            line_item_id AS "lineItemId", reference_number AS "referenceNumber"
     FROM referral_requests WHERE order_id = $1 ORDER BY line_item_id, unit`,
    [orderId],
  );
}

const orderRow = z.object({
  name: z.string(),
  reviewCode: z.string().nullable(),
  customerId: z.string().nullable(),
  cancelledAt: z.date().nullable(),
});
export type OrderRow = z.infer<typeof orderRow>;

/** An order as the app keeps it. Throws while the app has none, so that it can be waited for. */
export async function orderOf(sql: Sql, orderId: string): Promise<OrderRow> {
  const [order] = await sql.rows(
    orderRow,
    `SELECT name, review_code AS "reviewCode", customer_id AS "customerId", cancelled_at AS "cancelledAt"
     FROM orders WHERE order_id = $1`,
    [orderId],
  );
  if (order === undefined) throw new Error(`the app does not know order ${orderId}`);
  return order;
}

const documentRow = z.object({
  requestId: z.string(),
  customerId: z.string().nullable(),
  kind: z.string(),
  version: z.number(),
  partial: z.boolean(),
  replaced: z.boolean(),
});
export type DocumentRow = z.infer<typeof documentRow>;

/** Every stored version of every document of a request, oldest first. */
export function documentsOf(sql: Sql, requestId: string): Promise<DocumentRow[]> {
  return sql.rows(
    documentRow,
    `SELECT request_id AS "requestId", customer_id AS "customerId", kind, version, partial,
            replaced_at IS NOT NULL AS replaced
     FROM documents WHERE request_id = $1 ORDER BY kind, version`,
    [requestId],
  );
}

/** State of a stored message with this event id; null when nothing was stored. */
export async function inboxState(sql: Sql, eventId: string): Promise<string | null> {
  const [message] = await sql.rows(
    z.object({ state: z.string() }),
    "SELECT state FROM inbox WHERE event_id = $1",
    [eventId],
  );
  return message?.state ?? null;
}

/** Reads the timeline of a request, oldest first. */
export async function timelineOf(sql: Sql, requestId: string): Promise<string[]> {
  const entries = await sql.rows(
    z.object({ kind: z.string() }),
    "SELECT kind FROM timeline WHERE request_id = $1 ORDER BY id",
    [requestId],
  );
  return entries.map(({ kind }) => kind);
}

/**
 * Names of messages and jobs that are still to be worked off, those that wait for a later time left out. A message
 * that was put off for half a minute, until the answer to a create call has told the same, is one of those.
 */
export async function dueWork(sql: Sql): Promise<string[]> {
  const due = await sql.rows(
    z.object({ name: z.string() }),
    `WITH job AS (
       SELECT name, data, state::text, start_after FROM pgboss.job
       WHERE state IN ('created', 'retry', 'active') AND name NOT LIKE '\\_\\_pgboss%'
       UNION ALL SELECT name, payload, 'queued', start_after FROM outbox
     )
     SELECT 'message ' || topic AS name FROM inbox
     WHERE state IN ('received', 'queued') AND NOT EXISTS (
       SELECT FROM job WHERE data->>'inboxId' = inbox.id::text AND start_after > now())
     UNION ALL SELECT name || ', ' || state FROM job WHERE start_after <= now()`,
  );
  return due.map(({ name }) => name);
}
