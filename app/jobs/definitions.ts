/** Long because it is one table: every kind of work, each with its payload, its key and its handler. */

import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { BatchKind } from "../modules/kernel/batch.ts";
import type { Turn } from "../modules/kernel/jobs.ts";
import type { BatchHandler } from "../modules/kernel/work-batch.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import type { ServiceEventReader } from "../modules/referrals/event-types.ts";
import type { Job, JobName } from "../modules/reports/jobs.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";
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
  /** Loads what does it: a process that only serves never needs it, and one that does both answers before. */
  load(): Promise<(ports: TaskPorts, payload: P, turn: Turn) => Promise<unknown>>;
}

/** A look that waits behind all others must not swallow one that does not. */
const keyOfLook = ({ shop, environment, uuid, behind }: z.infer<typeof look>) =>
  `${shop} ${environment} ${uuid}${behind ? " behind" : ""}`;

/** The handler of each kind of batch. */
const loadBatches = async (): Promise<Record<BatchKind, BatchHandler<Tenant, TaskPorts>>> => ({
  order_action: (await import("../modules/reports/order-actions.ts")).orderActions,
  mapping_change: (await import("../modules/catalogue/work-run.ts")).mappingChanges,
  reorder: (await import("../modules/referrals/reorder-billing-failed.ts")).reorders,
});

