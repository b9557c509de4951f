import { expect, test } from "vitest";
import { MIN_CONNECTIONS, shareConnections } from "./connection-shares.ts";

/** `listen` holds one for work to be done, and one for keys that were destroyed. */
const LISTENING = 2;

test("a process opens as many connections as it was given, and eight at least", () => {
  for (let all = 1; all <= 60; all++) {
    const { jobs, process, tenants } = shareConnections(all);
    expect(jobs + process + tenants + LISTENING).toBe(Math.max(all, MIN_CONNECTIONS));
    expect(Math.min(jobs, process, tenants)).toBeGreaterThanOrEqual(2);
  }
});

test("most of the usual fifteen are for shops' transactions", () => {
  expect(shareConnections(15)).toEqual({ jobs: 3, process: 3, tenants: 7 });
});
