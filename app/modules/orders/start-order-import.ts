import { randomUUID } from "node:crypto";
import type { ShopDomain } from "../kernel/ids.ts";
import type { OrderImport, OrderImportRequester } from "./order-import.ts";
import type { Ports } from "./ports.ts";

export type StartOutcome =
  | { kind: "started"; orderImport: OrderImport }
  | { kind: "already_running"; orderImport: OrderImport }
  | { kind: "not_installed" };

/**
 * Begins to look for orders that the store has and Pathway does not know, or knows in an older form. `until`
 * leaves out what changed so lately that its message may still be on the way; by default nothing is.
 */
export async function startOrderImport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  asked: { shop: ShopDomain; since: Date; until?: Date; askedBy: OrderImportRequester },
): Promise<StartOutcome> {
  const { shop, since, askedBy } = asked;
  return tenancy.inShop(shop, async (tenant) => {
    if (!(await tenant.shops.find())?.installed) return { kind: "not_installed" };
    const startedAt = clock.now();
    const until = asked.until ?? startedAt;
    const id = randomUUID();
    const regular = await tenant.orderImports.running();
    // A person does not wait for the regular look, which comes again within the hour.
    if (regular?.askedBy === "schedule" && askedBy !== "schedule")
      await tenant.orderImports.cancel(regular.id, startedAt);
    const orderImport = await tenant.orderImports.start({ id, askedBy, since, until, startedAt });
    const current = orderImport ?? (await tenant.orderImports.running());
    if (!current) throw new Error("An order import ended while another was refused");
    // Also for one that is running: its job may have been given up.
    await tenant.jobs.enqueue({ name: "import-orders", shop, orderImportId: current.id });
    return { kind: orderImport ? "started" : "already_running", orderImport: current };
  });
}

/** Ends the walk that is running. What it found so far stays imported. */
export async function cancelOrderImport(
  { tenancy, clock }: Pick<Ports, "tenancy" | "clock">,
  shop: ShopDomain,
): Promise<{ kind: "cancelled" } | { kind: "not_running" }> {
  return tenancy.inShop(shop, async (tenant) => {
    const running = await tenant.orderImports.running();
    const cancelled = running && (await tenant.orderImports.cancel(running.id, clock.now()));
    return { kind: cancelled ? "cancelled" : "not_running" };
  });
}
