import { z } from "zod";

/** The forms of an order's page. */
export const orderForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("resync") }),
  z.object({
    intent: z.enum([
      "retry",
      "release",
      "hold",
      "resend",
      "retry-mails",
      "ask-correction",
      "cancel-request",
      "reorder-request",
    ]),
    requestId: z.uuid(),
  }),
]);
export type OrderForm = z.infer<typeof orderForm>;
