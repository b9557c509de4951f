import type { ShopDomain } from "../kernel/ids.ts";
import { EXPORT_KEPT_MS } from "./open-data-export.ts";
import type { Ports } from "./ports.ts";
import { redact } from "./privacy/redact.ts";
import { repackExports } from "./privacy/repack-exports.ts";
import type { Tenant } from "./tenant.ts";

/** Requests for each transaction, so that none takes long. */
const BATCH = 100;

/**
 * Redacts requests whose last change is longer ago than the shop keeps them, and the buyers of orders of which nothing else is
 * left, and the saved patients who were not used for as long. Returns how many of all were destroyed. Data exports end after 30
 * days, whatever the shop keeps.
 */
export async function redactExpired(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<number> {
  await tenancy.inShop(shop, (tenant) => {
    const end = new Date(clock.now().getTime() - EXPORT_KEPT_MS);
    return tenant.redaction.exportsBefore(end);
  });
  let redacted = 0;
  for (;;) {
    const step = await tenancy.inShop(shop, (tenant) => redactBatch(tenant, clock.now()));
    if (step === 0) return redacted;
    redacted += step;
  }
}

async function redactBatch(tenant: Tenant, now: Date): Promise<number> {
  const months = (await tenant.shops.find())?.retentionMonths;
  if (!months) return 0;
  const before = monthsBefore(now, months);
  const unused = await forgetUnused(tenant, before);
  const { requestIds, orderIds } = await tenant.redaction.expired(before, BATCH);
  if (requestIds.length + orderIds.length === 0) return unused;
  const { receipt } = await redact(tenant, { requestIds, orderIds }, now);
  return unused + Number(receipt.requests) + Number(receipt.orders);
}

async function forgetUnused(tenant: Tenant, before: Date): Promise<number> {
  const unused = await tenant.savedPatients.unusedSince(before, BATCH);
  if (unused.length === 0) return 0;
  const customerIds = [...new Set(unused.map(({ customerId }) => customerId))];
  await repackExports(tenant, { requestIds: [], orderIds: [], customerIds });
  for (const { customerId, id } of unused) await tenant.savedPatients.remove(customerId, id);
  return unused.length;
}

/** The same day and time so many months earlier; the last day of a month that is shorter. */
export function monthsBefore(at: Date, months: number): Date {
  const before = new Date(at);
  before.setUTCMonth(at.getUTCMonth() - months, 1);
  const lastDay = new Date(
    Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0),
  ).getUTCDate();
  before.setUTCDate(Math.min(at.getUTCDate(), lastDay));
  return before;
}
