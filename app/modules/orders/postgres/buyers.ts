import { z } from "zod";
import type { Scope } from "../../../platform/database/scope.ts";
import { unlessErased } from "../../../platform/encryption/unless-erased.ts";
import { gid, type OrderId } from "../../kernel/ids.ts";
import type { Buyer } from "../order.ts";

const text = z.string().nullable();
const buyerSchema: z.ZodType<Buyer> = z.object({
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  statusUrl: text,
  address: z
    .object({
      addressLine1: z.string(),
      addressLine2: text,
      city: z.string(),
      state: z.string(),
      postCode: z.string(),
      country: z.string(),
    })
    .nullable(),
});

export const buyerField = (orderId: OrderId) => ({
  table: "orders",
  column: "buyer",
  row: orderId,
});

/**
 * Opens who bought some orders, with one look-up of keys. Whoever was erased is left out, also where the key is destroyed
 * and the row says nothing of it yet: a database that was restored is served before its erasures are done again.
 */
export async function openBuyers(
  { keys }: Pick<Scope, "keys">,
  rows: { orderId: string; buyerSealed: Uint8Array | null }[],
): Promise<Map<OrderId, Buyer>> {
  const sealed = rows.flatMap(({ orderId, buyerSealed }) =>
    buyerSealed ? [{ orderId: gid("Order", orderId), buyerSealed }] : [],
  );
  if (sealed.length === 0) return new Map();
  const openerOf = await keys.openers(sealed.map(({ orderId }) => ({ order: orderId })));
  return new Map(
    sealed.flatMap(({ orderId, buyerSealed }) => {
      const opened = unlessErased(() =>
        openerOf({ order: orderId }).openJson(buyerField(orderId), buyerSealed),
      );
      return opened === null ? [] : [[orderId, buyerSchema.parse(opened)] as const];
    }),
  );
}
