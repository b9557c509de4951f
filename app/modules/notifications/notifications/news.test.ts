/** Long because each status that the service tells has its own mail, and each mail the cases in which it is not sent. */
import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { DAY_MS, mailRun } from "../../../../test/database/mail-run.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { MailUnclearError } from "../../kernel/notification.ts";
import { queueMail, queueUnsentMails } from "../../kernel/queue-mail.ts";
import { apply } from "../../referrals/apply.ts";
import { cancelUnit } from "../../referrals/cancel-unit.ts";
import { recordReferral } from "../../referrals/referrals/record-referral.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();
const WINDOW_MS = 60_000;

/** An order of several units whose referrals were issued, and what the service says of them next. */
async function start(quantity = 1) {
  const shop = await installedShop(db);
  const run = mailRun(db, shop);
  const { clock, mails } = run;
  run.ports.waits.mailWindowMs = WINDOW_MS;
  const order = storeOrder({ lines: [orderLine({ quantity })] });
  const units = Array.from({ length: quantity }, (_, index) => {
    const request = newRequest(shop, order, { unit: index + 1 });
    return { id: request.id, request, uuid: randomUUID() };
  });
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add(
      units.map(({ request }) => request),
      START,
    );
    for (const { id, uuid } of units) {
      await putRequest(tenant, id, { state: "created" });
      await tenant.referrals.save(
        "staging",
        id,
        referralSnapshot({ uuid, status: "ISSUED" }),
        START,
      );
    }
  });
  let version = 0;
  return {
    ...run,
    shop,
    units,
    /** The service has moved the referral of a unit to this status. */
    async becomes(index: number, status: string) {
      const unit = units[index];
      if (!unit) throw new Error("no such unit");
      const updatedAt = new Date(START.getTime() + ++version * 1000).toISOString();
      await db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.findForUpdate(unit.id);
        if (!request) throw new Error("It is gone");
        const snapshot = referralSnapshot({ uuid: unit.uuid, status, updatedAt });
        await recordReferral(tenant, request, snapshot, { askedAt: clock.now(), now: clock.now() });
      });
    },
    /** The service has deleted the referral of a unit. */
    async loses(index: number) {
      const unit = units[index];
      if (!unit) throw new Error("no such unit");
      const updatedAt = new Date(START.getTime() + ++version * 1000).toISOString();
      await db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.findForUpdate(unit.id);
        if (!request) throw new Error("It is gone");
        const status = "ISSUED" as const;
        const gone = { uuid: unit.uuid, status, updatedAt, deletedAt: updatedAt };
        await recordReferral(tenant, request, referralSnapshot(gone), {
          askedAt: clock.now(),
          now: clock.now(),
        });
      });
    },
    cancel: (index: number) =>
      db.tenancy.inShop(shop, async (tenant) => {
        const request = await tenant.requests.findForUpdate(units[index]?.id ?? "");
        if (!request) throw new Error("It is gone");
        await cancelUnit(tenant, request, { by: "store", actor: "shopify", now: clock.now() });
      }),
    /** The subjects that went out since the last look, once the window has passed. */
    async told(afterMs = WINDOW_MS) {
      await run.runJobs();
      clock.advance(afterMs);
      await run.runJobs();
      return mails.splice(0).map(({ subject }) => subject.replace(/ \(#.*\)$/, ""));
    },
  };
}

test("news is told though the job of an older piece that is true has ended", async () => {
  const { shop, units, clock, told } = await start(2);
  const [first, second] = units.map(({ id }) => ({ requestId: id, kind: "form_ready" }) as const);
  if (!first || !second) throw new Error("no units");
  await db.tenancy.inShop(shop, async (tenant) => {
    // Its mail was not due when its job ran, as while its form was drawn anew.
    await tenant.notifications.note(first, clock.now());
    await queueMail(tenant, second, { now: new Date(clock.now().getTime() + 1000) });
  });
  const subjects = [...(await told()), ...(await told()), ...(await told())];
  expect(subjects).toEqual(["2 tests: each form is ready"]);
});

test.each([
  ["FAILED_TEST", "A test in your order needs another step"],
  ["INSUFFICIENT_DATA", "A detail is missing for your order"],
  ["BILLING_FAILED", "Please don’t use your form yet"],
  ["TRANSFERRED", "Another laboratory is finishing your test"],
  ["REFUNDED", "A test in your order can’t go on"],
  ["PENDING_VERIFICATION", "Your form is waiting for a check"],
  ["SOMETHING_NEW", "We are looking into your order"],
])("tells the owner of %s once", async (status, subject) => {
  const { becomes, told } = await start();
  await becomes(0, status);
  expect(await told()).toEqual([subject]);
  await becomes(0, status);
  expect(await told()).toEqual([]);
});

test("tells news at once that was noted by a clock that was ahead", async () => {
  const { becomes, told, clock, shop } = await start();
  await becomes(0, "BILLING_FAILED");
  clock.advance(-3 * DAY_MS);
  // The queue mends the times of jobs that waited for moments (queue/mend-times.ts).
  await db.tenancy.inShop(shop, (tenant) => queueUnsentMails(tenant));
  expect(await told()).toEqual(["Please don’t use your form yet"]);
});

test("tells nothing of a state that was over before the window", async () => {
  const { becomes, told } = await start();
  await becomes(0, "BILLING_FAILED");
  await becomes(0, "ISSUED");
  expect(await told()).toEqual([]);
});

test("sends nobody to a laboratory with a form that the service does not take, until it does", async () => {
  const { becomes, told, clock, shop, units } = await start();
  const formReady = { requestId: units[0]?.id ?? "", kind: "form_ready" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(formReady, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...formReady });
  });
  await becomes(0, "BILLING_FAILED");
  expect(await told()).toEqual(["Please don’t use your form yet"]);
  await becomes(0, "ISSUED");
  expect(await told()).toEqual(["Your form is ready"]);
});

