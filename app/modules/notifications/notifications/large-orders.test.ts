import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { countStatements } from "../../../../test/database/count-statements.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { applyOrder } from "../../orders/reconcile-order.ts";

const db = await openTestDatabase();
const WINDOW_MS = 60_000;
const UNITS = 26;
const CANCELLED = 24;

/** An order of many units, as the store tells it now. */
async function start() {
  const shop = await mappedShop(db);
  const run = mailRun(db, shop);
  run.ports.waits.mailWindowMs = WINDOW_MS;
  let readings = 0;
  return {
    ...run,
    left: (currentQuantity: number) =>
      db.tenancy.inShop(shop, async (tenant) => {
        const settings = await tenant.shops.find();
        if (!settings) throw new Error("The shop is gone");
        const at = new Date(START.getTime() + ++readings * 1000);
        const order = storeOrder({
          updatedAt: at,
          lines: [orderLine({ quantity: UNITS, currentQuantity })],
        });
        await applyOrder(tenant, settings, order, { readAt: at, now: run.clock.now() });
      }),
  };
}

test("tells of all cancelled units of a large order in one email, and looks at each few times", async () => {
  const { left, runJobs, clock, mails } = await start();
  await left(UNITS);
  await runJobs();
  expect(mails.splice(0)).toHaveLength(1);
  await left(UNITS - CANCELLED);
  const statements = await countStatements(async () => {
    await runJobs();
    clock.advance(WINDOW_MS);
    await runJobs();
    clock.advance(WINDOW_MS);
    await runJobs();
  });
  const [mail, ...others] = mails;
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("A test in your order was cancelled (#1001)");
  expect(mail?.text).toContain("24 tests: A test in your order was cancelled.");
  expect(mail?.text).not.toContain("Test 3 of 26");
  expect(mail?.text.match(/\/t\//g)).toHaveLength(1);
  // Each piece has a job of its own. Did each look at all the others, there were hundreds for each.
  expect(statements / CANCELLED).toBeLessThan(60);
});
