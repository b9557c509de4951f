import { z } from "zod";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import type { Account } from "../organisations/account-store.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { shortText } from "../referrals/patient-fields.ts";
import { consoleRoute, requireOrganisation } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

export const newOrganisation = z.object({ name: shortText });

export const organisationChange = z.object({
  name: shortText.optional(),
  billing: z.enum(["valid", "declined", "none"]).optional(),
  holdResultsForReview: z.boolean().optional(),
  requirePatientVerification: z.boolean().optional(),
});

/** The wire form of an organisation. */
function viewOrganisation(organisation: Organisation) {
  const { uuid, name, billing, holdResultsForReview, requirePatientVerification } = organisation;
  return { uuid, name, billing, holdResultsForReview, requirePatientVerification };
}

/** Founds an account's organisation, which needs a verified profile (interface §1.8). */
export function createOrganisation(
  { core }: ConsoleDependencies,
  account: Account,
  body: unknown,
): Organisation {
  if (!account.verified) {
    throw new ApiError(403, "FORBIDDEN", "Verify the profile before creating an organisation");
  }
  if (account.organisationId !== null) {
    throw new ApiError(409, "CONFLICT", "This account has an organisation already");
  }
  const { name } = parsePayload(newOrganisation, body);
  return core.stores.database.transaction(() => {
    const organisation = core.stores.organisations.create(name);
    core.stores.accounts.setOrganisation(account, organisation.id);
    return organisation;
  });
}

/** Changes what was given and nothing else. */
export function changeOrganisation(
  { core }: ConsoleDependencies,
  organisation: Organisation,
  body: unknown,
): Organisation {
  const change = parsePayload(organisationChange, body);
  const changed: Organisation = {
    ...organisation,
    name: change.name ?? organisation.name,
    billing: change.billing ?? organisation.billing,
    holdResultsForReview: change.holdResultsForReview ?? organisation.holdResultsForReview,
    requirePatientVerification:
      change.requirePatientVerification ?? organisation.requirePatientVerification,
  };
  core.stores.organisations.save(changed);
  return changed;
}

/** Organisations of `{app_url}/api`. */
export function organisationRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  return [
    consoleRoute(dependencies, "POST", "/organisations", ({ account, body }) =>
      json(viewOrganisation(createOrganisation(dependencies, account, body))),
    ),
    consoleRoute(dependencies, "GET", "/organisation", ({ account }) =>
      json(viewOrganisation(requireOrganisation(core, account))),
    ),
    consoleRoute(dependencies, "PATCH", "/organisation", ({ account, body }) =>
      json(
        viewOrganisation(
          changeOrganisation(dependencies, requireOrganisation(core, account), body),
        ),
      ),
    ),
  ];
}
