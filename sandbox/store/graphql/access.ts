import { GraphQLError } from "graphql";

/**
 * Shopify's sentence about the access a field or type needs, as a rule: one scope of every group.
 * "`read_orders` access scope or `read_marketplace_orders` access scope. Also: Requires `write_orders` access scope."
 */
export function scopeGroups(requiredAccess: string): string[][] {
  return requiredAccess
    .split(/\bas well as\b|(?=Also: Requires)/)
    .map((part) => part.replace(/Also: (?!Requires)[\s\S]*/, ""))
    .map((part) =>
      [...part.matchAll(/`((?:read|write)_[a-z_]+)`/g)].flatMap((match) => match[1] ?? []),
    )
    .filter((group) => group.length > 0);
}

/** Whether the scopes suffice; a write scope includes the read scope of its resource. */
export function isAllowed(requiredAccess: string, granted: readonly string[]): boolean {
  return scopeGroups(requiredAccess).every((group) =>
    group.some(
      (scope) => granted.includes(scope) || granted.includes(scope.replace(/^read_/, "write_")),
    ),
  );
}

/** The error that Shopify answers, with `data` null at the field. */
export const accessDenied = (field: string, requiredAccess: string): GraphQLError =>
  new GraphQLError(`Access denied for ${field} field. Required access: ${requiredAccess}`, {
    extensions: {
      code: "ACCESS_DENIED",
      documentation: "https://shopify.dev/api/usage/access-scopes",
      requiredAccess,
    },
  });
