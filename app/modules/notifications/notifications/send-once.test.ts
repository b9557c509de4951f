import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { START } from "../../../../test/database/clock.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { mailRun } from "../../../../test/database/mail-run.ts";
import { putRequest } from "../../../../test/database/put-request.ts";
import {
  connect,
  installedShop,
  newRequest,
  orderLine,
  storeOrder,
} from "../../../../test/database/seed.ts";
import { shopTables } from "../../../../test/database/shop-tables.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { RecipientRefusedError } from "../../kernel/notification.ts";
import { createShopEraser } from "../../privacy/postgres/shop-eraser.ts";
import { sendNotification } from "../send-notification.ts";

const db = await openTestDatabase();

test("a mail whose record finds the database away is sent once, and written down when it is back", async () => {
  const shop = await installedShop(db);
  const { ports, mails, clock } = mailRun(db, shop);
  const order = storeOrder();
  const request = newRequest(shop, order);
  const { id: requestId } = request;
  const due = { requestId, kind: "form_ready" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add([request], START);
    await tenant.notifications.note(due, clock.now());
  });
  let outage: Promise<unknown> = Promise.resolve();
  const refused = Promise.withResolvers<void>();
  const tenancy: typeof ports.tenancy = {
    ...ports.tenancy,
    inShop: (name, work) =>
      ports.tenancy.inShop(name, work).catch((error: unknown) => {
        refused.resolve();
        throw error;
      }),
  };
  const mailer: typeof ports.mailer = {
    async send(...mail) {
      const refusedReaders = await ports.mailer.send(...mail);
      const isDown = Promise.withResolvers<void>();
      outage = db.whileDown(async () => {
        isDown.resolve();
        await refused.promise;
      });
      await isDown.promise;
      return refusedReaders;
    },
  };
  expect(await sendNotification({ ...ports, tenancy, mailer }, { shop, ...due })).toBe("sent");
  await outage;
  expect(await sendNotification(ports, { shop, ...due })).toBe("not_due");
  expect(mails).toHaveLength(1);
  const { rows } = await db.pool.query("SELECT kind FROM timeline WHERE request_id = $1", [
    requestId,
  ]);
  expect(rows).toEqual([{ kind: "mail_sent" }]);
});

test("a mail with a form says that there are steps to prepare, and never which", async () => {
  const shop = await installedShop(db);
  const { ports, mails, clock } = mailRun(db, shop);
  const line = orderLine();
  const { variantId, productId } = line;
  if (!variantId || !productId) throw new Error("The line sold nothing");
  const order = storeOrder({ lines: [line] });
  const request = newRequest(shop, order);
  const steps = "Don’t eat for 8 hours";
  const send = async (preparation: string | null, occurrence: string) => {
    const due = { requestId: request.id, kind: "form_ready", occurrence } as const;
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.mappings.save({
        ...{ environment: request.environment, variantId, productId },
        ...{ kind: "order", items: request.items, preparation },
      });
      await tenant.notifications.note(due, clock.now());
    });
    expect(await sendNotification(ports, { shop, ...due })).toBe("sent");
    return JSON.stringify(mails.splice(0));
  };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add([request], START);
  });
  expect(await send(null, "")).not.toContain("prepare");
  const told = await send(steps, "2");
  expect(told).toContain("There are steps to prepare");
  expect(told).not.toContain(steps);
});

