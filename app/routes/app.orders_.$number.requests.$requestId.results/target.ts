import { z } from "zod";
import { gid, uuidSchema } from "../../modules/kernel/ids.ts";

const schema = z.object({
  number: z.string().regex(/^\d{1,20}$/),
  requestId: uuidSchema,
});

/** Reads which results an address names; null when it names nothing. */
export function readTarget(params: unknown) {
  const { data } = schema.safeParse(params);
  return data ? { orderId: gid("Order", data.number), requestId: data.requestId } : null;
}
