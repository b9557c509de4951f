import { z } from "zod";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import { readProviderNumber } from "../medicare/provider-number.ts";
import type { ProviderNumber } from "../organisations/provider-number-store.ts";
import { addressLine } from "../referrals/address-line.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { address, shortText } from "../referrals/patient-fields.ts";
import { consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

export const providerNumberFields = z.object({
  providerNumber: z.string(),
  name: shortText,
  address: shortText.or(address.transform(addressLine)),
  signature: z.boolean().default(false),
  routing: z.boolean().default(false),
});

/** Registers a provider number, with its signature when captured (interface §4.2 rule 9). */
export function saveProviderNumber(
  { core }: ConsoleDependencies,
  organisationId: number,
  body: unknown,
): ProviderNumber {
  const fields = parsePayload(providerNumberFields, body);
  const providerNumber = readProviderNumber(fields.providerNumber);
  if (providerNumber === null) {
    throw new ApiError(
      400,
      "INVALID_PROVIDER_NUMBER",
      "A Medicare provider number has 8 characters, the last of which is a check character",
    );
  }
  const entry = { ...fields, providerNumber };
  core.stores.providerNumbers.save(organisationId, entry);
  return entry;
}

/** Provider numbers of `{app_url}/api`. */
export function providerNumberRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  return [
    consoleRoute(dependencies, "POST", "/provider-numbers", ({ account, body }) =>
      json(saveProviderNumber(dependencies, requireOrganisation(core, account).id, body)),
    ),
    consoleRoute(dependencies, "GET", "/provider-numbers", ({ account }) =>
      json(core.stores.providerNumbers.list(requireOrganisation(core, account).id)),
    ),
    consoleRoute(
      dependencies,
      "DELETE",
      "/provider-numbers/{providerNumber}",
      ({ account, params }) => {
        const { id } = requireOrganisation(core, account);
        if (!core.stores.providerNumbers.remove(id, params.providerNumber ?? "")) {
          throw new ApiError(404, "NOT_FOUND", "No such provider number");
        }
        return json({ deleted: true });
      },
    ),
  ];
}
