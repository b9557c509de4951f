import { expect, test } from "vitest";
import { ReferralServiceError, type ReferralServiceFailure } from "../../../platform/errors.ts";
import { describeFailure } from "./describe-failure.ts";
import { FAILURE_SENTENCES } from "./failure-sentences.ts";
import { API_CODES, TOKEN_CODES } from "./service-codes.ts";

const failures = Object.keys(FAILURE_SENTENCES) as ReferralServiceFailure[];

test("every code and every kind of failure has a sentence of its own and a next step", () => {
  const described = [
    ...[...API_CODES, ...TOKEN_CODES].map((serviceCode) => describeFailure({ serviceCode })),
    ...failures.map((failure) => describeFailure({ failure })),
  ];
  expect(new Set(described.map(({ sentence }) => sentence)).size).toBe(described.length);
  for (const { sentence, nextStep } of described) {
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(nextStep).toMatch(/^[A-Z].*\.$/);
  }
});

test("the service's own code says more than the kind of failure", () => {
  const error = new ReferralServiceError("rejected", "", {
    serviceCode: "MISSING_PROVIDER_SIGNATURE",
  });
  expect(describeFailure(error).sentence).toContain("signature");
});

test("an unknown code falls back to the kind of failure, and nothing at all to a refusal", () => {
  expect(describeFailure({ failure: "server", serviceCode: "NEW_CODE" })).toBe(
    FAILURE_SENTENCES.server,
  );
  expect(describeFailure({})).toBe(FAILURE_SENTENCES.rejected);
});
