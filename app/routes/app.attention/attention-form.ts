import { z } from "zod";
import { gid } from "../../modules/kernel/ids.ts";

const order = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((number) => gid("Order", number));

const reason = z.string().min(1).max(300);

/** The forms of one item: the action of its reason, or a note that somebody has dealt with it, and its undo. */
export const attentionForm = z.discriminatedUnion("intent", [
  z.object({
    intent: z.enum(["retry", "release", "handled"]),
    order,
    reason,
    /** The item as the page showed it (`version`); absent: nobody says. */
    seen: z.string().max(100).optional(),
  }),
  z.object({ intent: z.literal("undo-handled"), order, reason }),
]);
export type AttentionForm = z.infer<typeof attentionForm>;