test.each([
  ["form_ready", ""],
  ["form_corrected", "2"],
] as const)("%s is not said of a test whose results have come", async (kind, occurrence) => {
  const { becomes, told, clock, shop, units } = await start();
  const due = { requestId: units[0]?.id ?? "", kind, occurrence };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(due, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  await becomes(0, "COMPLETE");
  expect(await told()).toEqual([]);
});

test("tells whoever has two forms that one is not valid any more", async () => {
  const { loses, told, mails, shop, units } = await start();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.referrals.save(
      "staging",
      units[0]?.id ?? "",
      referralSnapshot({ uuid: randomUUID(), status: "ISSUED", medicare: true }),
      START,
    ),
  );
  await loses(0);
  expect(await told()).toEqual(["Please throw away a form of your order"]);
  expect(mails).toEqual([]);
});

test("tells nobody twice of a state that goes and comes again before its end was told", async () => {
  const { becomes, told } = await start();
  await becomes(0, "BILLING_FAILED");
  expect(await told()).toHaveLength(1);
  for (let times = 0; times < 5; times++) {
    await becomes(0, "ISSUED");
    await becomes(0, "BILLING_FAILED");
  }
  expect(await told()).toEqual([]);
});

test("tells that a form is of use again, and then a state again when it comes again", async () => {
  const { becomes, told, clock } = await start();
  const off = ["Please don’t use your form yet"];
  const on = ["You can use the form of your order"];
  for (let times = 0; times < 2; times++) {
    await becomes(0, "BILLING_FAILED");
    expect(await told()).toEqual(off);
    await becomes(0, "ISSUED");
    clock.advance(600_000);
    expect(await told()).toEqual(on);
  }
});

test("puts what happens close together into one mail, and names the tests", async () => {
  const { becomes, runJobs, clock, mails } = await start(3);
  await becomes(0, "FAILED_TEST");
  await runJobs();
  clock.advance(WINDOW_MS / 2);
  await becomes(1, "BILLING_FAILED");
  await becomes(2, "FAILED_TEST");
  await runJobs();
  expect(mails).toEqual([]);
  clock.advance(WINDOW_MS / 2);
  await runJobs();
  expect(mails.map(({ subject }) => subject)).toEqual(["News about your order (#1001)"]);
  const [{ text = "", html = "" } = {}] = mails;
  for (const part of [text, html])
    for (const words of ["Test 1 of 3", "Test 2 of 3", "Test 3 of 3", "could not finish"])
      expect(part).toContain(words);
  // Two tests have the same news: it is read once.
  expect(text.match(/could not finish/g)).toHaveLength(1);
  expect(text).toMatch(/could not finish.*\nTest 1 of 3: .*\nTest 3 of 3: .*\n\n.*\nTest 2 of 3: /);
  clock.advance(10 * WINDOW_MS);
  await runJobs();
  expect(mails).toHaveLength(1);
});

