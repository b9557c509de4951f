import type { Core } from "../core.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError } from "../http/api-error.ts";
import { parseJson, readBody } from "../http/read-body.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import type { Account } from "../organisations/account-store.ts";
import type { Organisation } from "../organisations/organisation.ts";
import { seededEmail } from "../organisations/seed.ts";
import { sameText } from "../storage/secrets.ts";

/** A request to the web application's JSON API with a known account. */
export interface ConsoleCall {
  account: Account;
  /** Whether the console token was used, which may act for the whole server. */
  isConsole: boolean;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

/** Returns the account of a web application's token; null when nobody presents one. */
export function accountOfToken(
  core: Core,
  consoleToken: string,
  token: string,
): Pick<ConsoleCall, "account" | "isConsole"> | null {
  const isConsole = sameText(token, consoleToken);
  const account = isConsole
    ? core.stores.accounts.findByEmail(seededEmail)
    : core.stores.accounts.findByToken(token);
  return account ? { account, isConsole } : null;
}

/** The account's organisation; throws ApiError 409 when there is none yet. */
export function requireOrganisation(core: Core, account: Account): Organisation {
  const organisation =
    account.organisationId === null ? null : core.stores.organisations.find(account.organisationId);
  if (!organisation) throw new ApiError(409, "CONFLICT", "Create an organisation first");
  return organisation;
}

/** Reads a JSON body; an empty one means no fields. */
export async function consoleBody(request: RoutedRequest): Promise<unknown> {
  const source = await readBody(request.message);
  return source.trim() === "" ? {} : parseJson(source);
}

/** Wraps a handler of `{app_url}/api` with authentication and body. */
export function consoleRoute(
  { core, consoleToken }: { core: Core; consoleToken: string },
  method: Route["method"],
  path: string,
  handle: (call: ConsoleCall) => Promise<Answer> | Answer,
): Route {
  const handleRequest = async (request: RoutedRequest): Promise<Answer> => {
    const header = request.message.headers.authorization;
    if (header === undefined) {
      throw new ApiError(401, "MISSING_AUTHORIZATION_HEADER", "Missing Authorization header");
    }
    const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1] ?? "";
    const identity = accountOfToken(core, consoleToken, token);
    if (!identity) throw new ApiError(401, "INVALID_JWT", "Invalid access token");
    const { params, query } = request;
    const body = method === "GET" ? undefined : await consoleBody(request);
    return await handle({ ...identity, params, query, body });
  };
  return { method, pattern: `/api${path}`, handle: handleRequest };
}
