import { expect, test } from "vitest";
import { BOTH_PARTS, CARD, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { PATIENT } from "../../../../test/database/seed.ts";
import { savePatientDetails } from "../../access/save-patient-details.ts";
import { gid } from "../../kernel/ids.ts";
import { planUnits } from "../../orders/orders/plan-units.ts";
import type { ShopSettings } from "../../shops/shop.ts";
import { cancelRequest } from "../cancel-request.ts";
import { cancelUnit } from "../cancel-unit.ts";

const db = await openTestDatabase();
const actor = "staff:7" as const;
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;

/** A test of two parts, of which one was lost in this way and ordered again by itself. */
async function start(
  lost: Record<string, unknown> = { status: "FAILED_TEST" },
  part: "commercial" | "medicare" = "medicare",
  settings: Partial<ShopSettings> = {},
) {
  const created = await startCreated(db, { items: BOTH_PARTS, settings });
  const { service, shop } = created;
  const isLost = (one: { medicare?: unknown }) => one.medicare === (part === "medicare");
  const lose = (fields: Record<string, unknown>, which: boolean) => {
    for (const one of created.service.referrals.filter((each) => isLost(each) === which))
      service.set(String(one.uuid), fields);
    return created.refetch();
  };
  await lose({ status: "ISSUED" }, false);
  await lose(lost, true);
  const again = async () => {
    const outcome = await created.reorder();
    if (outcome.kind !== "reordered") throw new Error(outcome.kind);
    return outcome.requestId;
  };
  return {
    ...created,
    again,
    second: await again(),
    loseOther: () => lose({ status: "FAILED_TEST" }, false),
    generations: () =>
      db.tenancy.inShop(shop, (tenant) => tenant.requests.forOrder(gid("Order", 1001))),
    patientOf: (id: string) => db.tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(id)),
  };
}

test("a part that staff cancelled after the other one was ordered again is ordered again as well", async () => {
  const created = await start();
  await created.create(created.second);
  const { ports, target, service } = created;
  await cancelRequest(ports, { ...target, actor });
  await created.withdraw();
  expect(await created.find()).toMatchObject({ state: "cancelled" });
  const third = await created.again();
  expect(third).not.toBe(created.second);
  expect(await created.again()).toBe(created.second);
  expect(await created.generations()).toHaveLength(3);
  await created.create(third);
  expect(service.calls.at(-1)).toHaveProperty("tests");
  expect(service.calls.at(-1)).not.toHaveProperty("medicareTests");
});

test("a part is ordered again with the details that its unit was given last", async () => {
  const created = await start({ status: "INSUFFICIENT_DATA" });
  const { ports, shop, second } = created;
  expect(await created.find(second)).toMatchObject({ state: "awaiting_details" });
  const details = { ...PATIENT, lastName: "Citizen-Smith", ...CARD, consent: true };
  await savePatientDetails(ports, { shop, viewer, requestId: second, details });
  expect(await created.create(second)).toMatchObject({ kind: "created" });
  await created.loseOther();
  const third = await created.again();
  expect(await created.patientOf(third)).toMatchObject({ patient: { lastName: "Citizen-Smith" } });
});

test("a Medicare part asks for the card that the details given last came without", async () => {
  const created = await start({ status: "INSUFFICIENT_DATA" }, "commercial");
  const { ports, shop, second } = created;
  const details = { ...PATIENT, lastName: "Citizen-Smith", consent: true };
  await savePatientDetails(ports, { shop, viewer, requestId: second, details });
  expect(await created.create(second)).toMatchObject({ kind: "created" });
  await created.loseOther();
  const third = await created.again();
  expect(await created.find(third)).toMatchObject({ state: "awaiting_details", generation: 3 });
  await savePatientDetails(ports, {
    shop,
    viewer,
    requestId: third,
    details: { ...details, ...CARD },
  });
  expect(await created.create(third)).toMatchObject({ kind: "created" });
  expect(created.service.calls.at(-1)).toMatchObject({
    medicareCardNumber: CARD.medicareCardNumber,
  });
});

test("a part is ordered again for whoever holds its unit by now", async () => {
  const created = await start();
  const { shop, clock, second } = created;
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.requests.recordInvitation(second, "pat@example.com", clock.now());
    await tenant.requests.claim(second, clock.now());
  });
  await created.loseOther();
  const third = await created.again();
  expect(await created.find(third)).toMatchObject({ owner: "patient", hasPatient: false });
});

test("nobody is asked about a refunded referral in whose place another one was ordered", async () => {
  const created = await startCreated(db, { settings: { refundPolicy: "ask" } });
  await created.become({ status: "FAILED_TEST" });
  await created.reorder();
  const wish = { by: "store", actor: "shopify", now: created.clock.now() } as const;
  const { shop, requestId: id } = created;
  const outcome = await db.tenancy.inShop(shop, (tenant) => cancelUnit(tenant, { id }, wish));
  expect(outcome).toBe("deleting");
  await created.withdraw();
  expect(await created.find()).toMatchObject({ state: "cancelled", reason: null });
});

test.each(["automatic", "ask"] as const)(
  "a refund reaches each part that counts, in whatever generation it is (%s)",
  async (refundPolicy) => {
    const created = await start({ status: "FAILED_TEST" }, "medicare", { refundPolicy });
    const { shop, ports, second, service, clock } = created;
    await created.create(second);
    const wish = { by: "store", actor: "shopify", now: clock.now() } as const;
    const ids = [created.requestId, second];
    const plan = planUnits(await created.generations(), 0);
    expect(plan.cancelSent.map(({ id }) => id)).toEqual(ids);
    await db.tenancy.inShop(shop, async (tenant) => {
      for (const request of plan.cancelSent) await cancelUnit(tenant, request, wish);
    });
    for (const requestId of ids) {
      if (refundPolicy === "ask") {
        const reason = { code: "refunded_after_sending", detail: null };
        expect(await created.find(requestId)).toMatchObject({ reason });
        await cancelRequest(ports, { shop, requestId, actor });
      }
      await created.withdraw(requestId);
      expect(await created.find(requestId)).toMatchObject({ state: "cancelled", reason: null });
    }
    expect(service.referrals.every(({ deletedAt }) => deletedAt)).toBe(true);
  },
);
