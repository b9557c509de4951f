import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Ports } from "./ports.ts";

/**
 * Gives the merchant what is held about a customer who asked for it. Staff see results by this, which they
 * otherwise never do, so who took it and when is written down first.
 */
export async function openDataExport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; inboxId: string; actor: Actor },
): Promise<{ kind: "opened"; held: unknown } | { kind: "not_found" }> {
  const { shop, inboxId, actor } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    const request = await tenant.privacy.find(inboxId);
    const held = await tenant.privacy.openDataExport(inboxId);
    if (!request || held === null) return { kind: "not_found" };
    const at = clock.now();
    const detail = { duty: inboxId };
    await tenant.timeline.add({ kind: "package_opened", actor, at, detail });
    const { requestIds } = await tenant.redaction.of(request);
    const look = { at, who: "staff", actor, what: "data_export_opened" } as const;
    await tenant.accessLog.add(...requestIds.map((requestId) => ({ ...look, requestId })));
    return { kind: "opened", held };
  });
}
