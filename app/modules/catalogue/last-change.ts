import type { ProductId, ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import type { Environment } from "../shops/connection.ts";
import type { LastChange } from "./mapping-change.ts";
import type { Ports } from "./ports.ts";

/** An undo is offered for this long beside what was done. */
const OFFERED_MS = 15 * 60_000;

/** The last mapping that somebody saved or removed by itself just now; null when it was undone or changed since. */
export async function readLastChange(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  {
    shop,
    actor,
    ...only
  }: { shop: ShopDomain; actor: Actor; environment: Environment; productId?: ProductId },
): Promise<LastChange | null> {
  const since = new Date(clock.now().getTime() - OFFERED_MS);
  return tenancy.inShop(shop, (tenant) => tenant.mappingChanges.lastOf(actor, { ...only, since }));
}
