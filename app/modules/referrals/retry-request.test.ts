import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS, startLedger } from "../../../test/database/ledger.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { createReferral } from "./create-referral.ts";
import { resolveAmbiguous } from "./resolve-ambiguous.ts";
import { retryRequest } from "./retry-request.ts";

const db = await openTestDatabase();

async function start(settings: Parameters<typeof startLedger>[1] = {}) {
  const ledger = await startLedger(db, settings);
  const requestId = await readyRequest(db, ledger.shop);
  const target = { shop: ledger.shop, requestId };
  return {
    ...ledger,
    create: () => createReferral(ledger.ports, target),
    resolve: () => resolveAmbiguous(ledger.ports, target),
    retry: () => retryRequest(ledger.ports, { ...target, actor: "staff:1" }),
    now: () => ledger.state(requestId),
    story: () => ledger.story(requestId),
  };
}

test("a refused request is sent again, and the timeline says who wanted it", async () => {
  const { create, retry, service, story } = await start();
  service.next("reject");
  await create();
  expect(await retry()).toEqual({ kind: "queued" });
  expect((await story()).at(-1)).toBe("retry_asked");
  expect(await create()).toMatchObject({ kind: "created" });
});

test("a request that is sent, or about to be, is left alone", async () => {
  const { create, retry, service } = await start();
  expect(await retry()).toEqual({ kind: "not_retryable" });
  await create();
  expect(await retry()).toEqual({ kind: "not_retryable" });
  expect(service.calls).toHaveLength(1);
});

test("an unclear request is a person's to decide only when every scan found nothing", async () => {
  const { create, resolve, retry, service, clock, now } = await start({ strictMode: true });
  service.next("reset_before");
  await create();
  expect(await retry()).toEqual({ kind: "not_retryable" });
  await resolve();
  expect(await retry()).toEqual({ kind: "not_retryable" });
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await resolve()).toEqual({ kind: "needs_person" });
  expect(await retry()).toEqual({ kind: "queued" });
  expect(await now()).toBe("ready");
  expect(await create()).toMatchObject({ kind: "created" });
  expect(service.referrals).toHaveLength(1);
});
