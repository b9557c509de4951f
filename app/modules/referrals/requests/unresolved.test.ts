import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startRequest } from "../../../../test/database/request.ts";
import { SILENT_LOOP } from "../../../../test/database/vitals.ts";
import { startServiceSync } from "../../../queue/service-sync.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";
import { resumeWork } from "../resume-work.ts";
import { mayRetry } from "../retry-request.ts";
import type { ReviewReason } from "../review-reason.ts";

const db = await openTestDatabase();

/** An unclear attempt, and a list that answers so. */
async function start(
  listFailure: number,
  behaviour: "reset_after" | "reset_before" = "reset_after",
) {
  const request = await startRequest(db);
  const { service, clock, shop, requestId, ports, target, create, takeJobs } = request;
  service.next(behaviour);
  await create();
  await takeJobs();
  Object.assign(service, { listWorks: false, listFailure });
  return {
    ...request,
    endQuarantine: () => clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS),
    resolveWithoutConnection: () =>
      resolveAmbiguous({ ...ports, services: { forConnection: async () => null } }, target),
    async shown() {
      const { rows } = await db.pool.query<{ stage: string; reason: ReviewReason }>(
        "SELECT stage, json_build_object('code', reason_code, 'detail', reason_detail) AS reason FROM referral_requests WHERE shop = $1 AND id = $2",
        [shop, requestId],
      );
      return rows[0];
    },
    waiting: async () => {
      const { rows } = await db.pool.query<{ name: string; at: Date }>(
        "SELECT name, start_after AS at FROM outbox WHERE shop = $1",
        [shop],
      );
      return rows;
    },
  };
}

test.each([
  [401, "unauthorized"],
  [200, "contract_mismatch"],
])("a list that answers %s after the quarantine is told: %s", async (status, code) => {
  const { resolve, find, shown, story, requestId, endQuarantine, takeJobs } = await start(status);
  endQuarantine();
  await expect(resolve()).rejects.toThrow();
  const reviewReason = { code: "unresolved", detail: code };
  const told = await find();
  expect(told).toMatchObject({ state: "ambiguous", reviewReason, emptyScans: 0 });
  expect(await shown()).toEqual({ stage: "attention", reason: reviewReason });
  expect(told && mayRetry(told)).toBe(false);
  // Asked again, it is told once.
  await expect(resolve()).rejects.toThrow();
  expect((await story(requestId)).filter((kind) => kind === "scan_failed")).toHaveLength(1);
  expect(await takeJobs()).toEqual([]);
});

test("before the quarantine is over it is looked at again when it is", async () => {
  const { resolve, find, waiting, clock } = await start(401);
  const over = new Date(clock.now().getTime() + CREATE_TIMEOUT_MS + QUARANTINE_MS);
  await expect(resolve()).rejects.toThrow();
  expect(await find()).toMatchObject({ state: "ambiguous", reviewReason: null });
  expect(await waiting()).toEqual([{ name: "resolve-ambiguous", at: over }]);
});

test("a service that is only away for a while is nobody's business", async () => {
  const { resolve, find, endQuarantine } = await start(500);
  endQuarantine();
  await expect(resolve()).rejects.toThrow();
  expect(await find()).toMatchObject({ state: "ambiguous", reviewReason: null });
});

test("a missing connection is told, but not while the app is off", async () => {
  const { resolveWithoutConnection, find, endQuarantine, shop, clock } = await start(200);
  endQuarantine();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
  expect(await resolveWithoutConnection()).toEqual({ kind: "nothing_to_resolve" });
  expect(await find()).toMatchObject({ reviewReason: null });
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.install("", clock.now()));
  expect(await resolveWithoutConnection()).toEqual({ kind: "nothing_to_resolve" });
  expect(await find()).toMatchObject({
    reviewReason: { code: "unresolved", detail: "no_connection" },
  });
});

test("ends the reason by itself once the list can be read: the referral exists", async () => {
  const { resolve, find, shown, endQuarantine, service, shop, waiting, create } = await start(401);
  endQuarantine();
  await expect(resolve()).rejects.toThrow();
  service.listWorks = true;
  await db.tenancy.inShop(shop, (tenant) => resumeWork(tenant, "staging", { isTested: true }));
  expect((await waiting()).map(({ name }) => name)).toContain("resolve-ambiguous");
  expect(await resolve()).toMatchObject({ kind: "linked" });
  expect(await find()).toMatchObject({ state: "created", reviewReason: null });
  expect(await shown()).toMatchObject({ reason: { code: null, detail: null } });
  expect(await create()).toEqual({ kind: "not_due" });
  expect(service.calls).toHaveLength(1);
});

test("ends the reason by itself once the list can be read: the referral does not exist", async () => {
  const { resolve, find, endQuarantine, service, create } = await start(401, "reset_before");
  endQuarantine();
  await expect(resolve()).rejects.toThrow();
  service.listWorks = true;
  expect(await resolve()).toMatchObject({ kind: "scan_again" });
  expect(await find()).toMatchObject({ state: "ambiguous", reviewReason: null });
  expect(await resolve()).toEqual({ kind: "resend" });
  expect(await find()).toMatchObject({ state: "ready", reviewReason: null });
  expect(await create()).toMatchObject({ kind: "created" });
});

test("the service sync asks for it again at its next turn", async () => {
  const { resolve, endQuarantine, takeJobs } = await start(200);
  endQuarantine();
  await expect(resolve()).rejects.toThrow();
  const serviceSync = startServiceSync(db.pool, SILENT_LOOP, 1);
  onTestFinished(() => serviceSync.stop());
  await expect.poll(takeJobs, { timeout: 10_000 }).toContain("resolve-ambiguous");
});
