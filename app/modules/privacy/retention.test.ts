import { beforeEach, describe, expect, test } from "vitest";
import { movableClock } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import type { Ledger } from "../../../test/database/ledger.ts";
import { untilWaiting, whoHoldsRequest } from "../../../test/database/locks.ts";
import { privacyRun } from "../../../test/database/privacy-run.ts";
import { readyRequest } from "../../../test/database/seed.ts";
import { monthsBefore, redactExpired } from "./redact-expired.ts";

const db = await openTestDatabase();
const run = privacyRun(db);
const { find, wholeStory, everythingOpened } = run;
let ledger: Ledger;

beforeEach(async () => {
  ledger = await run.start();
});

describe("retention", () => {
  test("redacts what has not changed for so long, and nothing that has", async () => {
    const id = await wholeStory("canary-old");
    const clock = movableClock();
    const aged = { tenancy: db.tenancy, clock };
    clock.advance(400 * 86_400_000);
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.setRetention(24));
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.setRetention(12));
    const recent = await readyRequest(db, ledger.shop, { orderNumber: 5 });
    await db.pool.query("UPDATE referral_requests SET updated_at = $2 WHERE id = $1", [
      recent,
      clock.now(),
    ]);
    expect(await redactExpired(aged, ledger.shop)).toBe(2);
    expect((await find(id)).details).toBeNull();
    expect((await find(recent)).details).not.toBeNull();
    expect(await everythingOpened()).not.toContain("canary-old");
    expect(await redactExpired(aged, ledger.shop)).toBe(0);
  });

  test("leaves a test with which somebody does something at that moment", async () => {
    const id = await readyRequest(db, ledger.shop);
    await db.tenancy.inShop(ledger.shop, (tenant) => tenant.shops.setRetention(12));
    const clock = movableClock();
    clock.advance(400 * 86_400_000);
    const giving = await whoHoldsRequest(db, id);
    const sweep = redactExpired({ tenancy: db.tenancy, clock }, ledger.shop);
    await untilWaiting(db, 1, sweep);
    await giving.change(
      "UPDATE referral_requests SET updated_at = $2 WHERE id = $1",
      id,
      clock.now(),
    );
    await giving.end();
    expect(await sweep).toBe(0);
    expect((await find(id)).details).not.toBeNull();
  });

  test.each([
    ["2026-03-31T10:00:00.000Z", 1, "2026-02-28T10:00:00.000Z"],
    ["2026-01-15T00:00:00.000Z", 13, "2024-12-15T00:00:00.000Z"],
    ["2028-02-29T00:00:00.000Z", 12, "2027-02-28T00:00:00.000Z"],
  ])("%s less %i months", (at, months, expected) => {
    expect(monthsBefore(new Date(at), months).toISOString()).toBe(expected);
  });
});
