import { Prisma } from "../../../generated/prisma/client.ts";
import type { Scope } from "../../../platform/database/scope.ts";
import { unanswered } from "../../../platform/database/unanswered.ts";
import type { OrderId } from "../../kernel/ids.ts";

/** Lets nobody else change this order until the transaction ends, also when it has no row to lock yet. */
export async function lockOrder(
  { tx, shop }: Pick<Scope, "tx" | "shop">,
  orderId: OrderId,
): Promise<void> {
  const name = `${shop} ${orderId}`;
  await unanswered(tx, Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}
