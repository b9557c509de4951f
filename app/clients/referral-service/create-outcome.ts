import type { CreateOutcome } from "../../modules/referrals/referral-service.ts";
import { ReferralServiceError } from "../../platform/errors.ts";
import { AnsweredError } from "./answered-error.ts";
import { FORBIDDEN, isApiCode } from "./failures/service-codes.ts";
import { NotSentError } from "./not-sent-error.ts";

/**
 * 4xx answers that do not prove that nothing was created: a timeout, a limit that may have struck halfway,
 * and a conflict, which may speak of the very referral we asked for.
 */
const UNPROVEN: ReadonlySet<number> = new Set([408, 409, 429]);

/**
 * Translates a failed create call into what it says about the referral. Only a proof that nothing was created leads
 * to `not_sent` or `rejected`; every doubt is `unknown`. Rethrows a failure that is not operational.
 */
export function createOutcomeOf(error: unknown): CreateOutcome {
  if (!(error instanceof ReferralServiceError)) throw error;
  if (error instanceof NotSentError) return notSent(error, error.retryable);
  if (!(error instanceof AnsweredError)) return { kind: "unknown", reason: error.message };
  const status = error.status ?? 0;
  // The renewed token was refused too. Nothing was created, and trying again cannot help.
  if (status === 401) return notSent(error, false);
  // Somebody on the way may hold back an answer as well as a call: only the service's own refusal is a proof.
  const isSomebodyElses = error.failure === "contract_mismatch";
  if (isSomebodyElses || status > 499 || UNPROVEN.has(status)) {
    return { kind: "unknown", reason: error.message, retryAfterMs: error.retryAfterMs };
  }
  return {
    kind: "rejected",
    status,
    code: codeOf(status, error.serviceCode),
    message: error.serviceMessage,
    errorList: error.errorList,
  };
}

/**
 * The code that names a refusal. The interface has none for what an organisation may not do: of a 403 with another code, the status
 * says more.
 */
function codeOf(status: number, own: string | null): string {
  if (own === null) return `HTTP_${status}`;
  return status === 403 && !isApiCode(own) ? `${FORBIDDEN}_${own}` : own;
}

function notSent(error: ReferralServiceError, retryable: boolean): CreateOutcome {
  return { kind: "not_sent", reason: error.message, retryable, retryAfterMs: error.retryAfterMs };
}
