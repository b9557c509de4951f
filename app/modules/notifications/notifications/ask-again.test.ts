import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting, whoHoldsRequest } from "../../../../test/database/locks.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { resendDetails } from "../resend-details.ts";

const db = await openTestDatabase();
const REMINDER = "Reminder: we need a few details for your order (#1001)";
const ASKED = "We need a few details for your order (#1001)";

/** A buyer who was asked for the details of two units, and has not answered. */
async function asked() {
  const shop = await installedShop(db);
  const { ports, mails, clock, runJobs } = mailRun(db, shop);
  const order = storeOrder({ lines: [orderLine({ quantity: 2 })] });
  const units = [1, 2].map((unit) => newRequest(shop, order, { unit }));
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add(units, START);
  });
  const [first = ""] = units.map(({ id }) => id);
  const ask = async (requestId = first) => {
    const due = { requestId, kind: "details_needed" } as const;
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.notifications.note(due, clock.now());
      await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
    });
  };
  return {
    first,
    ask,
    askAgain: () => resendDetails(ports, { shop, orderId: order.id, actor: "staff:7" }),
    async afterDays(days: number) {
      clock.advance(days * DAY_MS);
      await runJobs();
      return mails.splice(0).map(({ subject }) => subject);
    },
    settle: (id: string) =>
      db.pool.query("UPDATE referral_requests SET state = 'created' WHERE id = $1", [id]),
    reviewReason: async () =>
      (
        await db.pool.query<{ code: string | null }>(
          "SELECT review_code AS code FROM referral_requests WHERE id = $1",
          [first],
        )
      ).rows[0]?.code,
  };
}

test("asking a buyer again is one mail more, and no second chain of reminders", async () => {
  const { ask, askAgain, afterDays, reviewReason } = await asked();
  await ask();
  expect(await afterDays(0)).toEqual([ASKED]);
  expect(await afterDays(2)).toEqual([REMINDER]);
  expect(await askAgain()).toEqual({ kind: "queued" });
  expect(await afterDays(0)).toEqual([ASKED]);
  // Days 5 and 10 of the one chain, and its end on day 21.
  expect(await afterDays(2)).toEqual([]);
  expect(await afterDays(1)).toEqual([REMINDER]);
  expect(await afterDays(5)).toEqual([REMINDER]);
  expect(await afterDays(10.9)).toEqual([]);
  expect(await reviewReason()).toBeNull();
  expect(await afterDays(0.1)).toEqual([]);
  expect(await reviewReason()).toBe("details_overdue");
  // After its end it does not begin anew.
  await askAgain();
  expect(await afterDays(0)).toEqual([ASKED]);
  expect(await afterDays(60)).toEqual([]);
});

test("so it is when another unit of the order is the one that is left", async () => {
  const { ask, askAgain, afterDays, settle, first } = await asked();
  await ask();
  expect(await afterDays(0)).toEqual([ASKED]);
  await settle(first);
  await askAgain();
  expect(await afterDays(0)).toEqual([ASKED]);
  expect(await afterDays(2)).toEqual([REMINDER]);
});

test("asked twice before the mail has left, it is one mail; asked for the first time, reminders follow", async () => {
  const { askAgain, afterDays } = await asked();
  await askAgain();
  await askAgain();
  expect(await afterDays(0)).toEqual([ASKED]);
  expect(await afterDays(2)).toEqual([REMINDER]);
  await askAgain();
  await askAgain();
  expect(await afterDays(0)).toEqual([ASKED]);
});

test("staff can ask again though the last asking was dated by a clock that was ahead", async () => {
  const { ask, askAgain, afterDays } = await asked();
  await ask();
  await afterDays(0);
  expect(await askAgain()).toEqual({ kind: "queued" });
  expect(await askAgain()).toEqual({ kind: "asked_just_now" });
  await afterDays(-3);
  expect(await askAgain()).toEqual({ kind: "queued" });
  expect(await afterDays(0)).toEqual([ASKED]);
});

test("nobody is told that a buyer was asked who gave the details at that moment", async () => {
  const { ask, askAgain, afterDays, first } = await asked();
  await ask();
  await afterDays(0);
  await db.pool.query("UPDATE referral_requests SET state = 'created' WHERE id <> $1", [first]);
  const giving = await whoHoldsRequest(db, first);
  const asking = askAgain();
  await untilWaiting(db, 1, asking);
  await giving.change("UPDATE referral_requests SET state = 'ready' WHERE id = $1", first);
  await giving.end();
  expect(await asking).toEqual({ kind: "nothing_to_ask" });
});
