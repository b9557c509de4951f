import type { FlowField } from "../../config/flow-triggers.ts";
import { idFrom } from "../../state/global-id.ts";
import type { Caller } from "../context.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { nodeView } from "../views/node.ts";

const maxPayloadBytes = 50_000;

/**
 * Starts the workflows of a trigger that an extension declares. Shopify holds the payload to the trigger's fields: each
 * must be there, in its type, and nothing else. What the workflows do is the merchant's; the call is kept and ends here.
 */
export function flowTriggerReceive(
  caller: Caller,
  { handle, payload, body }: { handle?: string | null; payload?: unknown; body?: string | null },
): View {
  const { platform, shop } = caller;
  const refuse = (field: string, message: string): View => ({
    userErrors: [userError([field], message)],
  });
  if (body != null) return refuse("body", "The sandbox takes `handle` and `payload` only.");
  const trigger = platform.config.flowTriggers.find((candidate) => candidate.handle === handle);
  if (!trigger) return refuse("handle", `Invalid handle '${handle}': no such trigger.`);
  if (typeof payload !== "object" || payload === null || Array.isArray(payload))
    return refuse("payload", "Payload must be an object.");
  if (Buffer.byteLength(JSON.stringify(payload)) > maxPayloadBytes)
    return refuse("payload", "Payload is larger than 50 KB.");
  const given = new Map<string, unknown>(Object.entries(payload));
  const declared = trigger.fields.map(({ property }) => property);
  const unknown = [...given.keys()].filter((property) => !declared.includes(property));
  const wrong = trigger.fields.filter((field) => !fits(caller, field, given.get(field.property)));
  if (unknown.length > 0 || wrong.length > 0) {
    const parts = [
      ...wrong.map(({ property, type }) => `'${property}' must be a ${type}`),
      ...unknown.map((property) => `'${property}' is not a field of the trigger`),
    ];
    return refuse("payload", `Errors validating schema: ${parts.join(", ")}.`);
  }
  platform.flowTriggered.push({
    shop: shop.id,
    handle: trigger.handle,
    payload: Object.fromEntries(given),
    at: platform.clock.nowIso(),
  });
  return { userErrors: [] };
}

/** A reference is the resource's number, and the resource must exist; texts are texts, numbers numbers. */
function fits(caller: Caller, { type, property }: FlowField, value: unknown): boolean {
  switch (type) {
    case "order_reference":
    case "customer_reference":
    case "product_reference":
    case "product_variant_reference": {
      const resource = RESOURCES[type];
      const isNumber = typeof value === "number" || /^\d+$/.test(String(value));
      const id = isNumber ? idFrom(String(value), resource) : undefined;
      return id !== undefined && nodeView(caller, `gid://shopify/${resource}/${id}`) !== null;
    }
    case "single_line_text_field":
      return typeof value === "string" && !value.includes("\n");
    case "multi_line_text_field":
      return typeof value === "string";
    case "email":
      return typeof value === "string" && /^[^\s@]+@[^\s@]+$/.test(value);
    case "url":
      return typeof value === "string" && URL.canParse(value);
    case "boolean":
      return typeof value === "boolean";
    case "number_decimal":
      return typeof value === "number" || /^-?\d+(\.\d+)?$/.test(String(value));
    default:
      throw new Error(`The sandbox does not know the type ${type} of Flow's field ${property}`);
  }
}

const RESOURCES = {
  order_reference: "Order",
  customer_reference: "Customer",
  product_reference: "Product",
  product_variant_reference: "ProductVariant",
} as const;
