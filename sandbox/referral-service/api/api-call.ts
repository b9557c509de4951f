import type { Core } from "../core.ts";
import type { Answer } from "../http/answer.ts";
import { ApiError, type ApiErrorCode, invalidParameter } from "../http/api-error.ts";
import type { ApiVersion } from "../http/api-version.ts";
import { negotiateVersion } from "../http/api-version.ts";
import { parseJson, readBody } from "../http/read-body.ts";
import type { Route, RoutedRequest } from "../http/router.ts";
import type { Credential } from "../organisations/credential-store.ts";
import type { Organisation } from "../organisations/organisation.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** An API request that has been authenticated and whose version is known. */
export interface ApiCall {
  organisation: Organisation;
  credential: Credential;
  version: ApiVersion;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The parsed JSON body; undefined for methods without one. */
  body: unknown;
}

function unauthorised(code: ApiErrorCode, message: string): ApiError {
  return new ApiError(401, code, message, { headers: { "www-authenticate": "Bearer" } });
}

async function authenticate(
  core: Core,
  header: string | undefined,
): Promise<Pick<ApiCall, "organisation" | "credential">> {
  if (header === undefined || header.trim() === "") {
    throw unauthorised("MISSING_AUTHORIZATION_HEADER", "Missing Authorization header");
  }
  const invalid = () => unauthorised("INVALID_JWT", "Invalid access token");
  const token = /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw invalid();
  const reading = await core.accessTokens.read(token);
  if (reading.kind === "bad-signature") {
    throw unauthorised("INVALID_JWT_SIGNATURE", "Invalid JWT signature");
  }
  if (reading.kind === "invalid") throw invalid();
  const credential = core.stores.credentials.find(reading.clientId);
  const organisation = credential && core.stores.organisations.find(credential.organisationId);
  if (!credential || !organisation) throw invalid();
  return { credential, organisation };
}

/**
 * Wraps an API handler: token, faults, rate limit, version, then body (interface §5.4, §8, §9).
 *
 * Throws ApiError for every refusal.
 */
export function apiRoute(
  { core, rateLimiter }: { core: Core; rateLimiter: RateLimiter },
  method: Route["method"],
  pattern: string,
  handle: (call: ApiCall) => Promise<Answer> | Answer,
): Route {
  const handleRequest = async (request: RoutedRequest): Promise<Answer> => {
    const { headers } = request.message;
    const { organisation, credential } = await authenticate(core, headers.authorization);
    const { settings } = core.faults.of(organisation.id);
    rateLimiter.take(organisation.id, settings.rateLimit);
    if (Math.random() < settings.errorRate) {
      throw new ApiError(500, "INTERNAL_ERROR", "Internal error (fault errorRate)");
    }
    const version = negotiateVersion(headers.accept);
    if (settings.onlyVersion && version !== settings.onlyVersion)
      throw invalidParameter(`Version ${version} is not available to this organisation`);
    const hasBody = method === "POST" || method === "PATCH";
    const body = hasBody ? parseJson(await readBody(request.message)) : undefined;
    const { params, query } = request;
    return await handle({ organisation, credential, version, params, query, body });
  };
  return { method, pattern, handle: handleRequest };
}
