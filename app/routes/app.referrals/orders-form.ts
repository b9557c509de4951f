import { z } from "zod";
import { gid, uuidSchema } from "../../modules/kernel/ids.ts";
import { BULK_ACTIONS } from "../../modules/reports/bulk-action.ts";
import { storable } from "../../platform/storable.ts";

/** The most orders that a form may name: as many as a page can show, with room to spare. */
const MAX_NAMED = 250;

const name = z
  .string()
  .trim()
  .min(1, { error: "Give the view a name." })
  .max(40, { error: "At most 40 letters." });
/** A search of 100 characters, each of which an address writes with as many as 12. */
const selection = z.string().max(2_000);
const order = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((number) => gid("Order", number));
const numbers = z
  .string()
  .transform((text) => text.split(","))
  .pipe(z.array(order).min(1).max(MAX_NAMED));
const json = z.string().transform((text, context) => {
  try {
    return storable(JSON.parse(text) as unknown);
  } catch {
    // The parser's error quotes the text.
    context.addIssue("no JSON");
    return z.NEVER;
  }
});
const reason = z.string().min(1).max(300);
/** A reason as a page showed it (`AttentionItem.version`). */
const version = z.string().max(100);
/** Items of the inbox: an order, and one of the reasons for which it needs a person. */
const items = json.pipe(
  z
    .array(
      z
        .object({ order, reason, seen: version.optional() })
        .transform(({ order: orderId, ...item }) => ({ orderId, ...item })),
    )
    .min(1)
    .max(MAX_NAMED),
);

/** Why each named order needs a person, as the page showed it: by its number, the version of each reason. */
const seen = json
  .pipe(z.record(z.string().regex(/^\d{1,20}$/), z.record(reason, version)))
  .transform(
    (byNumber) => new Map(Object.entries(byNumber).map(([n, of]) => [gid("Order", n), of])),
  );

/** The forms of the index: bulk actions on named orders, items of the inbox or a whole selection, and saved views. */
export const ordersForm = z.discriminatedUnion("intent", [
  z
    .object({
      intent: z.literal("bulk"),
      action: z.enum(BULK_ACTIONS),
      orders: numbers.optional(),
      seen: seen.optional(),
      items: items.optional(),
      selection: selection.optional(),
    })
    .refine(
      ({ orders, items, selection }) =>
        [orders, items, selection].filter((one) => one !== undefined).length === 1,
    ),
  z.object({ intent: z.literal("undo-run"), runId: uuidSchema }),
  z.object({ intent: z.literal("save-view"), name, selection }),
  z.object({ intent: z.literal("rename-view"), id: uuidSchema, name }),
  z.object({ intent: z.literal("delete-view"), id: uuidSchema }),
]);
export type OrdersForm = z.infer<typeof ordersForm>;
