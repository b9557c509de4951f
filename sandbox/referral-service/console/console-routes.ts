import type { Route } from "../http/router.ts";
import { accountRoutes } from "./account-routes.ts";
import { apiKeyRoutes } from "./api-key-routes.ts";
import type { ConsoleDependencies } from "./dependencies.ts";
import { organisationRoutes } from "./organisation-routes.ts";
import { providerNumberRoutes } from "./provider-number-routes.ts";
import { consoleReferralRoutes } from "./referral-routes.ts";
import { serverRoutes } from "./server-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";

/** All of `{app_url}/api`. */
export function consoleRoutes(dependencies: ConsoleDependencies): Route[] {
  return [
    ...accountRoutes(dependencies),
    ...organisationRoutes(dependencies),
    ...apiKeyRoutes(dependencies),
    ...webhookRoutes(dependencies),
    ...providerNumberRoutes(dependencies),
    ...consoleReferralRoutes(dependencies),
    ...serverRoutes(dependencies),
  ];
}
