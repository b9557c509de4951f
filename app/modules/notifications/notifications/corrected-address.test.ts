import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { untilWaiting } from "../../../../test/database/locks.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { orderInStore } from "../../../../test/database/order-in-store.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import { mappedShop, orderLine, storeOrder } from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { invitePatient } from "../../access/invite-patient.ts";
import { type DueNotification, RecipientRefusedError } from "../../kernel/notification.ts";
import { mailNewAddress } from "../mail-new-address.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();

const WRONG = "sam@exmaple.com";
const RIGHT = "sam@example.com";
const bought = (email: string | null, quantity = 1) => ({
  ...storeOrder({ lines: [orderLine({ quantity })] }),
  buyer: { ...storeOrder().buyer, email },
});

/** An order of some units whose email was mistyped, and what was mailed about it. */
async function start(quantity = 1) {
  const shop = await mappedShop(db);
  const one = await orderInStore(db, shop);
  const run = mailRun(db, shop, one.clock);
  const become = async (email: string | null) => {
    await one.read(bought(email, quantity));
    await run.runJobs();
    return run.mails.map(({ to, subject }) => `${to}: ${subject}`);
  };
  await become(WRONG);
  const [first] = await one.requests();
  const requestId = first?.id ?? "";
  return {
    ...one,
    ...run,
    shop,
    become,
    requestId,
    /** The referral is there, and with `isReported` a result that its reader may see. */
    async order(isReported: boolean) {
      const uuid = randomUUID();
      await db.tenancy.inShop(shop, async (tenant) => {
        await putRequest(tenant, requestId, { state: "created" });
        const status = isReported ? "COMPLETE" : "ISSUED";
        const snapshot = referralSnapshot({ uuid, status });
        await tenant.referrals.save("staging", requestId, snapshot, run.clock.now());
      });
      if (isReported)
        await db.pool.query(
          `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial, in_review, snapshot_sealed, service_updated_at, released_at, fetched_at)
           VALUES ($1, $2, 'staging', $3, $4, 'FINAL', false, false, '', $5, $5, $5)`,
          [shop, randomUUID(), requestId, uuid, run.clock.now()],
        );
    },
    /** Mails these to whom the order names now. */
    async mail(...kinds: DueNotification["kind"][]) {
      await db.tenancy.inShop(shop, async (tenant) => {
        for (const kind of kinds) {
          await tenant.notifications.note({ requestId, kind }, run.clock.now());
          await tenant.jobs.enqueue({ name: "send-mail", shop, requestId, kind });
        }
      });
      await run.runJobs();
    },
  };
}

const ASKS = "We need a few details for your order (#1001)";

test("asks for details at an email that the shop corrects, once, and begins no second reminders", async () => {
  const { become, mails, clock, runJobs } = await start(2);
  expect(await become(RIGHT)).toEqual([`${WRONG}: ${ASKS}`, `${RIGHT}: ${ASKS}`]);
  expect(await become(RIGHT)).toHaveLength(2);
  expect(await become(RIGHT.toUpperCase())).toHaveLength(2);
  clock.advance(2 * DAY_MS);
  await runJobs();
  expect(mails.slice(2)).toHaveLength(1);
  expect(mails[2]?.to.toLowerCase()).toBe(RIGHT);
});

test.each([false, true])(
  "needs somebody for news of a test whose order has no email, and sends it once there is one: results %s",
  async (isReported) => {
    const { become, order, mail, mails, requests, shop } = await start();
    await order(isReported);
    await become(null);
    const before = mails.length;
    await mail(isReported ? "results_available" : "form_ready");
    expect(mails).toHaveLength(before);
    const [waiting] = await requests();
    expect(waiting?.reason).toEqual({ code: "mail_refused", detail: null });
    const [item] = await db.tenancy.inShop(shop, (tenant) =>
      tenant.overview.attentionOf([waiting?.orderId ?? expect.unreachable()]),
    );
    expect(item?.undelivered).toBe("no_address");
    await become(RIGHT);
    expect(mails.slice(before).map(({ to }) => to)).toEqual([RIGHT]);
    expect((await requests())[0]?.reason).toBeNull();
  },
);