test.each([
  ["taken", "form_ready", "sent"],
  ["refused", "form_ready", "refused"],
  ["refused", "review_due", "refused"],
] as const)(
  "a mail (%s, %s) that was on its way while its shop was erased leaves no row behind",
  async (answer, kind, outcome) => {
    const shop = await installedShop(db);
    const { ports, mails, clock } = mailRun(db, shop);
    const order = storeOrder();
    const request = newRequest(shop, order);
    const due = { requestId: request.id, kind } as const;
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.orders.record(order, new Map(), START);
      await tenant.requests.add([request], START);
      await tenant.notifications.note(due, clock.now());
      await tenant.shops.setContactEmail("owner@shop.example");
      const uuid = randomUUID();
      await tenant.referrals.save("staging", request.id, referralSnapshot({ uuid }), START);
      await db.pool.query(
        `INSERT INTO results (shop, uuid, environment, request_id, referral_uuid, status, partial, in_review, snapshot_sealed, service_updated_at, fetched_at)
       VALUES ($1, $2, 'staging', $3, $4, 'FINAL', false, false, '', $5, $5)`,
        [shop, randomUUID(), request.id, uuid, START],
      );
    });
    const mailer: typeof ports.mailer = {
      async send(...mail) {
        const refusedReaders = await ports.mailer.send(...mail);
        await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
        const times = { askedAt: clock.now(), doneAt: clock.now() };
        await createShopEraser(db.pool).erase(shop, times);
        if (answer === "refused") throw new RecipientRefusedError(true);
        return refusedReaders;
      },
    };
    expect(await sendNotification({ ...ports, mailer }, { shop, ...due })).toBe(outcome);
    expect(mails).toHaveLength(1);
    for (const table of await shopTables(db.pool)) {
      const { rows } = await db.pool.query(`SELECT * FROM ${table} WHERE shop = $1`, [shop]);
      expect(rows, table).toEqual([]);
    }
  },
);

test.each(["form_ready", "form_corrected"] as const)(
  "%s is not said of a unit that was given up meanwhile",
  async (kind) => {
    const shop = await installedShop(db);
    const { ports, mails, clock } = mailRun(db, shop);
    const order = storeOrder();
    const request = newRequest(shop, order);
    const due = { requestId: request.id, kind, occurrence: kind === "form_ready" ? "" : "2" };
    await db.tenancy.inShop(shop, async (tenant) => {
      await tenant.orders.record(order, new Map(), START);
      await tenant.requests.add([request], START);
      await putRequest(tenant, request.id, {
        cancellation: { requestedBy: "store", status: "requested" },
      });
      await tenant.notifications.note(due, clock.now());
    });
    expect(await sendNotification(ports, { shop, ...due })).toBe("not_due");
    // Bought again, before anything was deleted.
    await db.tenancy.inShop(shop, (tenant) =>
      putRequest(tenant, request.id, { cancellation: null }),
    );
    expect(await sendNotification(ports, { shop, ...due })).toBe("sent");
    expect(mails).toHaveLength(1);
  },
);

test("after a restore, asking for details waits for the pause, for orders that were paid before it", async () => {
  const shop = await installedShop(db);
  await connect(db, shop);
  const { ports, mails, clock } = mailRun(db, shop);
  const order = storeOrder();
  const request = newRequest(shop, order);
  const asking = { requestId: request.id, kind: "details_needed" } as const;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add([request], START);
    await tenant.notifications.note(asking, clock.now());
  });
  const pausedSince = (at: Date | null) =>
    db.pool.query("UPDATE connections SET paused_at = $2 WHERE shop = $1", [shop, at]);
  await pausedSince(new Date(order.processedAt.getTime() + 1));
  expect(await sendNotification(ports, { shop, ...asking })).toBe("postponed");
  // The order was brought in after the pause had ended, and the service has its referral.
  await pausedSince(null);
  const { referenceNumber } = request;
  const uuid = randomUUID();
  await db.tenancy.inShop(shop, (tenant) =>
    tenant.restores.recordUnclaimed("staging", [{ uuid, referenceNumber }]),
  );
  expect(await sendNotification(ports, { shop, ...asking })).toBe("postponed");
  await db.tenancy.inShop(shop, (tenant) => tenant.restores.forget("staging", uuid));
  // Paid since: nobody can have asked.
  await pausedSince(order.processedAt);
  expect(await sendNotification(ports, { shop, ...asking })).toBe("sent");
  expect(mails).toHaveLength(1);
});
