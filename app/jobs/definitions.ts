/** Long because it is one table: every kind of work, each with its payload, its key and its handler. */

import { z } from "zod";
import { publishProduct } from "../modules/catalogue/publish-details.ts";
import { readStorePage, rereadProduct } from "../modules/catalogue/read-store.ts";
import { reconcileWaiting } from "../modules/catalogue/reconcile-waiting.ts";
import { refreshCatalogue } from "../modules/catalogue/refresh-catalogue.ts";
import { mappingChanges } from "../modules/catalogue/work-run.ts";
import type { BatchKind } from "../modules/kernel/batch.ts";
import type { Turn } from "../modules/kernel/jobs.ts";
import { type BatchHandler, workBatch } from "../modules/kernel/work-batch.ts";
import { alertOutage } from "../modules/lifecycle/alert-outage.ts";
import { maintainShop } from "../modules/lifecycle/maintain-shop.ts";
import { startOutageFlow } from "../modules/lifecycle/start-outage-flow.ts";
import { mailNewAddress } from "../modules/notifications/mail-new-address.ts";
import { sendAlert } from "../modules/notifications/send-alert.ts";
import { sendNotification } from "../modules/notifications/send-notification.ts";
import { sendReminder } from "../modules/notifications/send-reminder.ts";
import { handleWebhook } from "../modules/orders/handle-webhook.ts";
import { importOrders } from "../modules/orders/import-orders.ts";
import { indexOrders } from "../modules/orders/index-orders.ts";
import { publishOrderStatus } from "../modules/orders/publish-order-status.ts";
import { reconcileOrder } from "../modules/orders/reconcile-order.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import { doPrivacyRequest } from "../modules/privacy/do-privacy-request.ts";
import { eraseRequest } from "../modules/privacy/erase-own-data.ts";
import { replayErasures } from "../modules/privacy/replay-erasures.ts";
import { correctReferrals } from "../modules/referrals/correct-referrals.ts";
import { createReferral } from "../modules/referrals/create-referral.ts";
import { deleteReferrals } from "../modules/referrals/delete-referrals.ts";
import { escalateHold } from "../modules/referrals/escalate-hold.ts";
import type { ServiceEventReader } from "../modules/referrals/event-types.ts";
import { handleServiceEvent } from "../modules/referrals/handle-service-event.ts";
import { moveDocuments } from "../modules/referrals/move-documents.ts";
import { refetchWhenDue } from "../modules/referrals/refetch-when-due.ts";
import { reorders } from "../modules/referrals/reorder-billing-failed.ts";
import { resolveAmbiguous } from "../modules/referrals/resolve-ambiguous.ts";
import { syncConnection } from "../modules/referrals/sync-connection.ts";
import { tellWaiting } from "../modules/referrals/tell-waiting.ts";
import { advanceSimulation } from "../modules/reports/advance-simulation.ts";
import { alertAttention } from "../modules/reports/alert-attention.ts";
import { alertDaily } from "../modules/reports/alert-daily.ts";
import type { Job, JobName } from "../modules/reports/jobs.ts";
import { orderActions } from "../modules/reports/order-actions.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";
import { readStoreFacts } from "../modules/shops/read-store-facts.ts";
import type { Ports, Tenant } from "../ports.ts";
import {
  connection,
  inbox,
  look,
  milestone,
  notification,
  ofShop,
  order,
  orderId,
  product,
  reminder,
  request,
  shop,
  sold,
  triedMail,
  uuid,
} from "./payloads.ts";

export type TaskPorts = Ports & {
  readMessage: StoreMessageReader;
  readEvent: ServiceEventReader;
};

/** How much of one kind of work runs side by side in one process. */
export interface ConcurrencyLimits {
  slots: number;
  /** The slots that one shop may have. The rest is for other shops, however long their jobs take. */
  slotsForOneShop: number;
}

/** How many jobs of one kind one process works on at once. `creates`: what one connection may have under way. */
export type Concurrency = (creates: number) => ConcurrencyLimits;