test("tells which form not to use before it tells which are ready", async () => {
  const { loses, runJobs, clock, mails, shop, units } = await start(3);
  await db.tenancy.inShop(shop, async (tenant) => {
    for (const { id } of units.slice(0, 2))
      await queueMail(tenant, { requestId: id, kind: "form_ready" }, { now: clock.now() });
  });
  await loses(2);
  clock.advance(WINDOW_MS);
  await runJobs();
  expect(mails).toHaveLength(1);
  const [{ text = "" } = {}] = mails;
  expect(text).toMatch(
    /throw it away[\s\S]*\nTest 3 of 3: [\s\S]*is ready for you[\s\S]*\nTest 1 of 3: /,
  );
});

test("sends a piece that came while the mail was on its way in a mail of its own", async () => {
  const { becomes, runJobs, clock, mails, ports, shop, units } = await start(2);
  await becomes(0, "FAILED_TEST");
  await runJobs();
  clock.advance(WINDOW_MS);
  // Its job is the one that runs below.
  await db.pool.query("DELETE FROM outbox WHERE shop = $1", [shop]);
  const mailer: typeof ports.mailer = {
    async send(...mail) {
      await becomes(1, "FAILED_TEST");
      await runJobs();
      return ports.mailer.send(...mail);
    },
  };
  const due = await db.tenancy.inShop(shop, (tenant) =>
    tenant.notifications.waiting([units[0]?.id ?? ""], ["state_changed"]),
  );
  const [{ notedAt: _, ...first } = { notedAt: null, requestId: "", kind: "form_ready" as const }] =
    due;
  expect(await sendNotification({ ...ports, mailer }, { shop, ...first })).toBe("sent");
  expect(mails).toHaveLength(1);
  clock.advance(3 * WINDOW_MS);
  await runJobs();
  clock.advance(3 * WINDOW_MS);
  await runJobs();
  expect(mails).toHaveLength(2);
});

test("tells the owner of a cancelled test, and what becomes of the money", async () => {
  const { cancel, runJobs, clock, mails, shop, units } = await start();
  await db.tenancy.inShop(shop, (tenant) =>
    putRequest(tenant, units[0]?.id ?? "", { state: "ready" }),
  );
  await cancel(0);
  await runJobs();
  clock.advance(WINDOW_MS);
  await runJobs();
  expect(mails.map(({ subject }) => subject)).toEqual([
    "A test in your order was cancelled (#1001)",
  ]);
  expect(mails[0]?.text).toMatch(/refund/);
});

test("says of a refunded test whose referral went with its results that nobody decides about it", async () => {
  const { cancel, told, clock, shop, units } = await start();
  const [unit] = units;
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.shops.updateSettings({ refundPolicy: "automatic" }),
  );
  await cancel(0);
  await db.tenancy.inShop(shop, async (tenant) => {
    const gone = { uuid: unit?.uuid ?? "", status: "COMPLETE", deletedAt: START.toISOString() };
    const updatedAt = new Date(START.getTime() + 5_000).toISOString();
    const snapshot = referralSnapshot({ ...gone, updatedAt });
    await tenant.referrals.save("staging", unit?.id ?? "", snapshot, clock.now());
    const deleted = { kind: "deleted", isReported: true } as const;
    await apply(tenant, unit?.id ?? "", deleted, { actor: "pathway", at: clock.now() });
  });
  expect(await told()).toEqual([]);
});

