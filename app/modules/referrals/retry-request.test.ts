import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS, startLedger } from "../../../test/database/ledger.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { cancelRequest } from "./cancel-request.ts";
import { createReferral } from "./create-referral.ts";
import { holdRequest } from "./hold-request.ts";
import { releaseRequest } from "./release-request.ts";
import { requestVersion } from "./request-version.ts";
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
    retry: (seen: string | null = null) =>
      retryRequest(ledger.ports, { ...target, actor: "staff:1", seen }),
    hold: () => holdRequest(ledger.ports, { ...target, actor: "staff:1" }),
    release: (seen: string) => releaseRequest(ledger.ports, { ...target, actor: "staff:1", seen }),
    cancel: (seen: string) => cancelRequest(ledger.ports, { ...target, actor: "staff:1", seen }),
    seen: async () => {
      const request = await db.tenancy.inShop(ledger.shop, ({ requests }) =>
        requests.find(requestId),
      );
      return request ? requestVersion(request) : "";
    },
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

test("sends nothing again from a page that was opened before the answer got lost", async () => {
  const { create, resolve, retry, seen, service, clock, now } = await start({ strictMode: true });
  service.next("reject");
  await create();
  const before = await seen();
  // A colleague was faster.
  expect(await retry(before)).toEqual({ kind: "queued" });
  service.next("reset_before");
  await create();
  await resolve();
  clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
  expect(await resolve()).toEqual({ kind: "needs_person" });
  expect(await retry(before)).toEqual({ kind: "changed_meanwhile" });
  expect(await now()).toBe("ambiguous");
  expect(await retry(await seen())).toEqual({ kind: "queued" });
});

test("neither releases nor cancels what stands elsewhere than the page showed", async () => {
  const { cancel, create, hold, release, seen, now } = await start();
  const ready = await seen();
  await hold();
  expect(await cancel(ready)).toEqual({ kind: "changed_meanwhile" });
  expect(await release("held 0 high_risk")).toEqual({ kind: "changed_meanwhile" });
  expect(await now()).toBe("held");
  const held = await seen();
  expect(await release(held)).toEqual({ kind: "queued" });
  await create();
  expect(await cancel(held)).toEqual({ kind: "changed_meanwhile" });
  expect(await now()).toBe("created");
});
