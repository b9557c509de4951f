import { randomUUID } from "node:crypto";
import type { ApiVersion } from "../../modules/shops/connection.ts";
import type { Clock } from "../../platform/clock.ts";
import { crashPoint } from "../../platform/crash-points.ts";
import { AppError, ReferralServiceError } from "../../platform/errors.ts";
import { AnsweredError } from "./answered-error.ts";
import { exchange } from "./http/exchange.ts";
import type { Answer, Transport } from "./http/transport.ts";
import type { Middleware } from "./middleware.ts";
import { NotSentError } from "./not-sent-error.ts";
import type { TokenSource } from "./tokens/token-source.ts";

/** One call of the API. Without `deadlineAt` it may be sent at any time. */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
  deadlineAt?: Date;
  /** Asked for instead of the connection's own. */
  apiVersion?: ApiVersion;
  /** Used instead of the client's own. */
  transport?: Transport;
  giveUp?: AbortSignal;
}

export interface RequestPathOptions {
  /** {base_url} of the interface, with or without a trailing slash. */
  baseUrl: string;
  /** Vendor token of the media type (interface §9). */
  vendor: string;
  /** The version that the organisation has; 1.1.0 by default. */
  apiVersion?: ApiVersion;
  tokens: TokenSource;
  transport: Transport;
  clock: Clock;
  middleware: Middleware;
}

export type RequestPath = (call: Call) => Promise<string>;

/** The name of a call in errors: its method and path, which hold ids only. */
export const labelOf = ({ method, path }: Call) => `${method} ${path}`;

/**
 * The only way to the API: token, version header, request id, timeout and error mapping, with one renewal of the
 * token on 401 (which says that the call did nothing). Here nothing else is ever sent twice. Gives the text of a good answer;
 * throws NotSentError, AnsweredError or another ReferralServiceError.
 */
export function createRequestPath(options: RequestPathOptions): RequestPath {
  const { tokens, clock } = options;

  async function send(call: Call, label: string, token: string): Promise<Answer> {
    const isCreate = call.method === "POST";
    const url = urlOf(options.baseUrl, call);
    const request = {
      url,
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: `application/vnd.${options.vendor}.v${call.apiVersion ?? options.apiVersion ?? "1.1.0"}+json`,
        "x-request-id": randomUUID(),
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      once: isCreate,
      onHead: isCreate ? () => crashPoint("create.after-headers") : undefined,
    };
    // A late call must not leave. Getting a token, waiting in the middleware and connecting take time.
    const refuseLate = () => {
      if (call.deadlineAt && clock.now() >= call.deadlineAt) {
        const late = `${label}: the deadline passed before it was sent`;
        throw new NotSentError("timeout", late, { isOurs: true });
      }
      if (call.giveUp?.aborted) {
        throw new NotSentError("connection", `${label}: this process stops`, { isOurs: true });
      }
    };
    const beforeFirstByte = () => {
      if (isCreate) crashPoint("create.before-deadline-check");
      refuseLate();
      if (isCreate) crashPoint("create.before-first-byte");
    };
    return await options.middleware(() => {
      refuseLate();
      const { transport = options.transport, giveUp } = call;
      const timeoutMs = timeLeft(call, clock);
      return exchange(transport, { ...request, beforeFirstByte, timeoutMs, label, giveUp });
    });
  }

  return async (call) => {
    const label = labelOf(call);
    const token = await obtained(() => tokens.token(), label);
    let answer = await send(call, label, token);
    if (answer.status === 401) {
      const renewed = await obtained(() => tokens.renew(token), label);
      answer = await send(call, label, renewed);
    }
    if (answer.status < 200 || answer.status > 299) {
      throw new AnsweredError(label, answer, clock.now());
    }
    return answer.text;
  };
}

/** Nobody listens any more after the deadline: another attempt may be under way by then. */
function timeLeft({ timeoutMs, deadlineAt }: Call, clock: Clock): number {
  const leftMs = deadlineAt ? deadlineAt.getTime() - clock.now().getTime() : timeoutMs;
  return Math.max(1, Math.min(timeoutMs, leftMs));
}

function urlOf(baseUrl: string, call: Call): URL {
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}${call.path}`);
  for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value);
  return url;
}

/**
 * Without a token, for whatever reason, the call itself was not sent. Only what refuses the credentials lasts until a person
 * changes something: a page in the token service's place goes by itself.
 */
async function obtained(token: () => Promise<string>, label: string): Promise<string> {
  try {
    return await token();
  } catch (error) {
    const known = error instanceof ReferralServiceError ? error : null;
    throw new NotSentError(
      known?.failure ?? "connection",
      `${label}: no access token${known ? ` (${known.message})` : ""}`,
      {
        status: known?.status ?? undefined,
        serviceCode: known?.serviceCode ?? undefined,
        retryAfterMs: known?.retryAfterMs ?? undefined,
        retryable: isPassing(error),
        cause: error,
      },
    );
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof ReferralServiceError
    ? error.failure !== "unauthorized"
    : !(error instanceof AppError) || error.retryable;
