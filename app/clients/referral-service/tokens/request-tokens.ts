import { z } from "zod";
import type { Credentials } from "../../../modules/shops/connection.ts";
import type { Clock } from "../../../platform/clock.ts";
import { ReferralServiceError, type ReferralServiceFailure } from "../../../platform/errors.ts";
import { exchange } from "../http/exchange.ts";
import type { Answer, Transport } from "../http/transport.ts";
import { retryAfterMs } from "../retry-after.ts";
import { readErrorBody } from "../wire/error-body.ts";
import { parseJson } from "../wire/json.ts";
import type { StoredTokens } from "./token-store.ts";

export type Grant =
  | { type: "client_credentials" }
  | { type: "refresh_token"; refreshToken: string };

export interface TokenServiceOptions {
  /** {auth_url} of the interface. */
  authUrl: string;
  credentials: Credentials;
  transport: Transport;
  clock: Clock;
  /** Milliseconds for a whole exchange, 15,000 by default. */
  timeoutMs?: number;
}

// Visible ASCII only: a token with a line break would have the whole header quoted in an error.
const token = z.string().regex(/^[\x21-\x7e]+$/);

/** Interface §5.3. */
const successSchema = z.object({
  access_token: token,
  refresh_token: token.nullish().catch(null),
  expires_in: z.coerce.number().positive(),
  refresh_expires_in: z.coerce.number().positive().nullish().catch(null),
});

/**
 * POST {auth_url}/oauth/token (interface §5). The status codes of token errors are not shown (§7.4), so the
 * body speaks first and the status only when there is no readable body. Client credentials go in the header first, and
 * in the body when they are refused there: the interface shows either form (§5.1). Throws ReferralServiceError.
 */
export async function requestTokens(
  options: TokenServiceOptions,
  grant: Grant,
): Promise<StoredTokens> {
  if (grant.type !== "client_credentials") return askTokens(options, grant, "header");
  try {
    return await askTokens(options, grant, "header");
  } catch (error) {
    if (!(error instanceof ReferralServiceError) || !mayRefuseHeader(error)) throw error;
    return await askTokens(options, grant, "body");
  }
}

/** A refusal, or an answer without words that may be one: which header is taken may be decided before the service writes any. */
const mayRefuseHeader = ({ failure, status }: ReferralServiceError) =>
  failure === "unauthorized" || status === 400 || status === 403;

async function askTokens(
  options: TokenServiceOptions,
  grant: Grant,
  place: CredentialsPlace,
): Promise<StoredTokens> {
  const { credentials, clock } = options;
  const askedAt = clock.now();
  const answer = await exchange(options.transport, {
    url: new URL(`${options.authUrl.replace(/\/+$/, "")}/oauth/token`),
    method: "POST",
    ...formOf(grant, credentials, place),
    timeoutMs: options.timeoutMs ?? 15_000,
    label: `POST /oauth/token (${grant.type})`,
  });
  const success = successSchema.safeParse(parseJson(answer.text));
  if (answer.status > 299 || !success.success) throw failureOf(answer, grant, askedAt);
  const { data } = success;
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token ?? null,
    obtainedAt: askedAt.toISOString(),
    expiresAt: later(askedAt, data.expires_in),
    refreshExpiresAt: data.refresh_expires_in ? later(askedAt, data.refresh_expires_in) : null,
    clientId: credentials.clientId,
  };
}

/** Where the client's id and secret stand (interface §5.1). */
type CredentialsPlace = "header" | "body";

function formOf(grant: Grant, { clientId, clientSecret }: Credentials, place: CredentialsPlace) {
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  if (grant.type === "refresh_token") {
    const form = { grant_type: grant.type, refresh_token: grant.refreshToken };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  if (place === "body") {
    const form = { grant_type: grant.type, client_id: clientId, client_secret: clientSecret };
    return { headers, body: new URLSearchParams(form).toString() };
  }
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
  return {
    headers: { ...headers, authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: grant.type }).toString(),
  };
}

const MAX_LIFETIME_S = 10 * 365 * 24 * 60 * 60;

function later(from: Date, seconds: number): string {
  return new Date(from.getTime() + Math.min(seconds, MAX_LIFETIME_S) * 1000).toISOString();
}

/** Message and list of the service are left out: they may repeat what was sent, and secrets were sent. */
function failureOf(answer: Answer, grant: Grant, now: Date): ReferralServiceError {
  const body = readErrorBody(answer.text);
  const written = body?.code;
  // §7.4 shows numbers only; anything else might be what we sent.
  const code = written && /^\d{1,6}$/.test(written) ? written : undefined;
  const outcome = `answered ${answer.status}${code === undefined ? "" : ` ${code}`}`;
  return new ReferralServiceError(
    kindOf(answer.status, { code, isSilent: body === null }),
    `POST /oauth/token (${grant.type}) ${outcome}`,
    {
      status: answer.status,
      serviceCode: code,
      retryAfterMs: retryAfterMs(answer.retryAfter, now) ?? undefined,
    },
  );
}

/**
 * Codes of §7.4 are three-digit text starting with 1, at whatever status they come. Without one, a token service that is not there
 * and a page of a firewall are no refusal of the credentials.
 */
function kindOf(
  status: number,
  { code, isSilent }: { code: string | undefined; isSilent: boolean },
): ReferralServiceFailure {
  if (code !== undefined && /^1\d\d$/.test(code)) return "unauthorized";
  if (status === 429) return "rate_limited";
  if (status >= 500) return "server";
  if (status === 408) return "timeout";
  if (status === 404 || status === 405 || (isSilent && status !== 401)) return "contract_mismatch";
  if (status >= 400) return "unauthorized";
  return "contract_mismatch";
}
