import { TokenError } from "./token-error.ts";

/** A client id with its secret, as presented. */
export interface PresentedClient {
  clientId: string;
  clientSecret: string;
}

function decodeComponent(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function fromBasicHeader(header: string): PresentedClient {
  const [scheme = "", token = "", ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== "basic" || rest.length > 0) {
    throw new TokenError("AuthorizationHeaderInvalid");
  }
  if (token === "") throw new TokenError("AuthorizationTokenNotFound");
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(token)) throw new TokenError("AuthorizationHeaderInvalid");
  const pair = Buffer.from(token, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  if (colon < 0) throw new TokenError("AuthorizationHeaderInvalid");
  return {
    clientId: decodeComponent(pair.slice(0, colon)),
    clientSecret: decodeComponent(pair.slice(colon + 1)),
  };
}

/**
 * Reads the client's identity from the Authorization header or, without one, from the form body
 * (interface §5.1).
 *
 * Throws TokenError 111, 117 or 118.
 */
export function presentedClient(
  authorization: string | undefined,
  form: URLSearchParams,
): PresentedClient {
  const client =
    authorization === undefined
      ? { clientId: form.get("client_id") ?? "", clientSecret: form.get("client_secret") ?? "" }
      : fromBasicHeader(authorization);
  if (client.clientId === "") throw new TokenError("MissingClientId");
  return client;
}
