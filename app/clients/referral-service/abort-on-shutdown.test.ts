import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { startService } from "./testing/start-service.ts";
import { sampleOrder } from "./testing/wire-samples.ts";

const inTime = { deadlineAt: new Date(START.getTime() + 60_000) };

test("a create call under way is given up when the process stops, as one of which nothing is known", async () => {
  const abortOnShutdown = new AbortController();
  const service = await startService(() => abortOnShutdown.abort(), {
    client: { abortOnShutdown: abortOnShutdown.signal },
  });
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  expect(outcome).toEqual({ kind: "unknown", reason: expect.stringContaining("aborted") });
  expect(service.apiRequests()).toHaveLength(1);
});

test("keeps a call that has not left yet from leaving, and another process may make it", async () => {
  const service = await startService(() => {}, {
    client: { abortOnShutdown: AbortSignal.abort() },
  });
  const outcome = await service.client.createReferral(sampleOrder(), inTime);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(service.apiRequests()).toEqual([]);
});

test("other calls are not given up: they can be made again at no risk", async () => {
  const service = await startService((_, response) => response.end("[]"), {
    client: { abortOnShutdown: AbortSignal.abort() },
  });
  expect(await service.client.listTests()).toEqual({ entries: [], unreadable: [] });
});
