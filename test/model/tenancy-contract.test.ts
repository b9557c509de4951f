/**
 * Runs the same tests against the model's database and against PostgreSQL. Where they differed, the model would prove
 * nothing.
 */

import { describe, expect, test } from "vitest";
import { gid, type ShopDomain } from "../../app/modules/kernel/ids.ts";
import { apply } from "../../app/modules/referrals/apply.ts";
import type { NewRequest } from "../../app/modules/referrals/request-repository.ts";
import type { Tenancy, Tenant } from "../../app/ports.ts";
import { START } from "../database/clock.ts";
import { openTestDatabase } from "../database/database.ts";
import { untilWaiting } from "../database/locks.ts";
import { putRequest } from "../database/put-request.ts";
import { ONE_TEST, PATIENT, storeOrder } from "../database/seed.ts";
import { referralSnapshot } from "../database/snapshots.ts";
import { memoryTenancy, type QueuedJob } from "./memory-tenancy.ts";
import { createRows } from "./rows.ts";

interface Kind {
  tenancy: Tenancy;
  /** Until a transaction waits for another, or would have ended if it did not. */
  untilOneWaits(): Promise<void>;
  jobs(shop: ShopDomain): Promise<string[]>;
}

const db = await openTestDatabase();
const postgres: Kind = {
  tenancy: db.tenancy,
  untilOneWaits: () => untilWaiting(db, 1),
  async jobs(shop) {
    const { rows } = await db.pool.query<{ name: string }>(
      "SELECT name FROM outbox WHERE shop = $1 ORDER BY id",
      [shop],
    );
    return rows.map(({ name }) => name);
  },
};
const rows = createRows();
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const TURNS_OF_A_TRANSACTION = 50;
const memory: Kind = {
  tenancy: memoryTenancy({
    rows,
    // Every statement takes a moment in which another transaction may come between.
    pause: turn,
    now: () => new Date(),
    open: () => () => {},
  }),
  async untilOneWaits() {
    for (let turns = 0; turns < TURNS_OF_A_TRANSACTION; turns++) await turn();
  },
  jobs: async (shop) =>
    rows
      .committed<QueuedJob>("job ")
      .filter(({ job }) => job.shop === shop)
      .map(({ job }) => job.name),
};

let shops = 0;
const newRequest = (unit: number): NewRequest => ({
  id: crypto.randomUUID(),
  environment: "staging",
  orderId: gid("Order", 1),
  lineItemId: gid("LineItem", 1),
  unit,
  generation: 1,
  referenceNumber: `PW1-${unit}`,
  title: "Iron studies",
  items: ONE_TEST,
  customerId: gid("Customer", 7),
  order: { paidAt: START, isTest: false },
});
const CLAIMED = {
  kind: "claimed",
  at: START,
  deadlineAt: START,
  recoveryLowerBound: START,
} as const;
const BY = { actor: "pathway", at: START } as const;