test("needs nobody for news of a test order without an email: a simulation has no buyer", async () => {
  const { become, order, mail, requests, shop } = await start();
  await order(false);
  await become(null);
  await db.pool.query("UPDATE orders SET test = true WHERE shop = $1", [shop]);
  await mail("form_ready");
  expect((await requests())[0]?.reason).toBeNull();
});

test("asks for details at the email that follows a wrong one which the shop first took off", async () => {
  const { become } = await start();
  expect(await become(null)).toEqual([`${WRONG}: ${ASKS}`]);
  expect(await become(RIGHT)).toEqual([`${WRONG}: ${ASKS}`, `${RIGHT}: ${ASKS}`]);
});

test("mails a corrected address the results that the former one was told of, and no form that they end", async () => {
  const { become, order, mail, mails } = await start();
  await order(false);
  await mail("form_ready");
  await order(true);
  await mail("results_today", "results_available");
  const before = mails.length;
  expect(mails.every(({ to }) => to === WRONG)).toBe(true);
  const told = mails.slice(2).map(({ subject }) => subject);
  await become(RIGHT);
  const again = mails.slice(before);
  expect(again.map(({ to }) => to)).toEqual(told.map(() => RIGHT));
  expect(again.map(({ subject }) => subject).toSorted()).toEqual(told.toSorted());
  await become(RIGHT);
  expect(mails).toHaveLength(before + told.length);
});

test("mails a corrected address nothing of a unit whose patient was invited", async () => {
  const { become, mails, ports, shop, runJobs, requestId } = await start();
  const customerId = storeOrder().customerId ?? expect.unreachable();
  const viewer = { kind: "customer", customerId } as const;
  await invitePatient(ports, { shop, viewer, requestId, email: "pat@example.com" });
  await runJobs();
  expect(mails.map(({ to }) => to)).toEqual([WRONG, "pat@example.com"]);
  expect(await become(RIGHT)).toHaveLength(2);
});

test("an address that refuses an email is not the one that the order was given meanwhile", async () => {
  const { shop, requestId, read, ports, requests, mails, runJobs } = await start();
  const due = { requestId, kind: "link_renewed" } as const;
  await db.tenancy.inShop(shop, (tenant) => tenant.notifications.note(due, ports.clock.now()));
  const refusing = {
    async send() {
      await read(bought(RIGHT));
      throw new RecipientRefusedError(true);
    },
  };
  expect(await sendNotification({ ...ports, mailer: refusing }, { shop, ...due })).toBe("refused");
  expect(await requests()).toMatchObject([{ mailRefusedAt: null }]);
  await runJobs();
  expect(mails.map(({ to, subject }) => `${to}: ${subject}`)).toContain(
    `${RIGHT}: Your new link (#1001)`,
  );
});

test("an address that is put back while its emails are looked through is not asked twice", async () => {
  const { shop, read, ports, mails, runJobs } = await start();
  const order = bought(WRONG);
  await read(bought(RIGHT));
  const held = Promise.withResolvers<void>();
  const putBack = Promise.withResolvers<void>();
  const changing = db.tenancy.inShop(shop, async ({ orders, requests }) => {
    await requests.forOrderForUpdate(order.id);
    held.resolve();
    await putBack.promise;
    const at = new Date(Date.now() + DAY_MS);
    await orders.record({ ...order, updatedAt: at }, new Map(), at);
  });
  await held.promise;
  const looking = mailNewAddress(ports, { shop, orderId: order.id });
  await untilWaiting(db, 1, looking);
  putBack.resolve();
  await Promise.all([changing, looking]);
  mails.length = 0;
  await db.pool.query("DELETE FROM outbox WHERE shop = $1 AND name <> 'send-mail'", [shop]);
  await runJobs();
  expect(mails).toEqual([]);
});
