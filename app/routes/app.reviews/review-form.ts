import { z } from "zod";
import { uuidSchema } from "../../modules/kernel/ids.ts";
import { CONTACTS } from "../../modules/referrals/contact.ts";
import { MINUTES_AGO } from "./minutes-ago.ts";

const order = z.string().regex(/^\d{1,20}$/);

/** The forms of the page: opening a test's results for review, and who was reached about it. */
export const reviewForm = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("open"), order, requestId: uuidSchema }),
  z.object({
    intent: z.literal("contact"),
    requestId: uuidSchema,
    reached: z.enum(CONTACTS),
    minutesAgo: z.coerce
      .number()
      .refine((minutes) => (MINUTES_AGO as readonly number[]).includes(minutes)),
  }),
]);
