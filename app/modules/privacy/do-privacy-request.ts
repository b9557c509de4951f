import type { ShopDomain } from "../kernel/ids.ts";
import { refetchIfLost } from "../referrals/sweep-documents.ts";
import { endErasure, eraseShop } from "./erase-shop.ts";
import type { Ports } from "./ports.ts";
import { redact } from "./privacy/redact.ts";
import type { PrivacyRequest, PrivacyRequestOutcome } from "./privacy.ts";
import type { Tenant } from "./tenant.ts";

/** How long until a request that is just being sent is looked at again. */
const WAIT_MS = 60_000;

/** A PDF that its store has not had for so long is taken for lost: until then it may come, or its folder may not be mounted. */
const LOST_FOR_GOOD_MS = 24 * 3_600_000;

/** Does what one privacy webhook asks for. Doing it again changes nothing; until it is done it is tried again. */
export async function doPrivacyRequest(
  ports: Pick<
    Ports,
    "tenancy" | "clock" | "documentBodies" | "shopEraser" | "storeAccess" | "logger" | "waits"
  >,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<PrivacyRequestOutcome> {
  const { tenancy, clock, logger } = ports;
  const request = await tenancy.inShop(shop, (tenant) => tenant.privacy.find(inboxId));
  if (!request) await endErasure(ports, shop);
  if (!request || request.doneAt) return { kind: "nothing_to_do" };
  const outcome =
    request.kind === "shop_redacted"
      ? await eraseShop(ports, { shop, request })
      : request.kind === "customer_data_requested"
        ? await pack(ports, shop, request)
        : await tenancy.inShop(shop, (tenant) => redactCustomer(tenant, request, clock.now()));
  // A restore from backup brings back what was redacted since: the log is what tells of it then.
  logger.info({ shop, inboxId, request: request.kind, ...outcome }, "privacy request");
  return outcome;
}

async function pack(
  { tenancy, clock, documentBodies }: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  shop: ShopDomain,
  request: PrivacyRequest,
): Promise<PrivacyRequestOutcome> {
  // Merged since they asked, or since we looked: what is theirs is with whoever is left.
  const subjectNow = async (tenant: Tenant) => ({
    ...request,
    customerId: request.customerId && (await tenant.customers.survivorOf(request.customerId)),
  });
  const outside = await tenancy.inShop(shop, async (tenant) => {
    const { requestIds } = await tenant.redaction.of(await subjectNow(tenant));
    return tenant.documents.bodiesOutside(requestIds);
  });
  const pdfs = new Map<string, Buffer>();
  const before = clock.now().getTime() - LOST_FOR_GOOD_MS;
  for (const { documentId, body, lostAt } of outside)
    try {
      pdfs.set(documentId, await documentBodies.read(shop, body));
    } catch (error) {
      // It may be lost for good: the rest is theirs all the same, and the export says what is not in it.
      const isGone = lostAt !== null && lostAt.getTime() <= before;
      const isLost = await refetchIfLost({ tenancy, clock }, shop, { documentId, body }, error);
      if (!isGone || !isLost) throw error;
    }
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    // An erasure meanwhile is seen here, or waits and has it packed anew.
    await tenant.privacy.lock(request.inboxId);
    const subject = await subjectNow(tenant);
    const { held, counts: receipt, requestIds } = await tenant.privacy.gather(subject, pdfs);
    const deed = { at, who: "job", what: "data_export_made" } as const;
    await tenant.accessLog.add(...requestIds.map((requestId) => ({ ...deed, requestId })));
    const { customerId } = subject;
    await tenant.privacy.finish(request.inboxId, { at, receipt, dataExport: { customerId, held } });
    return { kind: "done", receipt };
  });
}

async function forgetSavedPatients(
  tenant: Tenant,
  { customerId }: PrivacyRequest,
  until: Date | null,
): Promise<number> {
  if (!customerId) return 0;
  await tenant.savedPatients.lock(customerId);
  return tenant.savedPatients.removeAllOf(customerId, until);
}

/**
 * Until when a redaction reaches beyond the orders that it names; null for all times. Words that came before name no order that was placed
 * since: somebody may have kept them, and sent them again under another date, which Shopify does not sign (docs/decisions/0023).
 */
const reachOf = async (tenant: Tenant, { inboxId, receipt }: PrivacyRequest) =>
  receipt?.wanted ? null : tenant.privacy.firstCame(inboxId);

/** How much is held of a customer that came after the words which ask for its end. */
async function countNewer(tenant: Tenant, request: PrivacyRequest): Promise<number> {
  const { requestIds, orderIds } = await tenant.redaction.of(request);
  const saved = request.customerId ? await tenant.savedPatients.of(request.customerId) : [];
  let count = saved.length;
  for (const id of requestIds) if (!(await tenant.requests.isRedacted(id))) count++;
  for (const id of orderIds) if (await tenant.orders.buyerOf(id)) count++;
  return count;
}

async function redactCustomer(
  tenant: Tenant,
  request: PrivacyRequest,
  now: Date,
): Promise<PrivacyRequestOutcome> {
  // Before the rest: else they would be packed anew.
  const dataExports = await tenant.redaction.dataExports(request);
  const until = await reachOf(tenant, request);
  const savedPatients = await forgetSavedPatients(tenant, request, until);
  const { receipt, sending } = await redact(
    tenant,
    await tenant.redaction.ofForUpdate(request, until),
    now,
  );
  if (sending > 0) {
    const job = {
      name: "do-privacy-request",
      shop: tenant.shop,
      inboxId: request.inboxId,
    } as const;
    await tenant.jobs.enqueue(job, { startAfter: new Date(now.getTime() + WAIT_MS) });
    return { kind: "waiting", sending };
  }
  // Words that name no order may be Shopify's own, a second time: nobody knows but the customer.
  const newer = until && request.orderIds.length === 0 ? await countNewer(tenant, request) : 0;
  if (newer > 0) {
    await tenant.privacy.hold(request.inboxId, { newer });
    return { kind: "held", newer };
  }
  if (request.customerId) await tenant.redaction.merges(request.customerId);
  const whole = { ...receipt, dataExports, savedPatients };
  await tenant.privacy.finish(request.inboxId, { at: now, receipt: whole });
  return { kind: "done", receipt: whole };
}
