import { ReferralServiceError } from "../../../platform/errors.ts";
import { inStep } from "../../../platform/traces.ts";
import { NotSentError } from "../not-sent-error.ts";
import {
  type Answer,
  codeOf,
  NotConnectedError,
  type Outgoing,
  type Transport,
} from "./transport.ts";

/** One HTTP request. `label` names it in errors ("GET /v1/tests") and holds ids only. */
export interface Exchange extends Omit<Outgoing, "signal"> {
  timeoutMs: number;
  label: string;
  /** Ends the wait for an answer early: this process is stopping. */
  giveUp?: AbortSignal;
}

/**
 * Sends one request and reads the whole answer within `timeoutMs`. Throws NotSentError when certainly no byte of
 * it left, and ReferralServiceError (`connection` or `timeout`) when one may have.
 */
export function exchange(transport: Transport, call: Exchange): Promise<Answer> {
  return inStep(`service ${call.label.replace(ID, ":id")}`, { kind: "client" }, async (note) => {
    const answer = await send(transport, call);
    note({ "http.response.status_code": answer.status });
    return answer;
  });
}

/** An id in a label. Steps of one kind have one name, so each becomes `:id`. */
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/gi;

async function send(transport: Transport, call: Exchange): Promise<Answer> {
  const { timeoutMs, label, giveUp, ...request } = call;
  const ended = new AbortController();
  const end = () => ended.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, timeoutMs);
  giveUp?.addEventListener("abort", end);
  if (giveUp?.aborted) end();
  try {
    return await transport({ ...request, signal: ended.signal });
  } catch (error) {
    const fail = (failure: "connection" | "timeout", what: string, isOurs = false) =>
      new ReferralServiceError(failure, `${label}: ${what}`, { cause: error, isOurs });
    // The last look before the first byte kept it at home.
    if (error instanceof NotSentError) throw error;
    if (error instanceof NotConnectedError) {
      const what = isLate ? `no connection within ${timeoutMs} ms` : error.code;
      throw new NotSentError("connection", `${label}: ${what}`, { cause: error });
    }
    if (isLate) throw fail("timeout", `no whole answer within ${timeoutMs} ms`);
    if (giveUp?.aborted) throw fail("timeout", "aborted, because this process stops", true);
    throw fail("connection", codeOf(error));
  } finally {
    clearTimeout(timer);
    giveUp?.removeEventListener("abort", end);
  }
}
