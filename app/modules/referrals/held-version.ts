import { isHeld, type StoredResult } from "./referral-repository.ts";

/** Which results of a request are held, in which version: equal for the same ones, in any sequence. */
export const heldVersion = (results: readonly StoredResult[]): string =>
  results
    .filter(isHeld)
    .map(({ uuid, serviceUpdatedAt, figuresAt }) =>
      // The service may change figures twice within one of its moments.
      [uuid, serviceUpdatedAt.toISOString(), figuresAt?.toISOString() ?? ""].join(" "),
    )
    .toSorted()
    .join(",");
