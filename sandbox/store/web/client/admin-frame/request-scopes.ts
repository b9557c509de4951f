import type { BridgeCalls, ScopesDetail } from "../bridge-protocol.ts";
import { confirmWith } from "./confirm.ts";
import { post } from "./dom.ts";

/** Asks the merchant for the scopes that are still missing. An undeclared one is an error before anybody is asked. */
export async function requestScopes(
  { appName, apiPath }: { appName: string; apiPath: string },
  scopes: string[],
): Promise<BridgeCalls["requestScopes"][1]> {
  const known = await post<ScopesDetail>(`${apiPath}/scopes`, {});
  const undeclared = scopes.find(
    (scope) => ![...known.required, ...known.optional].includes(scope),
  );
  if (undeclared) throw new Error(`${undeclared} is not declared as an optional scope`);
  const missing = scopes.filter((scope) => !known.granted.includes(scope));
  if (missing.length === 0) return { result: "granted-all", detail: known };
  const question = `${appName} asks for more access to this store: ${missing.join(", ")}.`;
  if (!(await confirmWith(question, "Update permissions", "Cancel")))
    return { result: "declined-all", detail: known };
  const detail = await post<ScopesDetail>(`${apiPath}/scopes/grant`, { scopes: missing });
  return { result: "granted-all", detail };
}
