import { expect, test } from "vitest";
import { ReferralServiceError } from "../../platform/errors.ts";
import { AnsweredError } from "./answered-error.ts";
import { createOutcomeOf } from "./create-outcome.ts";
import { NotSentError } from "./not-sent-error.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
const answered = (status: number, { text = "", retryAfter = null as string | null } = {}) =>
  new AnsweredError("POST /v1/referrals", { status, text, retryAfter }, NOW);

test.each([400, 402, 410, 413, 422, 428, 430, 499])(
  "takes %i for a proof that nothing was created",
  (status) => {
    expect(createOutcomeOf(answered(status))).toEqual({
      kind: "rejected",
      status,
      code: `HTTP_${status}`,
      message: "",
      errorList: [],
    });
  },
);

test("passes the service's own words of a refusal on", () => {
  const text = JSON.stringify({
    error: true,
    code: "INVALID_PAYLOAD",
    message: "The phone is short",
    errorList: ["phone"],
  });
  expect(createOutcomeOf(answered(400, { text }))).toEqual({
    kind: "rejected",
    status: 400,
    code: "INVALID_PAYLOAD",
    message: "The phone is short",
    errorList: ["phone"],
  });
});

test.each([
  [403, "INVALID_PAYLOAD", "INVALID_PAYLOAD"],
  [403, "NOT_YOUR_TEST", "HTTP_403_NOT_YOUR_TEST"],
  [422, "NOT_YOUR_TEST", "NOT_YOUR_TEST"],
])("names a refusal with %i and the code %s by %s", (status, code, named) => {
  const text = JSON.stringify({ error: true, code, message: "No", errorList: [] });
  expect(createOutcomeOf(answered(status, { text }))).toMatchObject({
    kind: "rejected",
    code: named,
  });
});

test.each([302, 399, 403, 404, 405, 407, 408, 409, 421, 425, 429, 451, 500, 502, 503])(
  "doubts what an answer of %i says about the referral",
  (status) => {
    const reason = `POST /v1/referrals answered ${status}`;
    const outcome = { kind: "unknown", reason, retryAfterMs: null };
    expect(createOutcomeOf(answered(status))).toEqual(outcome);
  },
);

test.each([429, 503])("keeps when an answer of %i asked to come again", (status) => {
  expect(createOutcomeOf(answered(status, { retryAfter: "7" }))).toMatchObject({
    kind: "unknown",
    retryAfterMs: 7_000,
  });
});

test("doubts a call whose answer never came", () => {
  const error = new ReferralServiceError("timeout", "no answer in time");
  expect(createOutcomeOf(error)).toEqual({ kind: "unknown", reason: "no answer in time" });
});

test("doubts a failure that is no answer to the call, whatever status it carries", () => {
  const error = new ReferralServiceError("rejected", "the token service answered", { status: 400 });
  expect(createOutcomeOf(error).kind).toBe("unknown");
});

test("takes a refused token for a call that was not sent, and does not send it again", () => {
  expect(createOutcomeOf(answered(401, { retryAfter: "3" }))).toEqual({
    kind: "not_sent",
    reason: "POST /v1/referrals answered 401",
    retryable: false,
    retryAfterMs: 3_000,
  });
});

test.each([
  ["connection", {}, true],
  ["unauthorized", {}, false],
  ["connection", { retryable: false }, false],
  ["unauthorized", { retryable: true }, true],
] as const)("says whether a call that never left (%s, %o) may leave later", (failure, how, may) => {
  const error = new NotSentError(failure, "not sent", { ...how, retryAfterMs: 500 });
  expect(createOutcomeOf(error)).toEqual({
    kind: "not_sent",
    reason: "not sent",
    retryable: may,
    retryAfterMs: 500,
  });
});

test("throws what is no failure of the service", () => {
  const bug = new TypeError("undefined is not a function");
  expect(() => createOutcomeOf(bug)).toThrow(bug);
});
