import { z } from "zod";
import type { JobName, Turn } from "../domain/jobs.ts";
import type { Ports } from "../domain/ports.ts";
import { publishProduct } from "../modules/catalogue/publish-details.ts";
import { readStorePage, rereadProduct } from "../modules/catalogue/read-store.ts";
import { workRun } from "../modules/catalogue/work-run.ts";
import { gid, shopDomain } from "../modules/kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../modules/kernel/notification.ts";
import { tendShop } from "../modules/lifecycle/tend-shop.ts";
import { remindDetails } from "../modules/notifications/remind-details.ts";
import { sendNotification } from "../modules/notifications/send-notification.ts";
import { catchUpPage } from "../modules/orders/catch-up-page.ts";
import { handleWebhook } from "../modules/orders/handle-webhook.ts";
import { reconcileOrder } from "../modules/orders/reconcile-order.ts";
import { MILESTONES } from "../modules/orders/store-marks.ts";
import type { StoreMessageReader } from "../modules/orders/store-message.ts";
import { tellStore } from "../modules/orders/tell-store.ts";
import { HOLDERS } from "../modules/patients/holder.ts";
import { doPrivacyDuty } from "../modules/privacy/do-privacy-duty.ts";
import { correctReferrals } from "../modules/referrals/correct-referrals.ts";
import { createReferral } from "../modules/referrals/create-referral.ts";
import { escalateHold } from "../modules/referrals/escalate-hold.ts";
import {
  handleServiceEvent,
  type ServiceEventReader,
} from "../modules/referrals/handle-service-event.ts";
import { refetchWhenDue } from "../modules/referrals/refetch-when-due.ts";
import { reorderBillingFailed } from "../modules/referrals/reorder-billing-failed.ts";
import { resolveAmbiguous } from "../modules/referrals/resolve-ambiguous.ts";
import { tailConnection } from "../modules/referrals/tail-connection.ts";
import { withdrawReferrals } from "../modules/referrals/withdraw-referrals.ts";
import { advanceBulkRun } from "../modules/reports/advance-bulk-run.ts";
import { advanceRehearsal } from "../modules/reports/advance-rehearsal.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";

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