describe.each([
  ["PostgreSQL", postgres],
  ["the model", memory],
] as const)("%s", (_name, { tenancy, jobs, untilOneWaits }) => {
  async function start() {
    const shop: ShopDomain = `contract-${++shops}.myshopify.com`;
    const request = newRequest(1);
    const inShop = <T>(work: (tenant: Tenant) => Promise<T>) => tenancy.inShop(shop, work);
    await inShop(async (tenant) => {
      await tenant.shops.install("", START);
      await tenant.requests.add([request], START);
      await tenant.requests.savePatient(request.id, { patient: PATIENT, medicare: null }, START);
      await putRequest(tenant, request.id, { state: "ready" });
    });
    const find = () => inShop((tenant) => tenant.requests.find(request.id));
    return { shop, id: request.id, request, inShop, find };
  }

  test("undoes a transaction that throws, jobs included", async () => {
    const { id, shop, inShop, find } = await start();
    const broken = inShop(async (tenant) => {
      await putRequest(tenant, id, { state: "sending" });
      await tenant.jobs.enqueue({ name: "create-referral", shop, requestId: id });
      throw new Error("broken");
    });
    await expect(broken).rejects.toThrow("broken");
    expect((await find())?.state).toBe("ready");
    expect(await jobs(shop)).toEqual([]);
  });

  test("lets one of many move a request", async () => {
    const { id, inShop, find } = await start();
    const moves = await Promise.all(
      Array.from({ length: 6 }, () => inShop((tenant) => apply(tenant, id, CLAIMED, BY))),
    );
    expect(moves.filter((moved) => moved !== null)).toHaveLength(1);
    expect(await find()).toMatchObject({ state: "sending", attempt: 1 });
  });

  test("a writer waits for the one before, and looks again", async () => {
    const { id, inShop, find } = await start();
    const written = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const first = inShop(async (tenant) => {
      await putRequest(tenant, id, { state: "cancelled" });
      written.resolve();
      await goOn.promise;
    });
    await written.promise;
    // Not committed, so not seen; not to be changed either.
    expect((await find())?.state).toBe("ready");
    const second = inShop((tenant) => apply(tenant, id, CLAIMED, BY));
    await untilOneWaits();
    goOn.resolve();
    await first;
    expect(await second).toBeNull();
    expect((await find())?.state).toBe("cancelled");
  });

  test("within a transaction, a statement sees what others have committed since", async () => {
    const { id, inShop } = await start();
    const seen = await inShop(async (tenant) => {
      const before = await tenant.requests.find(id);
      await inShop((other) =>
        putRequest(other, id, { cancellation: { requestedBy: "store", status: "requested" } }),
      );
      const after = await tenant.requests.find(id);
      return [before?.cancellation, after?.cancellation];
    });
    expect(seen).toEqual([null, { requestedBy: "store", status: "requested" }]);
  });

  test("keeps others from changing a request that is found for update", async () => {
    const { id, inShop, find } = await start();
    let other: Promise<unknown> = Promise.resolve();
    await inShop(async (tenant) => {
      await tenant.requests.findForUpdate(id);
      other = inShop((t) => apply(t, id, CLAIMED, BY));
      await untilOneWaits();
      expect((await tenant.requests.find(id))?.state).toBe("ready");
      await putRequest(tenant, id, { state: "held" });
    });
    expect(await other).toBeNull();
    expect((await find())?.state).toBe("held");
  });

  test("the same unit is opened once", async () => {
    const { inShop } = await start();
    const again = { ...newRequest(1), referenceNumber: "PW1-1" };
    const added = await Promise.all([
      inShop((tenant) => tenant.requests.add([again, newRequest(2)], START)),
      inShop((tenant) => tenant.requests.add([newRequest(2)], START)),
    ]);
    expect(added.flat()).toHaveLength(1);
    const all = await inShop((tenant) => tenant.requests.forOrder(gid("Order", 1)));
    expect(all.map(({ unit }) => unit).sort()).toEqual([1, 2]);
  });

  test("an older snapshot does not replace a newer one", async () => {
    const { id, inShop } = await start();
    const at = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`;
    const newer = referralSnapshot({ status: "ISSUED", updatedAt: at(2) });
    const older = { ...newer, status: "CREATED", updatedAt: at(1) };
    const save = (snapshot: typeof newer) =>
      inShop((tenant) => tenant.referrals.save("staging", id, snapshot, START));
    expect(await save(newer)).toEqual({ outcome: "stored", previousStatus: undefined });
    expect(await save(older)).toEqual({ outcome: "stale" });
    expect(await save(newer)).toEqual({ outcome: "stored", previousStatus: "ISSUED" });
  });

  test("a reading of an order that began before the last one is stale", async () => {
    const { inShop } = await start();
    const order = storeOrder();
    const early = await inShop((tenant) => tenant.orders.beginReading());
    const record = (at: Date) => inShop((tenant) => tenant.orders.record(order, new Map(), at));
    const late = new Date(early.getTime() + 1000);
    expect(await record(late)).toBe("first");
    expect(await record(early)).toBe("stale");
    expect(await record(late)).toBe("again");
  });

  test("an install waits for what is being parked, and lets it in", async () => {
    const { inShop } = await start();
    await inShop((tenant) => tenant.shops.uninstall(new Date()));
    let installing: Promise<number> = Promise.resolve(0);
    await inShop(async (tenant) => {
      expect((await tenant.shops.findBeforeInstall())?.installed).toBe(false);
      installing = inShop(async (other) => {
        await other.shops.install("", new Date());
        return other.inbox.unpark();
      });
      await untilOneWaits();
      await tenant.inbox.parkOrder(gid("Order", 1));
    });
    expect(await installing).toBe(1);
  });

  test("an uninstall of before the last sign-in ends nothing; a reinstall is one", async () => {
    const { inShop } = await start();
    const at = (ms: number) => new Date(START.getTime() + ms);
    const uninstall = (ms: number) => inShop((tenant) => tenant.shops.uninstall(at(ms)));
    const install = (ms: number) => inShop((tenant) => tenant.shops.install("", at(ms)));
    expect(await install(100)).toBe(false);
    expect(await uninstall(50)).toBe(false);
    expect(await uninstall(150)).toBe(true);
    expect(await uninstall(150)).toBe(false);
    expect(await install(200)).toBe(true);
    expect((await inShop((tenant) => tenant.shops.find()))?.epoch).toBe(2);
  });

  test("work is stalled that waits for nothing but the service", async () => {
    const { id, inShop } = await start();
    const given = { patient: PATIENT, medicare: null };
    // What could have been sent for weeks, by the database's clock, waits for a person.
    await inShop((tenant) => tenant.requests.savePatient(id, given, new Date()));
    const stalled = async (isTested = false) =>
      (await inShop((tenant) => tenant.requests.stalled(undefined, isTested))).map(
        ({ name }) => name,
      );
    expect(await stalled()).toEqual(["create-referral"]);
    const reviewReason = { code: "not_sent", detail: "no_connection" } as const;
    await inShop((tenant) => putRequest(tenant, id, { reviewReason }));
    expect(await stalled()).toEqual(["create-referral"]);
    // A person who has dealt with it otherwise has it sent by a test of the connection alone.
    await inShop((tenant) => putRequest(tenant, id, { handledReason: reviewReason }));
    expect(await stalled()).toEqual([]);
    expect(await stalled(true)).toEqual(["create-referral"]);
    await inShop((tenant) =>
      putRequest(tenant, id, { reviewReason: { code: "details_overdue", detail: null } }),
    );
    expect(await stalled()).toEqual([]);
    await inShop((tenant) => putRequest(tenant, id, { state: "created", reviewReason: null }));
    expect(await stalled()).toEqual([]);
    await inShop((tenant) =>
      putRequest(tenant, id, { cancellation: { requestedBy: "store", status: "confirmed" } }),
    );
    expect(await stalled()).toEqual(["delete-referrals"]);
    const [job] = await inShop((tenant) => tenant.requests.stalled());
    expect(job?.requestId).toBe(id);
    expect(await inShop((tenant) => tenant.requests.stalled("production"))).toEqual([]);
    await inShop((tenant) => putRequest(tenant, id, { state: "sending", cancellation: null }));
    expect(await stalled()).toEqual(["resolve-ambiguous"]);
    await inShop((tenant) =>
      putRequest(tenant, id, {
        state: "ambiguous",
        reviewReason: { code: "unresolved", detail: "x" },
      }),
    );
    expect(await stalled()).toEqual(["resolve-ambiguous"]);
    await inShop((tenant) =>
      putRequest(tenant, id, { reviewReason: { code: "ambiguous", detail: null } }),
    );
    expect(await stalled()).toEqual([]);
    await inShop((tenant) =>
      putRequest(tenant, id, { resultReason: "urgent_result_held", reviewReason: null }),
    );
    expect(await stalled()).toEqual(["resolve-ambiguous"]);
  });
});
