import { expect, test } from "vitest";
import { movableClock, START } from "../../../test/database/clock.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import type { Answer } from "./http/transport.ts";
import { inSeries } from "./middleware.ts";
import { createRateLimiter } from "./rate-limiter.ts";
import { answer, startServer } from "./testing/start-server.ts";
import { startService } from "./testing/start-service.ts";
import { REFERRAL_UUID, sampleOrder, wireReferral } from "./testing/wire-samples.ts";

const deadline = { deadlineAt: new Date(START.getTime() + 3600_000) };

/** A service that answers with the status of the moment, behind pacing whose waits only move the clock. */
async function startPaced(statusOf: (request: number) => number, retryAfter?: string) {
  const clock = movableClock();
  const waits: number[] = [];
  const sleep = async (ms: number) => {
    waits.push(ms);
    clock.advance(ms);
  };
  let request = 0;
  const service = await startService(
    (_, response) => {
      const headers = retryAfter ? { "retry-after": retryAfter } : undefined;
      answer(response, statusOf(request++), wireReferral(), headers);
    },
    { client: { clock, middleware: createRateLimiter({ clock, sleep }) } },
  );
  return { ...service, clock, waits };
}

test("pacing does nothing until the service says 429", async () => {
  const { client, waits } = await startPaced(() => 200);
  for (let call = 0; call < 5; call += 1) await client.getReferral(REFERRAL_UUID);
  expect(waits).toEqual([]);
});

test("after 429 the next call waits for Retry-After, and the distance shrinks again", async () => {
  const { client, waits } = await startPaced((n) => (n === 0 ? 429 : 200), "3");
  await client.getReferral(REFERRAL_UUID).catch(() => {});
  for (let call = 0; call < 60; call += 1) await client.getReferral(REFERRAL_UUID);
  expect(waits[0]).toBe(3000);
  expect(waits[1]).toBeGreaterThan(0);
  expect(waits.at(-1)).toBeLessThan(waits[1] ?? 0);
  expect(waits.length).toBeLessThan(60);
});

test("a wait too long is handed back: not sent, to be tried again", async () => {
  const { client, apiRequests } = await startPaced(() => 429, "600");
  await client.getReferral(REFERRAL_UUID).catch(() => {});
  const outcome = await client.createReferral(sampleOrder(), deadline);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true, retryAfterMs: 600_000 });
  expect(apiRequests()).toHaveLength(1);
});

test("a deadline that passes while waiting keeps the call at home", async () => {
  const { client, clock, apiRequests } = await startPaced(() => 429, "5");
  await client.getReferral(REFERRAL_UUID).catch(() => {});
  const deadlineAt = new Date(clock.now().getTime() + 4000);
  const outcome = await client.createReferral(sampleOrder(), { deadlineAt });
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true });
  expect(apiRequests()).toHaveLength(1);
});

test("calls that hear 429 together learn one lesson", async () => {
  const { client, waits } = await startPaced((n) => (n < 8 ? 429 : 200), "0");
  await Promise.all(
    Array.from({ length: 8 }, () => client.getReferral(REFERRAL_UUID).catch(() => {})),
  );
  for (let call = 0; call < 2; call += 1) await client.getReferral(REFERRAL_UUID);
  expect(Math.max(...waits)).toBeLessThanOrEqual(50);
});

test("a call that was waiting when 429 came waits for the new pause as well", async () => {
  const clock = movableClock();
  const sleepers: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => sleepers.push(resolve));
  const middleware = createRateLimiter({ clock, sleep });
  const giving = (status: number) => async () => {
    sent += 1;
    return { status, retryAfter: "2", text: "" };
  };
  let sent = 0;
  let answerSlowly: (status: number) => void = () => {};
  const slow = middleware(async () => {
    const status = await new Promise<number>((resolve) => {
      answerSlowly = resolve;
    });
    return giving(status)();
  });
  await middleware(giving(429));
  const waiting = middleware(giving(200));
  await expect.poll(() => sleepers.length).toBe(1);
  clock.advance(2000);
  answerSlowly(429);
  await slow;
  sleepers[0]?.();
  await expect.poll(() => sleepers.length).toBe(2);
  expect(sent).toBe(2);
  clock.advance(3000);
  sleepers[1]?.();
  await waiting;
  expect(sent).toBe(3);
});

/** A service behind a circuit breaker that opens at three failures, for ten seconds. */
async function startBroken() {
  const clock = movableClock();
  const state = { status: 500 };
  const breaker = createCircuitBreaker({ clock, failuresToOpen: 3, openMs: 10_000 });
  const service = await startService(
    (_, response) => answer(response, state.status, wireReferral()),
    { client: { clock, middleware: inSeries(breaker, createRateLimiter({ clock })) } },
  );
  const call = () => service.client.getReferral(REFERRAL_UUID).catch((error: unknown) => error);
  return { ...service, clock, state, call };
}

