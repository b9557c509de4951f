/** A connection whose stored credentials can't be opened: nothing is sent, a person is told, and it goes on once they are entered anew. */
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../../test/database/ledger.ts";
import { startReadingCredentials } from "../../../../test/database/read-credentials.ts";
import { connect, ONE_TEST, readyRequest } from "../../../../test/database/seed.ts";
import { createReferral } from "../create-referral.ts";
import type { ReferralServices } from "../ports.ts";
import { resolveAmbiguous } from "../resolve-ambiguous.ts";
import { resumeWork } from "../resume-work.ts";

const db = await openTestDatabase();
const WAITS = { kind: "postponed", until: expect.any(Date) };

async function start(behaviour: "create" | "late" = "create") {
  const created = await startReadingCredentials(db, { behaviour });
  const { shop, clock, ports, takeJobs } = created;
  return {
    ...created,
    /** The work that is asked for once the credentials are entered anew. */
    async mend() {
      await connect(db, shop);
      await db.tenancy.inShop(shop, (tenant) => resumeWork(tenant, "staging", { isTested: true }));
      return takeJobs();
    },
    send: (requestId: string) => createReferral(ports, { shop, requestId }),
    resolveAgain: () => resolveAmbiguous(ports, created.target),
    endQuarantine: () => clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS),
  };
}

const HELD = {
  state: "ready",
  reviewReason: { code: "not_sent", detail: "connection_unreadable" },
};

test("a test is not sent, a person is told, and it goes out once the credentials are entered anew", async () => {
  const { shop, service, damage, mend, send, find, takeJobs } = await start();
  const next = await readyRequest(db, shop, { items: ONE_TEST, orderNumber: 1002 });
  await takeJobs();
  await damage();
  expect(await send(next)).toEqual(WAITS);
  expect(await find(next)).toMatchObject(HELD);
  expect(await takeJobs()).toEqual(["create-referral"]);
  expect(service.calls).toHaveLength(1);
  expect(await mend()).toContain("create-referral");
  expect(await send(next)).toMatchObject({ kind: "created" });
  expect(await find(next)).toMatchObject({ state: "created", reviewReason: null });
});

test("a test goes out by itself within half an hour once somebody has put the keys right", async () => {
  const { shop, clock, damage, send, find, takeJobs } = await start();
  const next = await readyRequest(db, shop, { items: ONE_TEST, orderNumber: 1002 });
  await takeJobs();
  await damage();
  for (let times = 0; times < 2; times++) {
    const until = new Date(clock.now().getTime() + 30 * 60_000);
    expect(await send(next)).toEqual({ kind: "postponed", until });
    expect(await find(next)).toMatchObject(HELD);
    expect(await takeJobs()).toEqual(["create-referral"]);
    clock.advance(30 * 60_000);
  }
  await damage();
  expect(await send(next)).toMatchObject({ kind: "created" });
  expect(await find(next)).toMatchObject({ state: "created", reviewReason: null });
});

test("the search before a test is ordered again tells it as well", async () => {
  const unit = await start("late");
  const { service, damage, mend, send, find, takeJobs, story } = unit;
  unit.endQuarantine();
  for (const kind of ["scan_again", "resend"]) expect(await unit.resolve()).toMatchObject({ kind });
  expect(await unit.create()).toMatchObject({ kind: "created" });
  unit.clock.advance(60_000);
  await unit.become({ status: "BILLING_FAILED" });
  const next = await unit.reorder();
  if (next.kind !== "reordered") throw new Error(next.kind);
  await takeJobs();
  await damage();
  expect(await send(next.requestId)).toEqual(WAITS);
  expect(await find(next.requestId)).toMatchObject(HELD);
  expect(await story(next.requestId)).toContain("create_not_sent");
  expect(await takeJobs()).toEqual(["create-referral"]);
  expect(service.calls).toHaveLength(2);
  expect(await mend()).toContain("create-referral");
  expect(await send(next.requestId)).toMatchObject({ kind: "created" });
  expect(await find(next.requestId)).toMatchObject({ state: "created", reviewReason: null });
});

test("a lost answer that nobody can look for is told after the quarantine, and found out later", async () => {
  const { damage, mend, resolveAgain, endQuarantine, find } = await start("late");
  await damage();
  endQuarantine();
  await expect(resolveAgain()).rejects.toMatchObject({ code: "sealed_damaged" });
  const reviewReason = { code: "unresolved", detail: "connection_unreadable" };
  expect(await find()).toMatchObject({ state: "ambiguous", reviewReason });
  expect(await mend()).toContain("resolve-ambiguous");
  expect(await resolveAgain()).toMatchObject({ kind: "scan_again" });
  expect((await find())?.reviewReason).toBeNull();
});

test("a database that was away is nobody's business: the test is sent half a minute later", async () => {
  const { shop, ports, find, takeJobs } = await start();
  const requestId = await readyRequest(db, shop, { items: ONE_TEST, orderNumber: 1002 });
  await takeJobs();
  const away = Object.assign(new Error("away"), { code: "57P03" });
  const services: ReferralServices = { forConnection: () => Promise.reject(away) };
  const until = new Date(ports.clock.now().getTime() + 30_000);
  const sent = await createReferral({ ...ports, services }, { shop, requestId });
  expect(sent).toEqual({ kind: "postponed", until });
  expect(await find(requestId)).toMatchObject({ state: "ready", reviewReason: null });
  expect(await takeJobs()).toEqual(["create-referral"]);
});
