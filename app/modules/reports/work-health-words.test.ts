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
