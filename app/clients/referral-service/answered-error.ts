import { ReferralServiceError, type ReferralServiceFailure } from "../../platform/errors.ts";
import type { Answer } from "./http/transport.ts";
import { retryAfterMs } from "./retry-after.ts";
import { type ErrorBody, isServices, readErrorBody } from "./wire/error-body.ts";

/**
 * The service answered, and not with success. `serviceMessage` and `errorList` are the service's own words:
 * they may repeat what was sent, so they are for the request's timeline and never for logs.
 */
export class AnsweredError extends ReferralServiceError {
  readonly serviceMessage: string;

  constructor(call: string, answer: Answer, now: Date) {
    const body = readErrorBody(answer.text);
    const code = body?.code ?? null;
    super(
      failureOf(answer.status, body),
      `${call} answered ${answer.status}${code === null ? "" : ` ${code}`}`,
      {
        status: answer.status,
        serviceCode: code ?? undefined,
        errorList: body?.errorList,
        retryAfterMs: retryAfterMs(answer.retryAfter, now) ?? undefined,
      },
    );
    this.name = "AnsweredError";
    this.serviceMessage = body?.message ?? "";
  }
}

/**
 * Refusals that a proxy, a gateway or a firewall gives by itself. They say nothing of what was asked for, nor of the credentials,
 * unless they have what the service writes into each of its own (interface §7.1).
 */
const ON_THE_WAY: ReadonlySet<number> = new Set([403, 404, 405, 407, 421, 425, 451]);

/** Whether a refusal is the service's own. The interface shows no code for what an organisation may not do. */
const isOfService = (status: number, body: ErrorBody | null): boolean =>
  !ON_THE_WAY.has(status) || (body !== null && (isServices(body) || status === 403));

/** The one place where an HTTP status becomes a kind of failure (interface §7.2). */
function failureOf(status: number, body: ErrorBody | null): ReferralServiceFailure {
  if (!isOfService(status, body)) return "contract_mismatch";
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404) return "not_found";
  if (status === 408) return "timeout";
  if (status === 429) return "rate_limited";
  if (status >= 500) return "server";
  if (status >= 400) return "rejected";
  // A redirect or an informational answer: this address is not the service.
  return "contract_mismatch";
}
