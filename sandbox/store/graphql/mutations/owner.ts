import { accessDenied, isAllowed } from "../access.ts";
import type { Caller } from "../context.ts";

/** Scope that changing a resource of a type takes; an app's own installation takes none. */
const writeScopes = new Map([
  ["Order", "write_orders"],
  ["Product", "write_products"],
  ["ProductVariant", "write_products"],
  ["Customer", "write_customers"],
]);

/** Throws the access error of a mutation unless the caller may change resources of this type. */
export function requireWriteAccess(
  caller: Caller,
  mutation: string,
  type: string | undefined,
): void {
  const scope = writeScopes.get(type ?? "");
  const access = `\`${scope}\` access scope.`;
  if (caller.isApp && scope !== undefined && !isAllowed(access, caller.scopes)) {
    throw accessDenied(mutation, access);
  }
}
