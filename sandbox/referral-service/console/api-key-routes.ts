import { z } from "zod";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import type { Account } from "../organisations/account-store.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

export const newApiKey = z.object({ integration: z.enum(["store", "api"]).optional() });

/** Enables API access, which needs a valid billing method (interface §1.8). */
export function createApiKey({ core }: ConsoleDependencies, account: Account, body: unknown) {
  const { integration } = parsePayload(newApiKey, body);
  const organisation = requireOrganisation(core, account);
  if (organisation.billing !== "valid") {
    throw new ApiError(403, "FORBIDDEN", "API access needs a valid billing method on file");
  }
  const { clientId, clientSecret } = core.stores.credentials.create({
    organisationId: organisation.id,
    accountId: account.id,
    origin: integration === "store" ? "STORE_INTEGRATION" : "API",
    nowMs: core.clock.nowMs(),
  });
  return { client_id: clientId, client_secret: clientSecret };
}

/** API keys of `{app_url}/api`; a secret is shown once. */
export function apiKeyRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  return [
    consoleRoute(dependencies, "POST", "/api-keys", ({ account, body }) =>
      json(createApiKey(dependencies, account, body)),
    ),
    consoleRoute(dependencies, "GET", "/api-keys", ({ account }) =>
      json(
        core.stores.credentials.list(requireOrganisation(core, account).id).map((credential) => ({
          client_id: credential.clientId,
          integration: credential.origin === "STORE_INTEGRATION" ? "store" : "api",
          createdAt: new Date(credential.createdAtMs).toISOString(),
        })),
      ),
    ),
    consoleRoute(dependencies, "DELETE", "/api-keys/{clientId}", ({ account, params }) => {
      const organisation = requireOrganisation(core, account);
      if (!core.stores.credentials.remove(organisation.id, params.clientId ?? "")) {
        throw new ApiError(404, "NOT_FOUND", "No such API key");
      }
      return json({ deleted: true });
    }),
  ];
}