/** For work that keeps the database busy, as most does. */
const DATABASE: Concurrency = () => ({ slots: 20, slotsForOneShop: 20 });
/** For work that waits for others most of the time. Nine shops more may be as slow as the slowest. */
const OTHERS: Concurrency = () => ({ slots: 60, slotsForOneShop: 6 });
const CREATES: Concurrency = (creates) => ({ slots: creates * 10, slotsForOneShop: creates });
const WALKS: Concurrency = () => ({ slots: 20, slotsForOneShop: 2 });

/** A job without its name. */
type Payload<Name extends JobName> = WithoutName<Extract<Job, { name: Name }>>;
type WithoutName<One> = One extends Job ? Omit<One, "name"> : never;

/**
 * One kind of work: what its payload is, which jobs are the same work, how many may run at once, and what it does.
 * Of jobs with one key, one that waits is enough. A handler must be safe to run twice, late, and for a shop that has
 * left.
 */
export interface JobDefinition<P> {
  /** A payload that does not fit is a bug of this program and fails loudly. */
  schema: z.ZodType<P>;
  key(payload: P): string;
  concurrency?: Concurrency;
  handle(ports: TaskPorts, payload: P, turn: Turn): Promise<unknown>;
}

/** A look that waits behind all others must not swallow one that does not. */
const keyOfLook = ({ shop, environment, uuid, behind }: z.infer<typeof look>) =>
  `${shop} ${environment} ${uuid}${behind ? " behind" : ""}`;

/** The handler of each kind of batch. */
const BATCHES: Record<BatchKind, BatchHandler<Tenant, TaskPorts>> = {
  order_action: orderActions,
  mapping_change: mappingChanges,
  reorder: reorders,
};

