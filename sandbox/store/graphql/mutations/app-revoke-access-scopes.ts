import { revokeOptionalScopes, scopesOf } from "../../install/scopes.ts";
import type { Caller } from "../context.ts";
import { userError } from "../user-error.ts";
import type { View } from "../view.ts";
import { scopeView } from "../views/app.ts";

/** Takes back optional scopes that were granted: all or nothing. */
export function appRevokeAccessScopes(caller: Caller, { scopes }: { scopes: string[] }): View {
  const { platform, shop } = caller;
  const { granted, required } = scopesOf(platform, shop);
  const problem = (code: string, message: string): View => ({
    revoked: null,
    userErrors: [userError(["scopes"], message, { code })],
  });
  if (scopes.some((scope) => required.includes(scope)))
    return problem("CANNOT_REVOKE_REQUIRED_SCOPES", "Required scopes cannot be revoked.");
  if (scopes.some((scope) => !granted.includes(scope)))
    return problem("CANNOT_REVOKE_UNDECLARED_SCOPES", "A scope was not granted.");
  revokeOptionalScopes(platform, shop, scopes);
  return { revoked: scopes.map(scopeView), userErrors: [] };
}
