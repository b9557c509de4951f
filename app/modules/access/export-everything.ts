import type { CustomerId, ShopDomain } from "../kernel/ids.ts";
import { expiryOf, hashSecret, newSecret } from "../kernel/secret.ts";
import {
  type ExportedFile,
  filesOf,
  type GatheredRecord,
  gatherRecord,
  type RecordScope,
} from "./export/gather-record.ts";
import { accessOf, accessToRecord, LinkRefused } from "./link-access.ts";
import type { Ports } from "./ports.ts";
import { takeSavedPatients } from "./saved-patients.ts";
import type { Tenant } from "./tenant.ts";
import { isBuyer, isOwner, requestsOf, type Viewer, type ViewerScope } from "./viewer.ts";

export type { ExportedFile };

/**
 * Takes all that is held of this customer or patient and can be seen by them: details, consents, accesses, forms, released
 * results and reports. Each PDF is read when its turn comes, and named if it is lost. Throws
 * `LinkRefused` before the mailed code was shown, and when the link opens nothing of this kind.
 */
export async function exportEverything(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  { shop, viewer }: ViewerScope,
): Promise<AsyncGenerator<ExportedFile>> {
  const now = ports.clock.now();
  const gathered = await ports.tenancy.inShop(shop, (tenant) => gather(tenant, viewer, now));
  return filesOf(ports, { shop, ...gathered });
}

/**
 * Takes what is held of tests that the caller answers for, whoever holds them: the shop does it for a patient who asks.
 * Written down with `by` in the same transaction.
 */
export async function exportRecord(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  tenant: Tenant,
  { now, ...what }: Pick<RecordScope, "requests" | "by" | "saved"> & { now: Date },
): Promise<AsyncGenerator<ExportedFile>> {
  const whole = { opens: () => true, isBuyers: () => false };
  const gathered = await gatherRecord(tenant, { ...what, ...whole }, now);
  return filesOf(ports, { shop: tenant.shop, ...gathered });
}

/** A ticket under which this customer's browser can download everything once within a minute. */
export async function issueExportTicket(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, customerId }: { shop: ShopDomain; customerId: CustomerId },
): Promise<string> {
  const secret = newSecret("export_ticket");
  const now = clock.now();
  const ticket = {
    ticketHash: hashSecret(secret),
    customerId,
    expiresAt: expiryOf("export_ticket", now),
    at: now,
  };
  await tenancy.inShop(shop, (tenant) => tenant.exportTickets.save(ticket));
  return secret;
}

/** Downloads everything by a ticket, which is then used up; null when it is none. */
export async function redeemExportTicket(
  ports: Pick<Ports, "tenancy" | "clock" | "documentBodies">,
  { shop, token }: { shop: ShopDomain; token: string },
): Promise<AsyncGenerator<ExportedFile> | null> {
  const now = ports.clock.now();
  const customerId = await ports.tenancy.inKnownShop(shop, (tenant) =>
    tenant.exportTickets.take(hashSecret(token), now),
  );
  if (!customerId) return null;
  return exportEverything(ports, { shop, viewer: { kind: "customer", customerId } });
}

async function gather(tenant: Tenant, viewer: Viewer, now: Date): Promise<GatheredRecord> {
  const held = (await requestsOf(tenant, viewer)).filter((one) => isOwner(one, viewer));
  const access = held.map((one) => accessToRecord(viewer, one));
  const requests = held.filter((_, index) => access[index] === "granted");
  if (requests.length === 0 && access.includes("step_up_required"))
    throw new LinkRefused("step_up_required");
  if (requests.length === 0 && viewer.kind !== "customer") throw new LinkRefused("other_purpose");
  const who = viewer.kind === "customer" ? "customer" : "link";
  const scope: RecordScope = {
    requests,
    opens: (request, what) => accessOf(viewer, request, what) === "granted",
    isBuyers: (request) => isBuyer(request, viewer),
    by: { who, what: "everything_exported" },
    saved: await takeSavedPatients(tenant, viewer, now),
  };
  return gatherRecord(tenant, scope, now);
}
