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
    const held = await tenant.privacy.openDataExport(inboxId);
    if (held === null) return { kind: "not_found" };
    const detail = { duty: inboxId };
    await tenant.timeline.add({ kind: "package_opened", actor, at: clock.now(), detail });
    return { kind: "opened", held };
  });
}
