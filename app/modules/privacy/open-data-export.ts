import type { NewAccessEntry } from "../kernel/access-log.ts";
import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { type NotAllowed, refuseUnlessAllowed } from "../shops/may-do.ts";
import type { Ports } from "./ports.ts";
import type { DataExportReason } from "./staff-access.ts";

/** A data export can be downloaded for so long; then it is destroyed, and the customer asks again. */
export const EXPORT_KEPT_MS = 30 * 24 * 3_600_000;

export type OpenDataExportOutcome =
  | { kind: "opened"; held: unknown }
  | { kind: "not_found" }
  | NotAllowed;

/**
 * Gives the merchant what is held about a customer who asked for it. Staff see health data by this, so it is the same door
 * as for results: a role, a person and a reason, written down first, for each test and in the timeline of each order. What
 * is not released to the patient is not in it, nor what is another person's since it was packed.
 */
export async function openDataExport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: {
    shop: ShopDomain;
    inboxId: string;
    actor: Actor;
    reason: DataExportReason;
    caseNumber: string | null;
  },
): Promise<OpenDataExportOutcome> {
  const { shop, inboxId, actor, reason, caseNumber } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "export_data", { at });
    if (refused) return refused;
    const request = await tenant.privacy.find(inboxId);
    const isOver = !request?.doneAt || at.getTime() - request.doneAt.getTime() > EXPORT_KEPT_MS;
    const opened = isOver ? null : await tenant.privacy.openDataExport(inboxId);
    if (!opened) return { kind: "not_found" };
    const { held, requestIds, orderIds } = opened;
    const detail = { duty: inboxId, why: reason, caseNumber };
    const entry = { kind: "package_opened", actor, at, detail } as const;
    const entries = orderIds.map((orderId) => ({ ...entry, orderId }));
    await tenant.timeline.add(...(entries.length > 0 ? entries : [entry]));
    const look: NewAccessEntry = {
      ...{ at, who: "staff", actor, what: "data_export_opened" },
      detail: { request: inboxId, reason, caseNumber },
    };
    const looks = requestIds.map((requestId) => ({ ...look, requestId }));
    await tenant.accessLog.add(...(looks.length > 0 ? looks : [look]));
    return { kind: "opened", held };
  });
}
