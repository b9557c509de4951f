import { expect, test } from "vitest";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { installedShop, readyRequest } from "../../../../test/database/seed.ts";
import { referralSnapshot } from "../../../../test/database/snapshots.ts";
import { systemClock } from "../../../platform/clock.ts";
import { gid } from "../../kernel/ids.ts";
import type { CreateOutcome } from "../../referrals/referral-service.ts";
import { recordOutcome } from "../../referrals/requests/record-outcome.ts";
import { describeSettingChange } from "../../reports/change-words.ts";
import {
  clearPractitionerFault,
  readPractitioners,
  removePractitioner,
  savePractitioner,
} from "../keep-practitioners.ts";

const db = await openTestDatabase();
const { tenancy } = db;
const ports = { tenancy, clock: systemClock };
const DOCTOR = {
  name: "Dr Raman",
  address: "12 Collins St",
  providerNumber: "2426621B",
  label: "Carlton",
};
const STAFF = "staff:3" as const;
const ITEMS = { bundleId: null, tests: [], medicareTests: ["fbc"], practitioner: DOCTOR };

test("a practitioner is added once, with a number whose check character is right", async () => {
  const shop = await installedShop(db);
  const add = (practitioner = DOCTOR) =>
    savePractitioner(ports, { shop, practitioner, isNew: true, actor: STAFF });
  expect(await add({ ...DOCTOR, providerNumber: "2426621A" })).toEqual({
    kind: "malformed_number",
  });
  expect(await add()).toEqual({ kind: "saved" });
  expect(await add()).toEqual({ kind: "taken" });
  const moved = { ...DOCTOR, address: "1 New St" };
  await savePractitioner(ports, { shop, practitioner: moved, isNew: false, actor: STAFF });
  expect(await readPractitioners(ports, shop)).toMatchObject([{ ...moved, uses: [], fault: null }]);
});

test("keeps a practitioner whom a mapping needs, and changes the mapping with the practitioner", async () => {
  const shop = await installedShop(db);
  const variantId = gid("ProductVariant", 1);
  const mapping = { environment: "staging", variantId, productId: gid("Product", 1) } as const;
  await tenancy.inShop(shop, (tenant) =>
    tenant.mappings.save({ ...mapping, kind: "order", items: ITEMS }),
  );
  const which = { shop, providerNumber: DOCTOR.providerNumber, actor: STAFF };
  expect(await removePractitioner(ports, which)).toMatchObject({
    kind: "in_use",
    uses: [{ variantId }],
  });
  await savePractitioner(ports, {
    shop,
    practitioner: { ...DOCTOR, name: "Dr P. Raman" },
    isNew: false,
    actor: STAFF,
  });
  await tenancy.inShop(shop, async (tenant) => {
    const found = (await tenant.mappings.forVariants("staging", [variantId])).get(variantId);
    expect(found).toMatchObject({ items: { practitioner: { name: "Dr P. Raman" } } });
    await tenant.mappings.remove(mapping);
  });
  expect(await removePractitioner(ports, which)).toEqual({ kind: "removed" });
  expect(await readPractitioners(ports, shop)).toEqual([]);
});

test("writes down who added, changed and removed a practitioner, and not what changed nothing", async () => {
  const shop = await installedShop(db);
  const { providerNumber } = DOCTOR;
  const save = (practitioner: typeof DOCTOR, isNew: boolean) =>
    savePractitioner(ports, { shop, practitioner, isNew, actor: STAFF });
  await save(DOCTOR, true);
  await save(DOCTOR, true);
  await save(DOCTOR, false);
  await save({ ...DOCTOR, address: "1 New St" }, false);
  for (const _ of [1, 2]) await removePractitioner(ports, { shop, providerNumber, actor: STAFF });
  const log = await tenancy.inShop(shop, (tenant) => tenant.accessLog.ofShop(10));
  expect(log.map(({ who, actor, what, detail }) => ({ who, actor, what, ...detail }))).toEqual(
    ["removed", "changed", "added"].map((deed) => ({
      ...{ who: "staff", actor: STAFF, what: "practitioners_changed", deed, providerNumber },
    })),
  );
  expect(log.map(describeSettingChange)).toEqual([
    `A member of staff removed the practitioner ${providerNumber}`,
    `A member of staff changed the practitioner ${providerNumber}`,
    `A member of staff added the practitioner ${providerNumber}`,
  ]);
});

/** A practitioner whom an order names, and answers of the service to it. */
async function ordered() {
  const shop = await installedShop(db);
  await savePractitioner(ports, { shop, practitioner: DOCTOR, isNew: true, actor: STAFF });
  const id = await readyRequest(db, shop, { items: ITEMS });
  const faults = async () => (await readPractitioners(ports, shop)).map((one) => one.fault);
  const answered = (outcome: CreateOutcome) =>
    tenancy.inShop(shop, async (tenant) => {
      const request = await tenant.requests.find(id);
      if (!request) throw new Error("no request");
      await recordOutcome(tenant, request, outcome, new Date());
    });
  return { shop, faults, answered };
}
const REFUSED: CreateOutcome = {
  kind: "rejected",
  code: "MISSING_PROVIDER_SIGNATURE",
  status: 400,
  message: "",
  errorList: [],
};

test("ends the service's refusal of a number by a Medicare referral alone", async () => {
  const { faults, answered } = await ordered();
  await answered(REFUSED);
  const created = (medicare: boolean) =>
    answered({ kind: "created", referrals: [referralSnapshot({ medicare })] });
  await created(false);
  expect(await faults()).toEqual(["MISSING_PROVIDER_SIGNATURE"]);
  await created(true);
  expect(await faults()).toEqual([null]);
});

test("keeps the service's refusal with the practitioner until it is put right", async () => {
  const { shop, faults, answered } = await ordered();
  await answered(REFUSED);
  expect(await faults()).toEqual(["MISSING_PROVIDER_SIGNATURE"]);
  await clearPractitionerFault(ports, {
    shop,
    providerNumber: DOCTOR.providerNumber,
    actor: "staff:1",
  });
  expect(await faults()).toEqual([null]);
});

test("another shop's practitioners are another shop's", async () => {
  const [mine, other] = [await installedShop(db), await installedShop(db)];
  await savePractitioner(ports, { shop: mine, practitioner: DOCTOR, isNew: true, actor: STAFF });
  expect(await readPractitioners(ports, other)).toEqual([]);
  expect(
    await savePractitioner(ports, { shop: other, practitioner: DOCTOR, isNew: true, actor: STAFF }),
  ).toEqual({ kind: "saved" });
});
