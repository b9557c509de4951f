/** The parts of jobs' payloads: ids alone, each read as it was written. */
import { z } from "zod";
import { gid, shopDomain } from "../modules/kernel/ids.ts";
import { NOTIFICATION_KINDS } from "../modules/kernel/notification.ts";
import { UNIT_OWNERS } from "../modules/patients/unit-owner.ts";
import { MILESTONES, TOLD_WAYS } from "../modules/referrals/milestone.ts";
import { ENVIRONMENTS } from "../modules/shops/connection.ts";

export const shop = z.string().transform((value, context) => {
  const domain = shopDomain(value);
  if (domain) return domain;
  context.addIssue("not a shop");
  return z.NEVER;
});
export const uuid = z.uuid();
export const ofShop = z.object({ shop });
export const inbox = z.object({ shop, inboxId: z.string().regex(/^\d+$/) });
export const orderId = z.string().transform((value) => gid("Order", value));
export const order = z.object({ shop, orderId });
const productId = z.string().transform((value) => gid("Product", value));
export const product = z.object({ shop, productId });
/** A variant or a whole product, which their ids tell apart. */
export const sold = z
  .string()
  .transform((value) =>
    value.includes("/Product/") ? gid("Product", value) : gid("ProductVariant", value),
  );
export const request = z.object({ shop, requestId: uuid });
export const connection = z.object({ shop, environment: z.enum(ENVIRONMENTS) });
export const resource = connection.extend({ uuid });
export const look = resource.extend({ behind: z.literal(true).optional() });
export const milestone = order.extend({
  requestId: uuid.nullable(),
  milestone: z.enum(MILESTONES),
  /** Left out where all of them are still to be asked for. */
  way: z.enum(TOLD_WAYS).optional(),
});
/** Names when an email was tried first that may have arrived. */
export const triedMail = { unclearSince: z.number().int().optional() };
export const notification = request.extend({
  kind: z.enum(NOTIFICATION_KINDS),
  occurrence: z.string().optional(),
  ...triedMail,
});
export const reminder = request.extend({
  owner: z.enum(UNIT_OWNERS),
  since: z.number().int(),
  step: z.number().int().nonnegative(),
});