/** Every kind of work. A queued job outlives an upgrade: no name and no payload ever changes its meaning. */
export const JOBS: { readonly [Name in JobName]: JobDefinition<Payload<Name>> } = {
  "handle-webhook": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    concurrency: OTHERS,
    load: async () => (await import("../modules/orders/handle-webhook.ts")).handleWebhook,
  },
  "handle-service-event": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    load: async () =>
      (await import("../modules/referrals/handle-service-event.ts")).handleServiceEvent,
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
    load: async () => (await import("../modules/orders/reconcile-order.ts")).reconcileOrder,
  },
  "reconcile-waiting": {
    schema: z.object({
      ...{ shop, sold, after: orderId.nullable() },
      ignoredSince: z.iso.datetime().optional(),
    }),
    key: ({ shop, sold, after, ignoredSince = "" }) =>
      `${shop} ${sold} ${after ?? ""} ${ignoredSince}`.trim(),
    load: async () => (await import("../modules/catalogue/reconcile-waiting.ts")).reconcileWaiting,
  },
  "create-referral": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    concurrency: CREATES,
    load: async () => (await import("../modules/referrals/create-referral.ts")).createReferral,
  },
  "resolve-ambiguous": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    concurrency: OTHERS,
    load: async () => (await import("../modules/referrals/resolve-ambiguous.ts")).resolveAmbiguous,
  },
  "delete-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    load: async () => (await import("../modules/referrals/delete-referrals.ts")).deleteReferrals,
  },
  "correct-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    load: async () => (await import("../modules/referrals/correct-referrals.ts")).correctReferrals,
  },
  "refetch-referral": {
    schema: look.extend({ ifStill: z.literal("CREATED").optional() }),
    key: keyOfLook,
    concurrency: OTHERS,
    async load() {
      const { refetchWhenDue } = await import("../modules/referrals/refetch-when-due.ts");
      return (ports, payload, turn) => refetchWhenDue(ports, "refetch-referral", payload, turn);
    },
  },
  "refetch-result": {
    schema: look,
    key: keyOfLook,
    concurrency: OTHERS,
    async load() {
      const { refetchWhenDue } = await import("../modules/referrals/refetch-when-due.ts");
      return (ports, payload, turn) => refetchWhenDue(ports, "refetch-result", payload, turn);
    },
  },
  "move-documents": {
    schema: z.object({ shop, after: uuid.nullable() }),
    key: ({ shop }) => shop,
    concurrency: OTHERS,
    async load() {
      const { moveDocuments } = await import("../modules/referrals/move-documents.ts");
      return (ports, payload) => moveDocuments(ports, payload);
    },
  },
  "escalate-hold": {
    schema: z.object({ shop, uuid }),
    key: ({ shop, uuid }) => `${shop} ${uuid}`,
    load: async () => (await import("../modules/referrals/escalate-hold.ts")).escalateHold,
  },
  "sync-connection": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    concurrency: WALKS,
    load: async () => (await import("../modules/referrals/sync-connection.ts")).syncConnection,
  },
  "alert-outage": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    load: async () => (await import("../modules/lifecycle/alert-outage.ts")).alertOutage,
  },
  "start-outage-flow": {
    schema: connection.extend({ since: z.iso.datetime(), isOver: z.boolean() }),
    key: ({ shop, environment, since, isOver }) =>
      `${shop} ${environment} ${since} ${isOver ? "over" : ""}`,
    load: async () => (await import("../modules/lifecycle/start-outage-flow.ts")).startOutageFlow,
  },
  "alert-attention": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/reports/alert-attention.ts")).alertAttention,
  },
  "alert-daily": {
    schema: ofShop.extend({ day: z.iso.date() }),
    key: ({ shop, day }) => `${shop} ${day}`,
    load: async () => (await import("../modules/reports/alert-daily.ts")).alertDaily,
  },
  "refresh-catalogue": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    concurrency: OTHERS,
    load: async () => (await import("../modules/catalogue/refresh-catalogue.ts")).refreshCatalogue,
  },
  "work-batch": {
    schema: z.object({ shop, batchId: uuid }),
    key: ({ shop, batchId }) => `${shop} ${batchId}`,
    async load() {
      const { workBatch } = await import("../modules/kernel/work-batch.ts");
      const handlers = await loadBatches();
      return (ports, payload) => workBatch(ports, payload, handlers);
    },
  },
  "publish-order-status": {
    schema: milestone,
    key: ({ shop, orderId, requestId, milestone, way }) =>
      `${shop} ${orderId} ${requestId ?? ""} ${milestone}${way ? ` ${way}` : ""}`,
    load: async () =>
      (await import("../modules/orders/publish-order-status.ts")).publishOrderStatus,
  },
  "read-store": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/catalogue/read-store.ts")).readStorePage,
  },
  "read-store-facts": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/shops/read-store-facts.ts")).readStoreFacts,
  },
  "reread-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    load: async () => (await import("../modules/catalogue/read-store.ts")).rereadProduct,
  },
  "publish-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    load: async () => (await import("../modules/catalogue/publish-details.ts")).publishProduct,
  },
  "advance-simulation": {
    schema: z.object({ shop, simulationId: uuid }),
    key: ({ shop, simulationId }) => `${shop} ${simulationId}`,
    load: async () => (await import("../modules/reports/advance-simulation.ts")).advanceSimulation,
  },
  "import-orders": {
    schema: z.object({ shop, orderImportId: uuid }),
    key: ({ shop, orderImportId }) => `${shop} ${orderImportId}`,
    load: async () => (await import("../modules/orders/import-orders.ts")).importOrders,
  },
  "index-orders": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/orders/index-orders.ts")).indexOrders,
  },
  "do-privacy-request": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    load: async () => (await import("../modules/privacy/do-privacy-request.ts")).doPrivacyRequest,
  },
  "erase-request": {
    schema: request.extend({ actor: z.templateLiteral(["staff:", z.string()]).optional() }),
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    load: async () => (await import("../modules/privacy/erase-own-data.ts")).eraseRequest,
  },
  "replay-erasures": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/privacy/replay-erasures.ts")).replayErasures,
  },
  "tell-waiting": {
    schema: ofShop.extend({ environment: z.enum(ENVIRONMENTS).optional() }),
    key: ({ shop, environment }) => `${shop} ${environment ?? "left"}`,
    concurrency: OTHERS,
    load: async () => (await import("../modules/referrals/tell-waiting.ts")).tellWaiting,
  },
  "maintain-shop": {
    schema: ofShop,
    key: ({ shop }) => shop,
    load: async () => (await import("../modules/lifecycle/maintain-shop.ts")).maintainShop,
  },
  "send-mail": {
    schema: notification,
    key: ({ shop, requestId, kind, occurrence = "" }) =>
      `${shop} ${requestId} ${kind} ${occurrence}`,
    load: async () =>
      (await import("../modules/notifications/send-notification.ts")).sendNotification,
  },
  "mail-new-address": {
    schema: order,
    key: ({ shop, orderId }) => `${shop} ${orderId}`,
    load: async () => (await import("../modules/notifications/mail-new-address.ts")).mailNewAddress,
  },
  "send-alert": {
    schema: z.object({ shop, alertId: uuid, ...triedMail }),
    key: ({ shop, alertId }) => `${shop} ${alertId}`,
    load: async () => (await import("../modules/notifications/send-alert.ts")).sendAlert,
  },
  "send-reminder": {
    schema: reminder,
    key: ({ shop, requestId, owner, since, step }) =>
      `${shop} ${requestId} ${owner} ${since} ${step}`,
    load: async () => (await import("../modules/notifications/send-reminder.ts")).sendReminder,
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

/** A kind of work as the engine calls it: reads a job's payload and calls its use case. */
type JobTask = (payload: unknown, turn: Turn) => Promise<unknown>;

/** Loads the engine's handlers, all of them: one that can't be loaded must fail the start, not a job hours later. */
export async function createTasks(ports: TaskPorts): Promise<Record<JobName, JobTask>> {
  const tasks: Partial<Record<JobName, JobTask>> = {};
  for (const name of JOB_NAMES) {
    const { schema, load } = definition(name);
    const handle = await load();
    tasks[name] = (payload, turn) => handle(ports, schema.parse(payload), turn);
    // Requests that come meanwhile are answered between two of them.
    await setImmediate();
  }
  return tasks as Record<JobName, JobTask>;
}

/** The table itself holds each name to its own payload; who looks a name up at run time cannot. */
// biome-ignore lint/suspicious/noExplicitAny: see above
const definition = (name: JobName): JobDefinition<any> => JOBS[name];
