import { expect, test } from "vitest";
import { describeWebhookStep } from "./setup-words.ts";

const state = { environment: "staging", isUnsigned: false, refusedEvents: 0 } as const;

test("the webhook step says what it waits for, and how to make it come", () => {
  const waits = describeWebhookStep(state);
  expect(waits.text).toMatch(/waits for the first event/);
  expect(waits.also).toEqual({ content: "Simulate an order", url: "/app/simulation" });
  // Real orders alone make production send.
  const live = describeWebhookStep({ ...state, environment: "production" });
  expect(live.text).toMatch(/comes with the first order/);
  expect(live.also).toBeUndefined();
});

test("the webhook step names what stands in its way", () => {
  expect(describeWebhookStep({ ...state, isUnsigned: true }).text).toMatch(/not signed/);
  expect(describeWebhookStep({ ...state, refusedEvents: 9 }).text).toMatch(
    /^9 events arrived with the wrong signature/,
  );
});
