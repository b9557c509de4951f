import { expect, test } from "vitest";
import { eventually } from "./eventually.ts";

test("it asks until the probe no longer throws", async () => {
  let asked = 0;
  const answer = await eventually(
    () => {
      asked += 1;
      if (asked < 3) throw new Error("not yet");
      return "here";
    },
    { intervalMs: 1 },
  );
  expect([answer, asked]).toEqual(["here", 3]);
});

test("when the time is up, the message says what was waited for and what the last answer was", async () => {
  const probe = () => {
    throw new Error("still 0 requests");
  };
  await expect(
    eventually(probe, { timeoutMs: 20, intervalMs: 5, what: "a request" }),
  ).rejects.toThrow("Waited 20 ms in vain for a request: still 0 requests");
});
