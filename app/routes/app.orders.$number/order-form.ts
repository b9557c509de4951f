import { z } from "zod";
import { uuidSchema } from "../../modules/kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../../modules/kernel/notification.ts";

/** The forms of an order's page. */
export const orderForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("resync") }),
  z.object({ intent: z.literal("reopen"), reason: z.string().min(1).max(300) }),
  z.object({
    intent: z.literal("send-again"),
    requestId: uuidSchema,
    kind: z.enum(NOTIFICATION_KINDS),
    /** When it was sent, as whoever asks for it saw. */
    sentAt: z.iso.datetime(),
  }),
  z.object({
    intent: z.enum([
      "retry",
      "release",
      "hold",
      "resend",
      "retry-mails",
      "ask-correction",
      "cancel-request",
      "keep-request",
      "reorder-request",
      "copy-link",
      "reissue-form",
    ]),
    requestId: uuidSchema,
    /** Where the test stood on the page (`requestVersion`; to order again, `reorderVersion`); absent: nobody says. */
    seen: z.string().max(500).optional(),
  }),
]);
export type OrderForm = z.infer<typeof orderForm>;
