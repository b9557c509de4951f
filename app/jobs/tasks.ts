import { z } from "zod";
import { advanceBulkRun } from "../domain/bulk/advance-bulk-run.ts";
import { catchUpPage } from "../domain/catch-up/catch-up-page.ts";
import { ENVIRONMENTS } from "../domain/connections/connection.ts";
import {
  handleServiceEvent,
  type ServiceEventReader,
} from "../domain/events/handle-service-event.ts";
import { refetchWhenDue } from "../domain/events/refetch-when-due.ts";
import { tailConnection } from "../domain/events/tail-connection.ts";
import { gid, shopDomain } from "../domain/ids.ts";
import type { JobName, Turn } from "../domain/jobs.ts";
import { publishProduct } from "../domain/mappings/details/publish-details.ts";
import { workRun } from "../domain/mappings/runs/work-run.ts";
import { readStorePage, rereadProduct } from "../domain/mappings/store/read-store.ts";
import { NOTIFICATION_KINDS } from "../domain/notifications/notification.ts";
import { remindDetails } from "../domain/notifications/remind-details.ts";
import { sendNotification } from "../domain/notifications/send-notification.ts";
import { reconcileOrder } from "../domain/orders/reconcile-order.ts";
import { correctReferrals } from "../domain/patients/correct-referrals.ts";
import { HOLDERS } from "../domain/patients/holder.ts";
import type { Ports } from "../domain/ports.ts";
import { doPrivacyDuty } from "../domain/privacy/do-privacy-duty.ts";
import { advanceRehearsal } from "../domain/rehearsals/advance-rehearsal.ts";
import { createReferral } from "../domain/requests/create-referral.ts";
import { reorderBillingFailed } from "../domain/requests/reorder-billing-failed.ts";
import { resolveAmbiguous } from "../domain/requests/resolve-ambiguous.ts";
import { withdrawReferrals } from "../domain/requests/withdraw-referrals.ts";
import { escalateHold } from "../domain/results/escalate-hold.ts";
import { tendShop } from "../domain/shops/tend-shop.ts";
import { MILESTONES } from "../domain/store-marks/store-marks.ts";
import { tellStore } from "../domain/store-marks/tell-store.ts";
import { handleWebhook } from "../domain/webhooks/handle-webhook.ts";
import type { StoreMessageReader } from "../domain/webhooks/store-message.ts";

const shop = z.string().transform((value, context) => {
  const domain = shopDomain(value);
  if (domain) return domain;
  context.addIssue("not a shop");
  return z.NEVER;
});
const uuid = z.uuid();
const inbox = z.object({ shop, inboxId: z.string().regex(/^\d+$/) });
const order = z.object({ shop, orderId: z.string().transform((value) => gid("Order", value)) });
const product = z.object({
  shop,
  productId: z.string().transform((value) => gid("Product", value)),
});
const run = z.object({ shop, runId: uuid });
const rehearsal = z.object({ shop, rehearsalId: uuid });
const request = z.object({ shop, requestId: uuid });
const bulk = z.object({ shop, bulkId: uuid });
const connection = z.object({ shop, environment: z.enum(ENVIRONMENTS) });
const resource = connection.extend({ uuid });
const result = z.object({ shop, uuid });
const bulkRun = z.object({ shop, runId: uuid });
/** What the database queues by itself (prisma/migrations, pathway_tell_store). */
export const milestone = order.extend({
  requestId: uuid.nullable(),
  milestone: z.enum(MILESTONES),
});
const catchUp = z.object({ shop, catchUpId: uuid });
const notification = request.extend({
  kind: z.enum(NOTIFICATION_KINDS),
  occurrence: z.string().optional(),
});
const reminder = request.extend({
  holder: z.enum(HOLDERS),
  since: z.number().int(),
  step: z.number().int().nonnegative(),
});

export type TaskPorts = Ports & {
  readMessage: StoreMessageReader;
  readEvent: ServiceEventReader;
};

/**
 * What each kind of job does: read its payload, call its use case. A payload that does not fit is a bug of
 * this program and fails loudly.
 */
export function createTasks(
  ports: TaskPorts,
): Record<JobName, (payload: unknown, turn: Turn) => Promise<unknown>> {
  return {
    "handle-webhook": (payload) => handleWebhook(ports, inbox.parse(payload)),
    "handle-service-event": (payload) => handleServiceEvent(ports, inbox.parse(payload)),
    "reconcile-order": (payload) => reconcileOrder(ports, order.parse(payload)),
    "create-referral": (payload) => createReferral(ports, request.parse(payload)),
    "resolve-ambiguous": (payload) => resolveAmbiguous(ports, request.parse(payload)),
    "withdraw-referrals": (payload) => withdrawReferrals(ports, request.parse(payload)),
    "correct-referrals": (payload) => correctReferrals(ports, request.parse(payload)),
    "reorder-billing-failed": (payload) => reorderBillingFailed(ports, bulk.parse(payload)),
    "refetch-referral": (payload, turn) =>
      refetchWhenDue(ports, "refetch-referral", resource.parse(payload), turn),
    "refetch-result": (payload, turn) =>
      refetchWhenDue(ports, "refetch-result", resource.parse(payload), turn),
    "escalate-hold": (payload) => escalateHold(ports, result.parse(payload)),
    "tail-connection": (payload) => tailConnection(ports, connection.parse(payload)),
    "run-bulk": (payload) => advanceBulkRun(ports, bulkRun.parse(payload)),
    "tell-store": (payload) => tellStore(ports, milestone.parse(payload)),
    "read-store": (payload) => readStorePage(ports, z.object({ shop }).parse(payload)),
    "reread-product": (payload) => rereadProduct(ports, product.parse(payload)),
    "publish-product": (payload) => publishProduct(ports, product.parse(payload)),
    "run-mappings": (payload) => workRun(ports, run.parse(payload)),
    "advance-rehearsal": (payload) => advanceRehearsal(ports, rehearsal.parse(payload)),
    "catch-up-page": (payload) => catchUpPage(ports, catchUp.parse(payload)),
    "do-privacy-duty": (payload) => doPrivacyDuty(ports, inbox.parse(payload)),
    "tend-shop": (payload) => tendShop(ports, z.object({ shop }).parse(payload)),
    "send-mail": (payload) => sendNotification(ports, notification.parse(payload)),
    "remind-details": (payload) => remindDetails(ports, reminder.parse(payload)),
  };
}
