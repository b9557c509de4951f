import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { cancelRequest } from "./cancel-request.ts";
import { cancelUnit } from "./cancel-unit.ts";

const db = await openTestDatabase();

async function start(options: Parameters<typeof startCreated>[1] = {}) {
  const created = await startCreated(db, options);
  const { shop, clock, service, find, uuids, refetch } = created;
  return {
    ...created,
    async refund() {
      const request = await find();
      if (!request) throw new Error("it is gone");
      const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
      await db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, request, wish));
    },
    /** Somebody deletes them in the service's own pages, and Pathway hears of it. */
    async deleteThere(which = uuids()) {
      clock.advance(1_000);
      const fields = { deletedAt: clock.now().toISOString(), referralAttachment: null };
      for (const uuid of which) service.set(uuid, fields);
      await refetch();
    },
  };
}

const ENDED = {
  state: "cancelled",
  reviewReason: null,
  cancellation: { requestedBy: "store", status: "done" },
};

test("a refunded test whose deletion was refused ends once each referral is deleted there", async () => {
  const { refund, withdraw, deleteThere, service, uuids, find } = await start({
    items: BOTH_PARTS,
  });
  service.deletes = false;
  await refund();
  await withdraw();
  expect((await find())?.reviewReason?.code).toBe("withdrawal_refused");
  await deleteThere(uuids().slice(0, 1));
  expect((await find())?.reviewReason?.code).toBe("withdrawal_refused");
  await deleteThere();
  expect(await find()).toMatchObject(ENDED);
});

test("one that staff cancelled is still paid for: it is offered anew once it is deleted there", async () => {
  const { withdraw, deleteThere, service, find, ports, target } = await start();
  service.deletes = false;
  await cancelRequest(ports, { ...target, actor: "staff:7" });
  await withdraw();
  expect((await find())?.reviewReason?.code).toBe("withdrawal_refused");
  await deleteThere();
  expect(await find()).toMatchObject({
    state: "created",
    reviewReason: { code: "deleted_at_service" },
  });
});

test("nobody decides about a refunded test of which nothing is left at the service", async () => {
  const asks = { settings: { refundPolicy: "ask" } } as const;
  const first = await start(asks);
  await first.refund();
  expect((await first.find())?.reviewReason?.code).toBe("refunded_after_sending");
  await first.deleteThere();
  expect(await first.find()).toMatchObject(ENDED);

  const second = await start(asks);
  await second.deleteThere();
  expect((await second.find())?.reviewReason?.code).toBe("deleted_at_service");
  await second.refund();
  await second.withdraw();
  expect(await second.find()).toMatchObject(ENDED);
});
