import type { ShopDomain } from "../kernel/ids.ts";
import type { Actor } from "../kernel/timeline.ts";
import { CUT_OFF_AFTER_MS, type Environment } from "./connection.ts";
import { type NotAllowed, refuseUnlessAllowed } from "./may-do.ts";
import type { Ports } from "./ports.ts";

export type DisconnectOutcome =
  | { kind: "disconnected" }
  /** New orders go there: another environment has to be chosen first. */
  | { kind: "in_use" }
  | NotAllowed;

/**
 * Removes a connection with its credentials and its webhook address. Mappings, requests and documents stay.
 * Production in use is refused; staging is where orders go until there is anything else, so it may be removed.
 */
export async function disconnect(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  { shop, environment, actor }: { shop: ShopDomain; environment: Environment; actor: Actor },
): Promise<DisconnectOutcome> {
  return tenancy.inShop(shop, async (tenant) => {
    const at = clock.now();
    const refused = await refuseUnlessAllowed(tenant, actor, "change_credentials", { at });
    if (refused) return refused;
    // Going live looks for the connection with the same lock.
    await tenant.shops.lockSettings();
    const settings = await tenant.shops.find();
    if (environment === "production" && settings?.environment === "production")
      return { kind: "in_use" };
    await tenant.connections.remove(environment);
    const deed = { at, who: "staff", actor, what: "connection_removed" } as const;
    await tenant.accessLog.add({ ...deed, detail: { environment } });
    // Who waits for results is told, unless there is a connection again until then.
    const notBefore = new Date(at.getTime() + CUT_OFF_AFTER_MS);
    await tenant.jobs.enqueue({ name: "tell-waiting", shop, environment }, { notBefore });
    return { kind: "disconnected" };
  });
}
