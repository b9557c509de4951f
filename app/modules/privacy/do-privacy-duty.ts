import type { ShopDomain } from "../kernel/ids.ts";
import { eraseShop } from "./erase-shop.ts";
import type { Ports } from "./ports.ts";
import { redact } from "./privacy/redact.ts";
import type { DutyOutcome, PrivacyDuty } from "./privacy.ts";
import type { Tenant } from "./tenant.ts";

/** How long until a request that is just being sent is looked at again. */
const WAIT_MS = 60_000;

/** Does what one privacy webhook asks for. Doing it again changes nothing; until it is done it is tried again. */
export async function doPrivacyDuty(
  ports: Pick<Ports, "tenancy" | "clock" | "shopEraser" | "storeAccess" | "logger" | "waits">,
  { shop, inboxId }: { shop: ShopDomain; inboxId: string },
): Promise<DutyOutcome> {
  const { tenancy, clock, logger } = ports;
  const duty = await tenancy.inShop(shop, (tenant) => tenant.privacy.find(inboxId));
  if (!duty || duty.doneAt) return { kind: "nothing_to_do" };
  const outcome =
    duty.duty === "shop_redacted"
      ? await eraseShop(ports, { shop, duty })
      : await tenancy.inShop(shop, (tenant) => {
          const perform = duty.duty === "customer_data_requested" ? pack : redactCustomer;
          return perform(tenant, duty, clock.now());
        });
  // A restore from backup brings back what was redacted since: the log is what tells of it then.
  logger.info({ shop, inboxId, duty: duty.duty, ...outcome }, "privacy duty");
  return outcome;
}

async function pack(tenant: Tenant, duty: PrivacyDuty, at: Date): Promise<DutyOutcome> {
  // Merged since they asked, or since we looked: what is theirs is with whoever is left.
  const customerId = duty.customerId && (await tenant.customers.survivorOf(duty.customerId));
  const { held, counts: receipt } = await tenant.privacy.gather({ ...duty, customerId });
  await tenant.privacy.finish(duty.inboxId, { at, receipt, package: { customerId, held } });
  return { kind: "done", receipt };
}

async function redactCustomer(tenant: Tenant, duty: PrivacyDuty, now: Date): Promise<DutyOutcome> {
  const { receipt, sending } = await redact(tenant, await tenant.redaction.of(duty), now);
  const packages = await tenant.redaction.packages(duty);
  if (sending > 0) {
    const job = { name: "do-privacy-duty", shop: tenant.shop, inboxId: duty.inboxId } as const;
    await tenant.jobs.enqueue(job, { startAfter: new Date(now.getTime() + WAIT_MS) });
    return { kind: "waiting", sending };
  }
  if (duty.customerId) await tenant.redaction.merges(duty.customerId);
  const whole = { ...receipt, packages };
  await tenant.privacy.finish(duty.inboxId, { at: now, receipt: whole });
  return { kind: "done", receipt: whole };
}
