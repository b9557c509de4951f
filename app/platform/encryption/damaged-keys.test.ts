/** One damaged key of one shop: what it holds up, and who is told. */
import { beforeEach, expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { installedShop, readyRequest } from "../../../test/database/seed.ts";
import { keptLog } from "../../../test/samples/kept-log.ts";
import { redact } from "../../modules/privacy/privacy/redact.ts";
import { SEALED_COLUMNS } from "../../sealed-columns.ts";
import { createTenancy } from "../../tenancy.ts";
import { loopFailures } from "../counters.ts";
import type { ShopDomain } from "../shop-domain.ts";
import { createEpochs } from "./epochs.ts";
import { maintainKeys } from "./maintain-keys.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { createSealers } from "./sealers.ts";

const db = await openTestDatabase();
let shop: ShopDomain;
let [sound, hurt, gone] = ["", "", ""];
let log: ReturnType<typeof keptLog>;
beforeEach(async () => {
  shop = await installedShop(db);
  sound = await readyRequest(db, shop);
  hurt = await readyRequest(db, shop, { orderNumber: 2 });
  gone = await readyRequest(db, shop, { orderNumber: 3 });
  log = keptLog("error");
});

const ports = () => ({
  ...{ pool: db.pool, sealers: db.sealers, columns: SEALED_COLUMNS, retiredForMs: 0 },
  logger: log.logger,
});
const maintain = async () => {
  for (let turn = 0; turn < 4; turn++) await maintainKeys(ports());
};
const erase = (id: string) =>
  db.tenancy.inShop(shop, (tenant) =>
    redact(tenant, { requestIds: [id], orderIds: [] }, new Date()),
  );
/** Another process, which remembers no key. */
function names(ids: string[]) {
  const sealers = createSealers(
    db.pool,
    db.masterKeys,
    createEpochs(db.epochs.store, db.masterKeys),
  );
  const tenancy = createTenancy({ database: db, sealers, onJobs: () => {} });
  return tenancy.inShop(shop, async (tenant) =>
    [...(await tenant.requests.patientsOf(ids))].map(([id]) => id).toSorted(),
  );
}
/** Turns one bit of a request's key, and back when called again. */
const turnABit = (id: string) =>
  db.pool.query(
    `UPDATE data_keys SET wrapped_key = set_bit(wrapped_key, 200, 1 - get_bit(wrapped_key, 200))
     WHERE shop = $1 AND subject = $2`,
    [shop, `request ${id}`],
  );
const counted = (code: string) =>
  loopFailures
    .values()
    .filter(({ labels }) => labels.loop === "keys" && labels.code === code)
    .reduce((sum, { value }) => sum + value, 0);

test("keeps nobody from the others on a page, and is counted", async () => {
  const before = counted("key_damaged");
  await turnABit(hurt);
  expect(await names([sound, hurt])).toEqual([sound]);
  expect(counted("key_damaged")).toBeGreaterThan(before);
  db.sealers.forget(shop);
  await expect(
    db.tenancy.inShop(shop, (tenant) => tenant.requests.patientOf(hurt)),
  ).rejects.toMatchObject({ code: "key_damaged" });
});

test("is named by the care of keys, which goes on, and its epoch ends once it is back", async () => {
  await turnABit(hurt);
  const before = counted("key_damaged");
  await erase(gone);
  // A process is not unready for it.
  await maintain();
  expect(counted("key_damaged")).toBeGreaterThan(before);
  expect(log.lines).toContainEqual(
    expect.objectContaining({ shop, subjects: [`request ${hurt}`] }),
  );
  expect(await names([sound, hurt])).toEqual([sound]);
  // The epoch that wrapped it is still there, so that a backup's row opens.
  expect(await db.epochs.list(shop)).toHaveLength(2);
  await turnABit(hurt);
  await maintain();
  expect(await db.epochs.list(shop)).toHaveLength(1);
  expect(await names([sound, hurt])).toEqual([sound, hurt].toSorted());
});

test("is passed over by a rotation, whose report counts it", async () => {
  await turnABit(hurt);
  await rotateKeys(ports(), shop, "patients");
  await maintain();
  const { rows } = await db.pool.query(
    "SELECT finished_at IS NOT NULL AS done, unreadable::int FROM resealings WHERE shop = $1",
    [shop],
  );
  expect(rows).toEqual([{ done: true, unreadable: expect.any(Number) }]);
  expect(rows[0].unreadable).toBeGreaterThan(0);
  const { rows: current } = await db.pool.query(
    "SELECT max(version) AS version FROM data_keys WHERE shop = $1 AND subject = $2",
    [shop, `request ${sound}`],
  );
  expect(current[0].version).toBe(2);
  expect(await names([sound])).toEqual([sound]);
});

test.each([
  ["its last byte", -1],
  ["the byte that tells its format", 0],
  ["its key's version", 4],
])("a rotation passes over a value that is damaged in %s, and counts it", async (_, at) => {
  await db.pool.query(
    `UPDATE referral_requests SET patient_sealed = set_byte(patient_sealed, at, get_byte(patient_sealed, at) # 4)
     FROM (SELECT id AS of, ($2::int + length(patient_sealed)) % length(patient_sealed) AS at FROM referral_requests) t
     WHERE of = id AND id = $1`,
    [hurt, at],
  );
  await rotateKeys(ports(), shop, "patients");
  await maintain();
  const { rows } = await db.pool.query(
    "SELECT finished_at IS NOT NULL AS done, unreadable::int FROM resealings WHERE shop = $1",
    [shop],
  );
  expect(rows).toEqual([{ done: true, unreadable: 1 }]);
  expect(await names([sound])).toEqual([sound]);
});
