import { GraphQLError } from "graphql";
import { z } from "zod";

/**
 * Shopify's approval of the customer data that the app may see. `customerData` is level 1 (orders and customers at
 * all); the fields are level 2 and mean nothing without it.
 */
export const protectedDataApproval = z.strictObject({
  customerData: z.boolean().default(true),
  name: z.boolean().default(true),
  email: z.boolean().default(true),
  phone: z.boolean().default(true),
  address: z.boolean().default(true),
});
export type ProtectedDataApproval = z.infer<typeof protectedDataApproval>;

/** Objects that an app without level 1 does not see. */
const customerObjects: ReadonlySet<string> = new Set([
  "Order",
  "Customer",
  "MailingAddress",
  "Fulfillment",
  "FulfillmentOrder",
  "Refund",
  "OrderTransaction",
]);

const documentation = "https://shopify.dev/docs/apps/launch/protected-customer-data";

export function objectRefusal(
  type: string,
  approval: ProtectedDataApproval,
): GraphQLError | undefined {
  if (approval.customerData || !customerObjects.has(type)) return undefined;
  return refusal(`This app is not approved to access the ${type} object.`);
}

/** `content` is the schema's `protectedContent` of a field: name, email, phone or address. */
export function fieldRefusal(
  content: string,
  field: string,
  approval: ProtectedDataApproval,
): GraphQLError | undefined {
  const approved =
    approval.customerData && new Map(Object.entries(approval)).get(content) !== false;
  return approved ? undefined : refusal(`This app is not approved to use the ${field} field.`);
}

const refusal = (message: string): GraphQLError =>
  new GraphQLError(`${message} See ${documentation} for more details.`, {
    extensions: { code: "ACCESS_DENIED", documentation },
  });