test("pauses the form of a refunded test until the shop has decided, and tells both", async () => {
  const { cancel, told, clock, mails, runJobs, shop, units } = await start();
  const [unit] = units;
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ refundPolicy: "ask" }));
  await cancel(0);
  expect(await told()).toEqual(["Please don’t use your form for now"]);
  await cancel(0);
  const formReady = { requestId: unit?.id ?? "", kind: "form_ready" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.notifications.note(formReady, clock.now());
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...formReady });
  });
  expect(await told()).toEqual([]);
  await db.tenancy.inShop(shop, (tenant) =>
    apply(tenant, formReady.requestId, { kind: "kept" }, { actor: "staff:7", at: clock.now() }),
  );
  await runJobs();
  clock.advance(WINDOW_MS);
  await runJobs();
  const [mail] = mails;
  expect(mails).toHaveLength(1);
  expect(mail?.text).toContain("The test goes ahead");
  expect(mail?.text).toContain("The form for your order is ready");
});

test("tells of a refunded test as cancelled where the service does not delete its referral", async () => {
  const { cancel, told, clock, shop, units } = await start();
  await cancel(0);
  expect(await told()).toEqual([]);
  await db.tenancy.inShop(shop, (tenant) =>
    apply(
      tenant,
      units[0]?.id ?? "",
      { kind: "withdrawal_refused" },
      { actor: "service", at: clock.now() },
    ),
  );
  expect(await told()).toEqual(["A test in your order was cancelled"]);
});

test("tells once of a refunded test that is cancelled again after its deletion was refused, and that it goes on", async () => {
  const { cancel, told, clock, shop, units } = await start();
  const is = (kind: "withdrawal_refused" | "wanted_again") =>
    db.tenancy.inShop(shop, (tenant) =>
      apply(tenant, units[0]?.id ?? "", { kind }, { actor: "pathway", at: clock.now() }),
    );
  await cancel(0);
  await is("withdrawal_refused");
  expect(await told()).toEqual(["A test in your order was cancelled"]);
  // Bought again: whoever was told that it is over is told that it is not.
  await is("wanted_again");
  expect(await told()).toEqual(["You can go on with your order"]);
  // Nobody is asked to delete a referral that is paid for.
  const unit = await db.tenancy.inShop(shop, (tenant) => tenant.requests.find(units[0]?.id ?? ""));
  expect(unit).toMatchObject({ reason: null });
  await cancel(0);
  await is("withdrawal_refused");
  expect(await told()).toEqual(["A test in your order was cancelled"]);
  await db.tenancy.inShop(shop, async (tenant) => {
    const unit = { id: units[0]?.id ?? "" };
    await cancelUnit(tenant, unit, { by: "staff", actor: "staff:7", now: clock.now() });
  });
  expect(await told()).toEqual([]);
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.referrals.markGone(units[0]?.uuid ?? "", clock.now());
    const by = { actor: "pathway", at: clock.now() } as const;
    await apply(tenant, units[0]?.id ?? "", { kind: "deleted", isReported: false }, by);
    expect(await tenant.requests.find(units[0]?.id ?? "")).toMatchObject({ state: "cancelled" });
  });
  expect(await told()).toEqual([]);
});

test("tells of the part that is deleted after the other was ordered again", async () => {
  const { loses, told, shop, units } = await start();
  const { id = "", uuid: commercial = "" } = units[0] ?? {};
  const [medicare, next] = [randomUUID(), randomUUID()];
  await db.tenancy.inShop(shop, async (tenant) => {
    const snapshot = referralSnapshot({ uuid: medicare, status: "FAILED_TEST", medicare: true });
    await tenant.referrals.save("staging", id, snapshot, START);
    await tenant.referrals.markReplaced([medicare], next);
    await putRequest(tenant, id, { replacedBy: next });
  });
  await loses(0);
  expect(await told()).toEqual(["Please throw away a form of your order"]);
  // Ordered again as well before it was told: its mails are about the new form.
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.referrals.markReplaced([commercial], next);
    const occurrence = `deleted ${commercial} again`;
    const due = { requestId: id, kind: "state_changed", occurrence } as const;
    await tenant.notifications.note(due, START);
    await tenant.jobs.enqueue({ name: "send-mail", shop, ...due });
  });
  expect(await told()).toEqual([]);
});

