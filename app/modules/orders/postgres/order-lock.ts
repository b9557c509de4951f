import type { Scope } from "../../../platform/database/scope.ts";
import type { OrderId } from "../../kernel/ids.ts";

/** Lets nobody else change this order until the transaction ends, also when it has no row to lock yet. */
export async function lockOrder(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  orderId: OrderId,
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${shop} ${orderId}`}, 0))`;
}
