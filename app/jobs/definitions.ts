import { z } from "zod";
import { publishProduct } from "../modules/catalogue/publish-details.ts";
import { readStorePage, rereadProduct } from "../modules/catalogue/read-store.ts";
import { reconcileWaiting } from "../modules/catalogue/reconcile-waiting.ts";
import { refreshCatalogue } from "../modules/catalogue/refresh-catalogue.ts";
import { mappingChanges } from "../modules/catalogue/work-run.ts";
import type { BatchKind } from "../modules/kernel/batch.ts";
import { gid, shopDomain } from "../modules/kernel/ids.ts";
import type { Turn } from "../modules/kernel/jobs.ts";
import { NOTIFICATION_KINDS } from "../modules/kernel/notification.ts";
import { type BatchHandler, workBatch } from "../modules/kernel/work-batch.ts";
import { maintainShop } from "../modules/lifecycle/maintain-shop.ts";
import { sendNotification } from "../modules/notifications/send-notification.ts";
import { sendReminder } from "../modules/notifications/send-reminder.ts";
import { handleWebhook } from "../modules/orders/handle-webhook.ts";
import { importOrders } from "../modules/orders/import-orders.ts";
import { indexOrders } from "../modules/orders/index-orders.ts";
import { publishOrderStatus } from "../modules/orders/publish-order-status.ts";
import { reconcileOrder } from "../modules/orders/reconcile-order.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import { UNIT_OWNERS } from "../modules/patients/unit-owner.ts";
import { doPrivacyRequest } from "../modules/privacy/do-privacy-request.ts";
import { eraseRequest } from "../modules/privacy/erase-own-data.ts";
import { replayErasures } from "../modules/privacy/replay-erasures.ts";
import { correctReferrals } from "../modules/referrals/correct-referrals.ts";
import { createReferral } from "../modules/referrals/create-referral.ts";
import { deleteReferrals } from "../modules/referrals/delete-referrals.ts";
import { escalateHold } from "../modules/referrals/escalate-hold.ts";
import {
  handleServiceEvent,
  type ServiceEventReader,
} from "../modules/referrals/handle-service-event.ts";
import { MILESTONES } from "../modules/referrals/milestone.ts";
import { refetchWhenDue } from "../modules/referrals/refetch-when-due.ts";
import { reorders } from "../modules/referrals/reorder-billing-failed.ts";
import { resolveAmbiguous } from "../modules/referrals/resolve-ambiguous.ts";
import { syncConnection } from "../modules/referrals/sync-connection.ts";
import { tellWaiting } from "../modules/referrals/tell-waiting.ts";
import { advanceSimulation } from "../modules/reports/advance-simulation.ts";
import type { Job, JobName } from "../modules/reports/jobs.ts";
import { orderActions } from "../modules/reports/order-actions.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";
import { readStoreFacts } from "../modules/shops/read-store-facts.ts";
import type { Ports, Tenant } from "../ports.ts";

export type TaskPorts = Ports & {
  readMessage: StoreMessageReader;
  readEvent: ServiceEventReader;
};

/** How many jobs of one kind one process works on at once. `creates`: what one connection may have under way. */
export type Pace = (creates: number) => { slots: number; slotsForOneShop: number };

/** The pace of work that keeps the database busy. */
const DATABASE: Pace = () => ({ slots: 20, slotsForOneShop: 20 });
/** The pace of work that waits for others for most of its time. Nine shops more may be as slow as the slowest. */
const OTHERS: Pace = () => ({ slots: 60, slotsForOneShop: 6 });
const CREATES: Pace = (creates) => ({ slots: creates * 10, slotsForOneShop: creates });
const WALKS: Pace = () => ({ slots: 20, slotsForOneShop: 2 });

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
  pace: Pace;
  handle(ports: TaskPorts, payload: P, turn: Turn): Promise<unknown>;
}

const shop = z.string().transform((value, context) => {
  const domain = shopDomain(value);
  if (domain) return domain;
  context.addIssue("not a shop");
  return z.NEVER;
});
const uuid = z.uuid();
const ofShop = z.object({ shop });
const inbox = z.object({ shop, inboxId: z.string().regex(/^\d+$/) });
const orderId = z.string().transform((value) => gid("Order", value));
const order = z.object({ shop, orderId });
const productId = z.string().transform((value) => gid("Product", value));
const product = z.object({ shop, productId });
/** A variant or a whole product, which their ids tell apart. */
const sold = z
  .string()
  .transform((value) =>
    value.includes("/Product/") ? gid("Product", value) : gid("ProductVariant", value),
  );
