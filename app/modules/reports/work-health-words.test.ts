import { expect, test } from "vitest";
import type { JobName } from "./jobs.ts";
import type { WorkHealth } from "./work-health.ts";
import { describeWork } from "./work-health-words.ts";

const HEALTHY = {
  ...{ hasWorker: true, workerSeenAt: null, troubles: [], retried: [] },
  ...{ messages: null, handedOn: null, jobs: null, clockSkewMs: 0 },
} satisfies WorkHealth;

test.each<[JobName, boolean]>([
  ["create-referral", true],
  ["refetch-result", true],
  ["send-mail", false],
  ["publish-order-status", false],
])("of failed work (%s) says whether testing the connection helps", (name, helps) => {
  const retried = [{ name, code: "timeout", count: 3, since: new Date(0) }];
  const [problem] = describeWork({ ...HEALTHY, retried });
  expect(problem?.sentence).toBe(
    `3 tasks of your store failed several times: ${name} (code timeout).`,
  );
  expect(problem?.nextStep.includes("Test the connection")).toBe(helps);
});

test("names Shopify where Shopify does not let Pathway in, once, with what opening the page has done", () => {
  const of = (name: JobName, code: string, at: number) => ({
    ...{ name, code, count: 2, since: new Date(at) },
  });
  const retried = [
    of("reconcile-order", "store_not_signed_in", 5_000),
    of("read-store-facts", "store_no_session", 1_000),
    of("publish-order-status", "store_unreachable", 9_000),
  ];
  const problems = describeWork({ ...HEALTHY, retried });
  expect(problems.map(({ sentence, since }) => [sentence, since?.getTime()])).toEqual([
    ["Shopify doesn’t let Pathway in.", 1_000],
    ["Shopify doesn’t answer as it should.", 9_000],
  ]);
  expect(problems[0]?.nextStep).toContain("signed Pathway in again");
});

test("tells once of work that waits since the service did not answer, and sends nobody anywhere", () => {
  const of = (name: JobName, code: string, at: number) => ({
    ...{ name, code: `referral_service_${code}`, count: 2, since: new Date(at) },
  });
  const retried = [
    of("refetch-referral", "server", 5_000),
    of("sync-connection", "timeout", 1_000),
  ];
  const [problem, ...others] = describeWork({ ...HEALTHY, retried });
  expect(others).toEqual([]);
  expect(problem?.sentence).toBe("The referral service didn’t answer 4 tasks of your store.");
  expect(problem?.since).toEqual(new Date(1_000));
  expect(problem?.nextStep).toMatch(/^You don’t have to do anything\./);
});

test("leaves out work that fails because of the outage which is told beside it", () => {
  const of = (name: JobName, code: string) => ({ name, code, count: 1, since: new Date(0) });
  const retried = [
    of("resolve-ambiguous", "referral_service_server"),
    of("refetch-referral", "referral_service_rejected"),
  ];
  const named = (outage: boolean) =>
    describeWork({ ...HEALTHY, retried }, { isOutageTold: outage }).map(({ sentence }) => sentence);
  expect(named(false)).toHaveLength(2);
  expect(named(true)).toEqual([expect.stringContaining("refetch-referral")]);
});
