import { z } from "zod";
import { BULK_ACTIONS } from "../../domain/bulk/bulk-run.ts";
import { gid } from "../../domain/ids.ts";

/** As many as a page can show, with room to spare. */
const MOST_NAMED = 250;

const name = z
  .string()
  .trim()
  .min(1, { error: "Give the view a name." })
  .max(40, { error: "The name has more than 40 letters." });
const selection = z.string().max(500);
const numbers = z
  .string()
  .transform((text) => text.split(","))
  .pipe(
    z
      .array(z.string().regex(/^\d{1,20}$/))
      .min(1)
      .max(MOST_NAMED),
  )
  .transform((all) => all.map((number) => gid("Order", number)));

/** The forms of the index: bulk actions on named orders or on a whole selection, and saved views. */
export const ordersForm = z.discriminatedUnion("intent", [
  z
    .object({
      intent: z.literal("bulk"),
      action: z.enum(BULK_ACTIONS),
      orders: numbers.optional(),
      selection: selection.optional(),
    })
    .refine((form) => (form.orders === undefined) !== (form.selection === undefined)),
  z.object({ intent: z.literal("save-view"), name, selection }),
  z.object({ intent: z.literal("rename-view"), id: z.uuid(), name }),
  z.object({ intent: z.literal("delete-view"), id: z.uuid() }),
]);
export type OrdersForm = z.infer<typeof ordersForm>;
