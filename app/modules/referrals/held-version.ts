import { isHeld, type StoredResult } from "./referral-repository.ts";

/** Which results of a request are held, in which version: equal for the same ones, in any sequence. */
export const heldVersion = (results: readonly StoredResult[]): string =>
  results
    .filter(isHeld)
    .map(({ uuid, serviceUpdatedAt }) => `${uuid} ${serviceUpdatedAt.toISOString()}`)
    .toSorted()
    .join(",");
