/** Long because ordering again is gone through for each state that a test, or one of its parts, can be in. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BOTH_PARTS, CARD, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { CREATE_TIMEOUT_MS, QUARANTINE_MS } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { startRequest } from "../../../test/database/request.ts";
import {
  mapVariant,
  ONE_TEST,
  orderLine,
  PATIENT,
  storeOrder,
} from "../../../test/database/seed.ts";
import { listCustomerRequests } from "../access/list-requests.ts";
import { gid } from "../kernel/ids.ts";
import { planUnits } from "../orders/orders/plan-units.ts";
import { cancelRequest } from "./cancel-request.ts";
import { cancelUnit } from "./cancel-unit.ts";
import type { OrderedItems } from "./referral-service.ts";
import { refetchReferral } from "./referrals/refetch-referral.ts";
import { reorderRequest } from "./reorder-request.ts";
import { retryRequest } from "./retry-request.ts";
import { REFERRAL_STATUSES } from "./snapshots.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;
type Started = Awaited<ReturnType<typeof startCreated>>;

async function reordered(created: Pick<Started, "reorder">): Promise<string> {
  const outcome = await created.reorder();
  if (outcome.kind !== "reordered") throw new Error(outcome.kind);
  return outcome.requestId;
}
const generations = ({ shop }: Pick<Started, "shop">) =>
  db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(gid("Order", 1001)));

describe("ordering again", () => {
  test("asks for the details anew when the service could not go on without more of them", async () => {
    const created = await startCreated(db);
    await created.become({ status: "INSUFFICIENT_DATA" });
    const next = await reordered(created);
    expect(await created.find(next)).toMatchObject({
      state: "awaiting_details",
      hasPatient: false,
    });
    expect(await created.takeJobs()).not.toContain("create-referral");
  });

  test.each(["BILLING_FAILED", "FAILED_TEST", "REFUNDED"])(
    "after %s opens the next generation, with the patient's details and a number of its own",
    async (status) => {
      const created = await startCreated(db);
      await created.become({ status });
      expect(await created.find()).toMatchObject({
        reviewReason: { code: "referral", detail: status },
      });
      const next = await reordered(created);
      const [first, second] = await generations(created);
      expect(first).toMatchObject({ replacedBy: next, reviewReason: null, state: "created" });
      expect(second).toMatchObject({ id: next, generation: 2, unit: 1, state: "ready" });
      expect(second?.referenceNumber).not.toBe(first?.referenceNumber);
      expect(await created.create(next)).toMatchObject({ kind: "created" });
      const [, again] = created.service.calls;
      expect(again).toMatchObject({
        firstName: PATIENT.firstName,
        referenceNumber: second?.referenceNumber,
        metadata: { requestId: next, generation: 2 },
      });
      expect(await created.find(next)).toMatchObject({ state: "created", reviewReason: null });
    },
  );

  test("can be asked for twenty times at once, and makes one", async () => {
    const created = await startCreated(db);
    await created.become({ status: "BILLING_FAILED" });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => created.reorder()));
    expect(new Set(outcomes.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await generations(created)).toHaveLength(2);
    expect((await created.takeJobs()).filter((name) => name === "create-referral")).toHaveLength(1);
  });

  test("seals the details for their new place", async () => {
    const created = await startCreated(db);
    await created.become({ status: "BILLING_FAILED" });
    const next = await reordered(created);
    const { rows } = await db.pool.query<{ sealed: Buffer }>(
      "SELECT patient_sealed AS sealed FROM referral_requests WHERE shop = $1 ORDER BY generation",
      [created.shop],
    );
    expect(rows[0]?.sealed.equals(rows[1]?.sealed ?? Buffer.alloc(0))).toBe(false);
    const patient = await db.tenancy.inShop(created.shop, (t) => t.requests.patientOf(next));
    expect(patient?.patient).toEqual(PATIENT);
  });

  const fine = REFERRAL_STATUSES.filter(
    (one) => !["BILLING_FAILED", "FAILED_TEST", "INSUFFICIENT_DATA", "REFUNDED"].includes(one),
  );
  test.each([...fine, "SOMETHING_NEW"])("is not offered for %s", async (status) => {
    const created = await startCreated(db);
    await created.become({ status });
    expect(await created.reorder()).toEqual({ kind: "not_reorderable" });
  });

  test.each(["awaiting_details", "ready", "held", "sending", "ambiguous"] as const)(
    "never while the one before is %s",
    async (state) => {
      const { shop, requestId, target, ports } = await startRequest(db);
      await db.tenancy.inShop(shop, (t) => putRequest(t, requestId, { state }));
      const outcome = await reorderRequest(ports, { ...target, actor });
      expect(outcome).toEqual({ kind: "not_reorderable" });
    },
  );

  test("orders again what staff cancelled, and not what the store took back", async () => {
    const created = await startCreated(db);
    const wish = { by: "store", actor: "shopify", now: created.clock.now() } as const;
    await cancelRequest(created.ports, { ...created.target, actor });
    expect(await created.reorder()).toEqual({ kind: "not_reorderable" });
    await created.withdraw();
    const request = await created.find();
    if (!request) throw new Error("it is gone");
    await db.tenancy.inShop(created.shop, (tenant) => cancelUnit(tenant, request, wish));
    expect(await created.reorder()).toEqual({ kind: "not_bought" });
  });

  describe("a test of which nothing was made", () => {
    /** Staff cancel a test before it is sent, and its product means something else by then. */
    async function remapped(items: OrderedItems) {
      const started = await startRequest(db);
      const { shop, ports, target } = started;
      await db.tenancy.inShop(shop, async (tenant) => {
        const lines = new Map([[orderLine().id, "mapped" as const]]);
        await tenant.orders.record(storeOrder(), lines, ports.clock.now());
      });
      expect(await cancelRequest(ports, { ...target, actor })).toMatchObject({ kind: "cancelled" });
      await mapVariant(db, shop, gid("ProductVariant", 1), { items });
      const outcome = await reorderRequest(ports, { ...target, actor });
      if (outcome.kind !== "reordered") throw new Error(outcome.kind);
      return (await generations({ shop })).find(({ id }) => id === outcome.requestId);
    }

    test("is ordered as what its product means by now: the mapping may have been why it was cancelled", async () => {
      const items = { ...ONE_TEST, tests: ["tsh"] };
      expect(await remapped(items)).toMatchObject({ items, state: "ready" });
    });

    test("waits for the card that its product asks for by now", async () => {
      const practitioner = { name: "Dr Raman", address: "1 High St", providerNumber: "2426621B" };
      const items = { ...ONE_TEST, medicareTests: ["fbc"], practitioner };
      expect(await remapped(items)).toMatchObject({
        ...{ items, state: "awaiting_details", hasPatient: false },
      });
    });
  });

  test("of a Medicare order only the referral that failed", async () => {
    const created = await startCreated(db, { items: BOTH_PARTS });
    const [commercial, medicare] = (await created.referrals()).toSorted(
      (a, b) => Number(a.medicare) - Number(b.medicare),
    );
    created.service.set(commercial?.uuid ?? "", { status: "BILLING_FAILED" });
    created.service.set(medicare?.uuid ?? "", { status: "ISSUED" });
    await created.refetch();
    expect((await created.find())?.reviewReason).toEqual({
      code: "referral",
      detail: "BILLING_FAILED",
    });
    const next = await reordered(created);
    await created.create(next);
    const again = created.service.calls[1];
    expect(again).toHaveProperty("tests");
    expect(again).not.toHaveProperty("medicareTests");
    expect((await created.find())?.reviewReason).toBeNull();
    const patient = await db.tenancy.inShop(created.shop, (t) => t.requests.patientOf(next));
    expect(patient?.medicare).toEqual(CARD);
    // Both are shown: one has the Medicare form, the other gets the new one.
    const shown = await listCustomerRequests(
      { tenancy: db.tenancy },
      { shop: created.shop, viewer: { kind: "customer", customerId: gid("Customer", 7) } },
    );
    expect(shown).toHaveLength(2);
  });

  describe("the other part of a Medicare order, which fails after that", () => {
    const FAILURES = [{ status: "FAILED_TEST" }, { deletedAt: "2026-05-01T00:00:00.000Z" }];

    /** Its Medicare form was ordered again, and now the commercial referral is lost as well. */
    async function startLeftOver(fields: Record<string, unknown> = { status: "FAILED_TEST" }) {
      const created = await startCreated(db, { items: BOTH_PARTS });
      const of = (medicare: boolean) =>
        String(created.service.referrals.find((one) => one.medicare === medicare)?.uuid);
      const [commercial, medicare] = [of(false), of(true)];
      created.service.set(commercial, { status: "ISSUED" });
      created.service.set(medicare, { status: "FAILED_TEST" });
      await created.refetch();
      const second = await reordered(created);
      await created.create(second);
      created.service.set(commercial, fields);
      await created.refetch();
      return { ...created, second, commercial };
    }

    test.each(FAILURES)("is ordered again as well, once and alone (%j)", async (fields) => {
      const created = await startLeftOver(fields);
      expect((await created.find())?.stage).toBe("attention");
      const outcomes = await Promise.all(Array.from({ length: 10 }, () => created.reorder()));
      expect(outcomes.every(({ kind }) => kind === "reordered")).toBe(true);
      const [first, second, third, ...more] = await generations(created);
      expect(more).toEqual([]);
      expect(first).toMatchObject({ replacedBy: created.second, reviewReason: null });
      expect(second).toMatchObject({ id: created.second, replacedBy: null });
      expect(third).toMatchObject({ generation: 3, state: "ready" });
      await created.create(third?.id);
      const [, , last, ...others] = created.service.calls;
      expect(others).toEqual([]);
      expect(last).toHaveProperty("tests");
      expect(last).not.toHaveProperty("medicareTests");
      expect(last?.referenceNumber).toBe(third?.referenceNumber);
      expect((await created.find())?.stage).toBe("cancelled");
    });

    test("leaves the part that was ordered again to be ordered again in its turn", async () => {
      const created = await startLeftOver();
      const third = await reordered(created);
      await created.create(third);
      const { service, second } = created;
      const again = service.referrals.find(
        (one) => one.referenceNumber === service.calls[1]?.referenceNumber,
      );
      service.set(String(again?.uuid), { status: "BILLING_FAILED" });
      await created.refetch();
      expect(await created.reorder(second)).toMatchObject({ kind: "reordered" });
      expect((await generations(created)).map(({ generation }) => generation)).toEqual([
        1, 2, 3, 4,
      ]);
      for (const id of [created.requestId, second, third])
        expect(await created.reorder(id)).toEqual(
          id === third
            ? { kind: "not_reorderable" }
            : expect.objectContaining({ kind: "reordered" }),
        );
      expect(await generations(created)).toHaveLength(4);
    });

    test("is not ordered twice when a later referral of its part turns up and fails", async () => {
      const created = await startLeftOver();
      await created.create(await reordered(created));
      const old = created.service.referrals.find(({ uuid }) => uuid === created.commercial);
      const at = new Date(created.clock.now().getTime() + 1000).toISOString();
      created.service.referrals.unshift({
        ...{ ...old, uuid: randomUUID(), createdAt: at, updatedAt: at },
      });
      await created.refetch();
      await created.reorder();
      expect(await generations(created)).toHaveLength(3);
    });

    test("is told of while nobody has ordered it again", async () => {
      const created = await startLeftOver(FAILURES[1]);
      const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
      const { shop } = created;
      const shown = await listCustomerRequests({ tenancy: db.tenancy }, { shop, viewer });
      const own = shown.find(({ id }) => id === created.requestId);
      expect(own).toMatchObject({ state: "needs_support" });
      expect(own?.nextStep).toMatch(/throw it away/);
      await reordered(created);
      const after = await listCustomerRequests({ tenancy: db.tenancy }, { shop, viewer });
      expect(after.map(({ id }) => id)).not.toContain(created.requestId);
    });
  });

  test("of each part one referral counts, whatever is lost and ordered again in whatever sequence", async () => {
    const losses = fc.record({
      kind: fc.constant("lose" as const),
      medicare: fc.boolean(),
      isDeleted: fc.boolean(),
    });
    const wishes = fc.record({ kind: fc.constant("reorder" as const), which: fc.nat(5) });
    const steps = fc.array(fc.oneof(losses, wishes), { minLength: 4, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const created = await startCreated(db, { items: BOTH_PARTS });
        const { service, clock } = created;
        const counting = (medicare: boolean) =>
          service.referrals.filter(
            (one) => one.medicare === medicare && !one.deletedAt && one.status !== "FAILED_TEST",
          );
        for (const step of all) {
          const requests = await generations(created);
          if (step.kind === "reorder") {
            await created.reorder(requests[step.which % requests.length]?.id);
            for (const { id } of await generations(created)) await created.create(id);
          } else {
            const [one] = counting(step.medicare);
            const lost = step.isDeleted
              ? { deletedAt: clock.now().toISOString() }
              : { status: "FAILED_TEST" };
            if (one) service.set(String(one.uuid), lost);
          }
          await created.refetch();
          for (const medicare of [true, false])
            expect(counting(medicare).length).toBeLessThanOrEqual(1);
        }
        // Nothing is lost for good: whatever is missing can be ordered again by somebody.
        for (const { id } of await generations(created)) await created.reorder(id);
        for (const { id } of await generations(created)) await created.create(id);
        for (const medicare of [true, false]) expect(counting(medicare)).toHaveLength(1);
      }),
      { numRuns: 8 },
    );
  }, 120_000);

  test("of a Medicare order the part that never was stays in the list", async () => {
    const created = await startCreated(db, { items: BOTH_PARTS, behaviour: "create_half" });
    await created.resolve();
    created.clock.advance(CREATE_TIMEOUT_MS + QUARANTINE_MS);
    await created.resolve();
    created.service.next("reject");
    await created.create();
    expect((await created.find())?.reviewReason?.code).toBe("half_rejected");
    await created.become({ status: "FAILED_TEST" });
    await reordered(created);
    expect(await created.find()).toMatchObject({
      stage: "attention",
      reviewReason: { code: "half_rejected" },
    });
    await retryRequest(created.ports, { ...created.target, actor });
    await created.create();
    expect(created.service.calls.at(-1)).toHaveProperty("medicareTests");
    expect(created.service.calls.at(-1)).not.toHaveProperty("tests");
  });

  test("hides the replaced one from the shopper", async () => {
    const created = await startCreated(db);
    await created.become({ status: "FAILED_TEST" });
    const next = await reordered(created);
    const shown = await listCustomerRequests(
      { tenancy: db.tenancy },
      { shop: created.shop, viewer: { kind: "customer", customerId: gid("Customer", 7) } },
    );
    expect(shown.map(({ id }) => id)).toEqual([next]);
  });

  test("keeps the count of units: nothing is opened or given up for it", async () => {
    const created = await startCreated(db);
    await created.become({ status: "BILLING_FAILED" });
    await reordered(created);
    const plan = planUnits(await generations(created), 1);
    const nothing = { open: [], cancel: [], cancelSent: [], settle: [], wanted: [] };
    expect(plan).toEqual({ ...nothing, setAside: 0 });
  });

  test("a refund afterwards gives up both generations", async () => {
    const created = await startCreated(db);
    await created.become({ status: "BILLING_FAILED" });
    const next = await reordered(created);
    const plan = planUnits(await generations(created), 0);
    expect(plan.cancel.map(({ id }) => id)).toEqual([next]);
    expect(plan.cancelSent.map(({ id }) => id)).toEqual([created.requestId]);
  });
});

