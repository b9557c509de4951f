import { z } from "zod";
import { json } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import type { Route } from "../http/router.ts";
import type { Account } from "../organisations/account-store.ts";
import { parsePayload } from "../referrals/create-request.ts";
import { emailAddress, shortText } from "../referrals/patient-fields.ts";
import { TokenError } from "../tokens/token-error.ts";
import { consoleBody, consoleRoute } from "./console-call.ts";
import type { ConsoleDependencies } from "./dependencies.ts";

export const newAccount = z.object({
  email: emailAddress,
  password: z.string().min(1, "must not be empty").max(200),
});

export const profileFields = z.object({
  firstName: shortText,
  lastName: shortText,
  practitionerType: shortText,
});

/** The wire form of an account's profile. */
function viewProfile(account: Account) {
  const { email, firstName, lastName, practitionerType, verified } = account;
  return { email, firstName, lastName, practitionerType, verified };
}

/** Creates an account (interface §1.8); throws ApiError 409 when the address is taken. */
export function signUp({ core }: ConsoleDependencies, body: unknown): Account {
  const { email, password } = parsePayload(newAccount, body);
  const account = core.stores.accounts.create(email, password);
  if (!account) throw new ApiError(409, "CONFLICT", "An account with this email address exists");
  return account;
}

/** Checks email address and password; throws TokenError 102 or 123 (interface §7.4). */
export function signIn({ core }: ConsoleDependencies, body: unknown): Account {
  const { email, password } = parsePayload(
    z.object({ email: z.string(), password: z.string().max(200) }),
    body,
  );
  const account = core.stores.accounts.findByEmail(email);
  if (!account) throw new TokenError("UserNotFound");
  if (!core.stores.accounts.passwordIsRight(account, password)) {
    throw new TokenError("InvalidCredentials");
  }
  return account;
}

/** Stores the profile; changing it does not undo a verification. */
export function saveProfile(
  { core }: ConsoleDependencies,
  account: Account,
  body: unknown,
): Account {
  const profile = parsePayload(profileFields, body);
  core.stores.accounts.setProfile(account, profile);
  return { ...account, ...profile };
}

/** Verifies a complete profile; throws ApiError 409 when something is missing. */
export function verifyProfile({ core }: ConsoleDependencies, account: Account): Account {
  if (!account.firstName || !account.lastName || !account.practitionerType) {
    throw new ApiError(409, "CONFLICT", "Complete the profile first; choose a practitioner type");
  }
  core.stores.accounts.setVerified(account);
  return { ...account, verified: true };
}

/** Accounts, sign-in and profile of `{app_url}/api`. */
export function accountRoutes(dependencies: ConsoleDependencies): Route[] {
  const { core } = dependencies;
  const issued = (account: Account) =>
    json({ token: core.stores.accounts.issueToken(account), email: account.email });
  return [
    {
      method: "POST",
      pattern: "/api/accounts",
      handle: async (request) => issued(signUp(dependencies, await consoleBody(request))),
    },
    {
      method: "POST",
      pattern: "/api/sessions",
      handle: async (request) => {
        try {
          return issued(signIn(dependencies, await consoleBody(request)));
        } catch (error) {
          if (!(error instanceof TokenError)) throw error;
          return json(error.body(), error.status);
        }
      },
    },
    consoleRoute(dependencies, "DELETE", "/account", ({ account, isConsole }) => {
      if (isConsole) throw new ApiError(403, "FORBIDDEN", "The seeded account stays");
      core.stores.accounts.remove(account);
      return json({ deleted: true });
    }),
    consoleRoute(dependencies, "GET", "/profile", ({ account }) => json(viewProfile(account))),
    consoleRoute(dependencies, "PUT", "/profile", ({ account, body }) =>
      json(viewProfile(saveProfile(dependencies, account, body))),
    ),
    consoleRoute(dependencies, "POST", "/profile/verify", ({ account }) =>
      json(viewProfile(verifyProfile(dependencies, account))),
    ),
  ];
}
