import type { ProtectedDataApproval } from "../graphql/protected-data.ts";

/** Keys of a customer's data in webhook payloads, by the approval that they need. */
const protectedKeys: Record<Exclude<keyof ProtectedDataApproval, "customerData">, string[]> = {
  name: ["first_name", "last_name"],
  email: ["email", "contact_email"],
  phone: ["phone"],
  address: ["address1", "address2", "city", "zip", "latitude", "longitude"],
};

/**
 * The payload as an app gets it: protected fields for which it has no approval are null. `name` is a person's only
 * beside `first_name`; elsewhere it names an order or a line.
 */
export function redactPayload<T>(payload: T, approval: ProtectedDataApproval): T {
  const hidden = new Set(
    Object.entries(protectedKeys).flatMap(([kind, keys]) =>
      new Map(Object.entries(approval)).get(kind) === false ? keys : [],
    ),
  );
  if (hidden.size === 0) return payload;
  return JSON.parse(JSON.stringify(payload), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const isPerson = "first_name" in value;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        const hides = hidden.has(key) || (key === "name" && isPerson && hidden.has("first_name"));
        return [key, hides ? null : field];
      }),
    );
  });
}