describe("a referral that the service itself makes under our number", () => {
  async function made(status: string, metadataOnly = false) {
    const created = await startCreated(db);
    await created.become({ status });
    const [old] = created.service.referrals;
    const at = new Date(created.clock.now().getTime() + 1000).toISOString();
    const uuid = randomUUID();
    const named = metadataOnly ? { referenceNumber: null } : { metadata: null };
    created.service.referrals.unshift({
      ...old,
      uuid,
      status: "ISSUED",
      createdAt: at,
      updatedAt: at,
      ...named,
    });
    const target = { shop: created.shop, environment: "staging", uuid } as const;
    await refetchReferral(created.ports, target);
    return { ...created, uuid };
  }

  test.each([false, true])(
    "is linked to the one that failed (by metadata: %s)",
    async (metadata) => {
      const { find, referrals, uuid } = await made("FAILED_TEST", metadata);
      expect((await find())?.reviewReason).toBeNull();
      const links = (await referrals()).map((one) => [one.status, one.replacedBy]);
      expect(links).toEqual([
        ["FAILED_TEST", uuid],
        ["ISSUED", null],
      ]);
    },
  );

  test("is one too many when the first is good", async () => {
    const { find } = await made("ISSUED");
    expect((await find())?.reviewReason).toEqual({ code: "duplicate_referral", detail: null });
  });
});