test("tells nothing of a pause that was over before the window", async () => {
  const { cancel, told, clock, shop, units } = await start();
  await db.tenancy.inShop(shop, (tenant) => tenant.shops.updateSettings({ refundPolicy: "ask" }));
  await cancel(0);
  await db.tenancy.inShop(shop, (tenant) =>
    apply(
      tenant,
      units[0]?.id ?? "",
      { kind: "wanted_again" },
      { actor: "shopify", at: clock.now() },
    ),
  );
  expect(await told()).toEqual([]);
});

test("tells nobody that a form is ready whose referral was deleted, though staff ask for the email again", async () => {
  const { ports, shop, units, loses, mails, told } = await start();
  await loses(0);
  expect(await told()).toEqual(["Please throw away a form of your order"]);
  const [unit] = units;
  const due = { requestId: unit?.id ?? "", kind: "form_ready", occurrence: "" } as const;
  await db.tenancy.inShop(shop, (tenant) => tenant.notifications.note(due, START));
  expect(await sendNotification(ports, { shop, ...due })).toBe("not_due");
  expect(mails.filter(({ subject }) => /form is ready/.test(subject))).toEqual([]);
});

/** The outbox and the engine with the send-mail jobs of a shop: those with one key are one, and one that failed is tried again. */
function mailQueue({
  shop,
  clock,
  ports,
}: Pick<Awaited<ReturnType<typeof start>>, "shop" | "clock" | "ports">) {
  type Payload = Parameters<typeof sendNotification>[1];
  const queue = new Map<string, Payload>();
  return {
    queue,
    async take() {
      const { rows } = await db.pool.query<{ key: string; payload: Payload }>(
        `DELETE FROM outbox WHERE shop = $1 AND name = 'send-mail' AND (start_after = created_at OR start_after <= $2)
         RETURNING singleton_key AS key, payload`,
        [shop, clock.now()],
      );
      for (const { key, payload } of rows) queue.set(key, payload);
    },
    /** Runs what is due side by side. */
    async work(send: typeof ports.mailer.send) {
      const due = [...queue];
      queue.clear();
      const run = async (key: string, payload: Payload) => {
        try {
          await sendNotification({ ...ports, mailer: { send } }, { ...payload, shop });
        } catch (error) {
          if (!(error instanceof MailUnclearError)) queue.set(key, payload);
        }
      };
      await Promise.all(due.map(([key, payload]) => run(key, payload)));
    },
  };
}

const noteForms = ({
  shop,
  units,
  clock,
}: Pick<Awaited<ReturnType<typeof start>>, "shop" | "units" | "clock">) =>
  db.tenancy.inShop(shop, async (tenant) => {
    for (const { id: requestId } of units)
      await queueMail(
        tenant,
        { requestId, kind: "form_ready" },
        { now: clock.now(), windowMs: WINDOW_MS },
      );
  });

test("a mail server that is away for long does not multiply a mail's jobs, and gets one mail when it is back", async () => {
  const world = await start(3);
  const { units, clock, ports, mails } = world;
  await noteForms(world);
  const { queue, take, work } = mailQueue(world);
  for (let minutes = 0; minutes < 12; minutes++) {
    clock.advance(60_000);
    await take();
    await work(() => Promise.reject(new Error("away")));
  }
  await take();
  expect(queue.size).toBeLessThanOrEqual(units.length);
  await work(ports.mailer.send);
  expect(mails.map(({ subject }) => subject)).toEqual(["3 tests: each form is ready (#1001)"]);
});

test("news of several tests that the mail server never answers for is tried as seldom as that of one", async () => {
  const world = await start(2);
  const { clock, ports, mails } = world;
  await noteForms(world);
  const { take, work } = mailQueue(world);
  const swallow = async (...mail: Parameters<typeof ports.mailer.send>) => {
    await ports.mailer.send(...mail);
    throw new MailUnclearError();
  };
  for (let minutes = 0; minutes < 29; minutes++) {
    clock.advance(60_000);
    await take();
    await work(swallow);
  }
  // After a minute, and ten later.
  expect(mails).toHaveLength(2);
  mails.length = 0;
  for (let minutes = 0; minutes < 4; minutes++) {
    clock.advance(60_000);
    await take();
    await work(ports.mailer.send);
  }
  expect(mails.map(({ subject }) => subject)).toEqual(["2 tests: each form is ready (#1001)"]);
});