const request = z.object({ shop, requestId: uuid });
const connection = z.object({ shop, environment: z.enum(ENVIRONMENTS) });
const resource = connection.extend({ uuid });
export const milestone = order.extend({
  requestId: uuid.nullable(),
  milestone: z.enum(MILESTONES),
});
const notification = request.extend({
  kind: z.enum(NOTIFICATION_KINDS),
  occurrence: z.string().optional(),
});
const reminder = request.extend({
  owner: z.enum(UNIT_OWNERS),
  since: z.number().int(),
  step: z.number().int().nonnegative(),
});

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
    pace: DATABASE,
    handle: handleWebhook,
  },
  "handle-service-event": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    pace: DATABASE,
    handle: handleServiceEvent,
  },
  "reconcile-order": {
    schema: order,
    key: ({ shop, orderId }) => `${shop} ${orderId}`,
    pace: OTHERS,
    handle: reconcileOrder,
  },
  "reconcile-waiting": {
    schema: z.object({ shop, sold, after: orderId.nullable() }),
    key: ({ shop, sold, after }) => `${shop} ${sold} ${after ?? ""}`,
    pace: DATABASE,
    handle: reconcileWaiting,
  },
  "create-referral": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    pace: CREATES,
    handle: createReferral,
  },
  "resolve-ambiguous": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    pace: OTHERS,
    handle: resolveAmbiguous,
  },
  "delete-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    pace: DATABASE,
    handle: deleteReferrals,
  },
  "correct-referrals": {
    schema: request,
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    pace: DATABASE,
    handle: correctReferrals,
  },
  "refetch-referral": {
    schema: resource,
    key: ({ shop, environment, uuid }) => `${shop} ${environment} ${uuid}`,
    pace: OTHERS,
    handle: (ports, payload, turn) => refetchWhenDue(ports, "refetch-referral", payload, turn),
  },
  "refetch-result": {
    schema: resource,
    key: ({ shop, environment, uuid }) => `${shop} ${environment} ${uuid}`,
    pace: OTHERS,
    handle: (ports, payload, turn) => refetchWhenDue(ports, "refetch-result", payload, turn),
  },
  "escalate-hold": {
    schema: z.object({ shop, uuid }),
    key: ({ shop, uuid }) => `${shop} ${uuid}`,
    pace: DATABASE,
    handle: escalateHold,
  },
  "sync-connection": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    pace: WALKS,
    handle: syncConnection,
  },
  "refresh-catalogue": {
    schema: connection,
    key: ({ shop, environment }) => `${shop} ${environment}`,
    pace: OTHERS,
    handle: refreshCatalogue,
  },
  "work-batch": {
    schema: z.object({ shop, batchId: uuid }),
    key: ({ shop, batchId }) => `${shop} ${batchId}`,
    pace: DATABASE,
    handle: (ports, payload) => workBatch(ports, payload, BATCHES),
  },
  "publish-order-status": {
    schema: milestone,
    key: ({ shop, orderId, requestId, milestone }) =>
      `${shop} ${orderId} ${requestId ?? ""} ${milestone}`,
    pace: DATABASE,
    handle: publishOrderStatus,
  },
  "read-store": {
    schema: ofShop,
    key: ({ shop }) => shop,
    pace: DATABASE,
    handle: readStorePage,
  },
  "read-store-facts": {
    schema: ofShop,
    key: ({ shop }) => shop,
    pace: DATABASE,
    handle: readStoreFacts,
  },
  "reread-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    pace: DATABASE,
    handle: rereadProduct,
  },
  "publish-product": {
    schema: product,
    key: ({ shop, productId }) => `${shop} ${productId}`,
    pace: DATABASE,
    handle: publishProduct,
  },
  "advance-simulation": {
    schema: z.object({ shop, simulationId: uuid }),
    key: ({ shop, simulationId }) => `${shop} ${simulationId}`,
    pace: DATABASE,
    handle: advanceSimulation,
  },
  "import-orders": {
    schema: z.object({ shop, orderImportId: uuid }),
    key: ({ shop, orderImportId }) => `${shop} ${orderImportId}`,
    pace: DATABASE,
    handle: importOrders,
  },
  "index-orders": {
    schema: ofShop,
    key: ({ shop }) => shop,
    pace: DATABASE,
    handle: indexOrders,
  },
  "do-privacy-request": {
    schema: inbox,
    key: ({ shop, inboxId }) => `${shop} ${inboxId}`,
    pace: DATABASE,
    handle: doPrivacyRequest,
  },
  "erase-request": {
    schema: request.extend({ actor: z.templateLiteral(["staff:", z.string()]).optional() }),
    key: ({ shop, requestId }) => `${shop} ${requestId}`,
    pace: DATABASE,
    handle: eraseRequest,
  },
  "replay-erasures": {
    schema: ofShop,
    key: ({ shop }) => shop,
    pace: DATABASE,
    handle: replayErasures,
  },
  "tell-waiting": {
    schema: ofShop.extend({ environment: z.enum(ENVIRONMENTS).optional() }),
    key: ({ shop, environment }) => `${shop} ${environment ?? "left"}`,
    pace: OTHERS,
    handle: tellWaiting,
  },
  "maintain-shop": {
    schema: ofShop,
    key: ({ shop }) => shop,
    pace: DATABASE,
    handle: maintainShop,
  },
  "send-mail": {
    schema: notification,
    key: ({ shop, requestId, kind, occurrence = "" }) =>
      `${shop} ${requestId} ${kind} ${occurrence}`,
    pace: DATABASE,
    handle: sendNotification,
  },
  "send-reminder": {
    schema: reminder,
    key: ({ shop, requestId, owner, since, step }) =>
      `${shop} ${requestId} ${owner} ${since} ${step}`,
    pace: DATABASE,
    handle: sendReminder,
  },
};

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