test("the circuit opens after failures in a row and spares the service", async () => {
  const { call, client, apiRequests } = await startBroken();
  for (let failure = 0; failure < 3; failure += 1) await call();
  // It answers, and answers with errors: that it is not reached would be another trouble.
  expect(await call()).toMatchObject({ failure: "server", retryable: true });
  const outcome = await client.createReferral(sampleOrder(), deadline);
  expect(outcome).toMatchObject({ kind: "not_sent", retryable: true, retryAfterMs: 10_000 });
  expect(apiRequests()).toHaveLength(3);
});

test("success in between, and 4xx, keep the circuit closed", async () => {
  const { call, state, apiRequests } = await startBroken();
  for (const status of [500, 500, 404, 500, 500, 200, 500, 500]) {
    state.status = status;
    await call();
  }
  expect(apiRequests()).toHaveLength(8);
});

test("one call at a time probes an open circuit; a good one closes it, a bad one doubles the time", async () => {
  const { call, clock, state, apiRequests } = await startBroken();
  await Promise.all(Array.from({ length: 6 }, call));
  clock.advance(10_000);
  await Promise.all([call(), call(), call()]);
  expect(apiRequests()).toHaveLength(7);
  clock.advance(10_000);
  await call();
  expect(apiRequests()).toHaveLength(7);
  clock.advance(10_000);
  state.status = 200;
  await call();
  await Promise.all([call(), call()]);
  expect(apiRequests()).toHaveLength(10);
});

test("while a probe hangs, nobody is told to come back in a second", async () => {
  const clock = movableClock();
  const breaker = createCircuitBreaker({ clock, failuresToOpen: 1, openMs: 10_000 });
  const failing = breaker(() => Promise.reject(new Error("no answer")));
  await expect(failing).rejects.toThrow("no answer");
  clock.advance(60_000);
  const { promise: hanging, resolve } = Promise.withResolvers<Answer>();
  const probe = breaker(() => hanging);
  const turnedAway = breaker(() => hanging);
  await expect(turnedAway).rejects.toMatchObject({ failure: "connection", retryAfterMs: null });
  resolve({ status: 200, retryAfter: null, text: "" });
  await probe;
});

test("connections refused open the circuit as well", async () => {
  const closed = await startServer(() => {});
  await closed.stop();
  const clock = movableClock();
  const middleware = createCircuitBreaker({ clock, failuresToOpen: 1 });
  const { client } = await startService(() => {}, { client: { baseUrl: closed.url, middleware } });
  await expect(client.getReferral(REFERRAL_UUID)).rejects.toThrow("ECONNREFUSED");
  await expect(client.getReferral(REFERRAL_UUID)).rejects.toThrow("has not answered lately");
});

test("a failed probe lets the next one through, and our own deadlines do not count", async () => {
  const closed = await startServer(() => {});
  await closed.stop();
  const clock = movableClock();
  const middleware = createCircuitBreaker({ clock, failuresToOpen: 2, openMs: 1000 });
  const { client } = await startService(() => {}, {
    client: { baseUrl: closed.url, middleware, clock },
  });
  const create = (deadlineAt: Date) => client.createReferral(sampleOrder(), { deadlineAt });
  for (let call = 0; call < 3; call += 1) await create(clock.now());
  const refused = { reason: expect.stringContaining("ECONNREFUSED") };
  for (let call = 0; call < 2; call += 1) {
    expect(await create(deadline.deadlineAt)).toMatchObject(refused);
  }
  for (const openMs of [1000, 2000]) {
    expect(await create(deadline.deadlineAt)).toMatchObject({ retryAfterMs: openMs });
    clock.advance(openMs);
    expect(await create(deadline.deadlineAt)).toMatchObject(refused);
  }
});

test("a clock that is set back by an hour keeps the circuit open for no longer", async () => {
  const { call, state, clock, apiRequests } = await startBroken();
  for (let failure = 0; failure < 3; failure += 1) await call();
  clock.advance(-3_600_000);
  state.status = 200;
  expect(await call()).toMatchObject({ failure: "server", retryAfterMs: 10_000 });
  clock.advance(10_000);
  await call();
  expect(apiRequests()).toHaveLength(4);
});

test("a clock that is set back by an hour makes no pause longer", async () => {
  const { client, clock, waits, apiRequests } = await startPaced((n) => (n === 0 ? 429 : 200), "3");
  await client.getReferral(REFERRAL_UUID).catch(() => {});
  clock.advance(-3_600_000);
  await client.getReferral(REFERRAL_UUID);
  expect(waits).toEqual([3000]);
  expect(apiRequests()).toHaveLength(2);
});
