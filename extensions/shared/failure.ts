import { listOf, optional, shape, text } from "./read-json.ts";
import { type CollectionNotice, readNotice } from "./requests.ts";

/** One refused field; `field` is a dotted path such as `address.postCode`. */
const readFieldError = shape({ field: text, message: text });
export type FieldError = ReturnType<typeof readFieldError>;
export const readFieldErrors = shape({
  errors: listOf(readFieldError),
  /** The notice as it is now, where a form with one was refused. */
  notice: optional(readNotice),
});

/** Why a call did not succeed, as far as a shopper can do something about it. */
export type Failure =
  | {
      kind:
        | "offline"
        | "signed_out"
        | "not_found"
        | "unavailable"
        | "too_late"
        | "too_often"
        | "busy";
    }
  | { kind: "invalid"; errors: FieldError[]; notice?: CollectionNotice | null };

export type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

export const failed = (
  kind: Exclude<Failure["kind"], "invalid">,
): { ok: false; failure: Failure } => ({
  ok: false,
  failure: { kind },
});

/** As the app answers before it looks at a call, because many came at once: a minute later it answers again. */
const isRateLimit = (answer: unknown): boolean => Object(answer).error === "too_many_requests";

/** The failure behind an HTTP status other than 422, and what came with it. */
export function failureOf(status: number, answer: unknown): { ok: false; failure: Failure } {
  if (status === 401 || status === 403) return failed("signed_out");
  if (status === 404 || status === 410) return failed("not_found");
  if (status === 409) return failed("too_late");
  if (status === 429) return failed(isRateLimit(answer) ? "busy" : "too_often");
  return failed("unavailable");
}