/** Every kind of work. A queued job outlives an upgrade: no name and no payload ever changes its meaning. */
export const JOBS: { readonly [Name in JobName]: JobDefinition<Payload<Name>> } = {
  "handle-webhook": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    concurrency: OTHERS,
    handle: handleWebhook,
  },
  "handle-service-event": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    handle: handleServiceEvent,
  },
  "reconcile-order": {
    schema: order.extend({
      isWanted: z.literal(true).optional(),
      ignoredSince: z.iso.datetime().optional(),
    }),
    // A job that a person asks for is not taken for another that waits already.
    key: ({ shop, orderId, isWanted, ignoredSince = "" }) =>
      `${shop} ${orderId}${isWanted ? " wanted" : ""} ${ignoredSince}`.trim(),
    concurrency: OTHERS,
    handle: reconcileOrder,
  },
  "reconcile-waiting": {
    schema: z.object({
      ...{ shop, sold, after: orderId.nullable() },
      ignoredSince: z.iso.datetime().optional(),
    }),
    key: ({ shop, sold, after, ignoredSince = "" }) =>
      `${shop} ${sold} ${after ?? ""} ${ignoredSince}`.trim(),
    handle: reconcileWaiting,
  },
  "create-referral": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    concurrency: CREATES,
    handle: createReferral,
  },
  "resolve-ambiguous": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    concurrency: OTHERS,
    handle: resolveAmbiguous,
  },
  "delete-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    handle: deleteReferrals,
  },
  "correct-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    handle: correctReferrals,
  },
  "refetch-referral": {
    schema: look.extend({ ifStill: z.literal("CREATED").optional() }),
    key: keyOfLook,
    concurrency: OTHERS,
    handle: (ports, payload, turn) => refetchWhenDue(ports, "refetch-referral", payload, turn),
  },
  "refetch-result": {
    schema: look,
    key: keyOfLook,
    concurrency: OTHERS,
    handle: (ports, payload, turn) => refetchWhenDue(ports, "refetch-result", payload, turn),
  },
  "move-documents": {
    schema: z.object({ shop, after: uuid.nullable() }),
    key: ({ shop }) => shop,
    concurrency: OTHERS,
    handle: (ports, payload) => moveDocuments(ports, payload),
  },
  "escalate-hold": {
    schema: z.object({ shop, uuid }),
    key: ({ shop, uuid }) => `${shop} ${uuid}`,
    handle: escalateHold,
  },
  "sync-connection": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    concurrency: WALKS,
    handle: syncConnection,
  },
  "alert-outage": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    handle: alertOutage,
  },
  "start-outage-flow": {
    schema: connection.extend({ since: z.iso.datetime(), isOver: z.boolean() }),
    key: ({ shop, environment, since, isOver }) =>
      `${shop} ${environment} ${since} ${isOver ? "over" : ""}`,
    handle: startOutageFlow,
  },
  "alert-attention": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: alertAttention,
  },
  "alert-daily": {
    schema: ofShop.extend({ day: z.iso.date() }),
    key: ({ shop, day }) => `${shop} ${day}`,
    handle: alertDaily,
  },
  "refresh-catalogue": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    concurrency: OTHERS,
    handle: refreshCatalogue,
  },
  "work-batch": {
    schema: z.object({ shop, batchId: uuid }),
    key: ({ shop, batchId }) => `${shop} ${batchId}`,
    handle: (ports, payload) => workBatch(ports, payload, BATCHES),
  },
  "publish-order-status": {
    schema: milestone,
    key: ({ shop, orderId, requestId, milestone, way }) =>
      `${shop} ${orderId} ${requestId ?? ""} ${milestone}${way ? ` ${way}` : ""}`,
    handle: publishOrderStatus,
  },
  "read-store": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: readStorePage,
  },
  "read-store-facts": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: readStoreFacts,
  },
  "reread-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    handle: rereadProduct,
  },
  "publish-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    handle: publishProduct,
  },
  "advance-simulation": {
    schema: z.object({ shop, simulationId: uuid }),
    key: ({ shop, simulationId }) => `${shop} ${simulationId}`,
    handle: advanceSimulation,
  },
  "import-orders": {
    schema: z.object({ shop, orderImportId: uuid }),
    key: ({ shop, orderImportId }) => `${shop} ${orderImportId}`,
    handle: importOrders,
  },
  "index-orders": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: indexOrders,
  },
  "do-privacy-request": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    handle: doPrivacyRequest,
  },
  "erase-request": {
    schema: request.extend({ actor: z.templateLiteral(["staff:", z.string()]).optional() }),
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    handle: eraseRequest,
  },
  "replay-erasures": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: replayErasures,
  },
  "tell-waiting": {
    schema: ofShop.extend({ environment: z.enum(ENVIRONMENTS).optional() }),
    key: ({ shop, environment }) => `${shop} ${environment ?? "left"}`,
    concurrency: OTHERS,
    handle: tellWaiting,
  },
  "maintain-shop": {
    schema: ofShop,
    key: ({ shop }) => shop,
    handle: maintainShop,
  },
  "send-mail": {
    schema: notification,
    key: ({ shop, requestId, kind, occurrence = "" }) =>
      `${shop} ${requestId} ${kind} ${occurrence}`,
    handle: sendNotification,
  },
  "mail-new-address": {
    schema: order,
    key: ({ shop, orderId }) => `${shop} ${orderId}`,
    handle: mailNewAddress,
  },
  "send-alert": {
    schema: z.object({ shop, alertId: uuid, ...triedMail }),
    key: ({ shop, alertId }) => `${shop} ${alertId}`,
    handle: sendAlert,
  },
  "send-reminder": {
    schema: reminder,
    key: ({ shop, requestId, owner, since, step }) =>
      `${shop} ${requestId} ${owner} ${since} ${step}`,
    handle: sendReminder,
  },
};

/** How much of one kind of work may run at once. */
export const concurrencyOf = (name: JobName, creates: number): ConcurrencyLimits =>
  (definition(name).concurrency ?? DATABASE)(creates);

export const JOB_NAMES = Object.keys(JOBS) as JobName[];

/** The key of a job. */
export function keyOf({ name, ...payload }: Job): string {
  return definition(name).key(payload);
}

/** Creates the engine's handlers: each reads its job's payload and calls its use case. */
export function createTasks(
  ports: TaskPorts,
): Record<JobName, (payload: unknown, turn: Turn) => Promise<unknown>> {
  const taskOf = (name: JobName) => (payload: unknown, turn: Turn) => {
    const { schema, handle } = definition(name);
    return handle(ports, schema.parse(payload), turn);
  };
  return Object.fromEntries(JOB_NAMES.map((name) => [name, taskOf(name)])) as Record<
    JobName,
    ReturnType<typeof taskOf>
  >;
}

/** The table itself holds each name to its own payload; who looks a name up at run time cannot. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const definition = (name: JobName): JobDefinition<any> => JOBS[name];
