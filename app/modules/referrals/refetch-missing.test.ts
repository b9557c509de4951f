import { expect, test } from "vitest";
import { startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { resultSnapshot } from "../../../test/database/snapshots.ts";
import { installShop } from "../lifecycle/install-shop.ts";
import { maintainShop } from "../lifecycle/maintain-shop.ts";
import { refetchReferral } from "./referrals/refetch-referral.ts";
import { refetchResult } from "./results/refetch-result.ts";

const db = await openTestDatabase();
const PDF = Buffer.from("%PDF-1.7 a form");

/** A referral that was issued while the app was taken off: nobody could be asked, and its form was never fetched. */
async function start() {
  const created = await startCreated(db);
  const { shop, ports, clock, requestId } = created;
  const [uuid = ""] = created.uuids();
  await created.become({ status: "ISSUED" });
  const target = { shop, environment: "staging", uuid } as const;
  const away = { ...ports, services: { forConnection: async () => null } };
  expect(await refetchReferral(away, target)).toEqual({ kind: "no_connection" });
  await created.takeJobs();
  return {
    ...created,
    uuid,
    comeBack: async () => {
      clock.advance(1000);
      await db.tenancy.inShop(shop, (tenant) => tenant.shops.uninstall(clock.now()));
      clock.advance(1000);
      await installShop(ports, { shop, scope: "" });
    },
    tend: () => maintainShop({ ...ports, maintenanceIntervalMs: 3_600_000 }, { shop }),
    async refetch() {
      created.service.set(uuid, { referralAttachment: "https://service.example/form.pdf" });
      const attachments = { download: async () => ({ kind: "pdf" as const, bytes: PDF }) };
      return refetchReferral({ ...ports, attachments }, target);
    },
    set: (change: string) =>
      db.pool.query(`UPDATE referral_requests SET ${change} WHERE id = $1`, [requestId]),
  };
}

test.each(["comeBack", "tend"] as const)(
  "a form that nobody could be asked for is asked for again: %s",
  async (occasion) => {
    const one = await start();
    await one[occasion]();
    expect(await one.takeJobs()).toContain("refetch-referral");
    expect(await one.refetch()).toMatchObject({ kind: "stored", document: true });
    await one.takeJobs();
    await one[occasion]();
    expect(await one.takeJobs()).not.toContain("refetch-referral");
  },
);

test("a PDF that was taken away is asked for again, however long ago its unit was bought", async () => {
  const one = await start();
  await one.refetch();
  await one.takeJobs();
  await one.set("created_at = now() - interval '200 days'");
  await one.tend();
  expect(await one.takeJobs()).not.toContain("refetch-referral");
  await db.pool.query("UPDATE documents SET replaced_at = now() WHERE shop = $1", [one.shop]);
  await one.comeBack();
  expect(await one.takeJobs()).toContain("refetch-referral");
});

test.each([
  "cancellation_requested_by = 'store', cancellation_status = 'requested'",
  "redacted_at = now()",
  "created_at = now() - interval '31 days'",
])("nothing is asked for when %s", async (change) => {
  const one = await start();
  await one.set(change);
  await one.tend();
  expect(await one.takeJobs()).not.toContain("refetch-referral");
});

/** A referral that went on without its form: it was recorded, and the app taken off before the PDF came. */
async function goneOn(status: string) {
  const one = await start();
  await one.become({ status });
  await one.takeJobs();
  return one;
}

test("a form that the referral has outlived is asked for once a day, and at once when the app comes back", async () => {
  const one = await goneOn("COMPLETE");
  await one.tend();
  expect(await one.takeJobs()).not.toContain("refetch-referral");
  one.clock.advance(25 * 3_600_000);
  await one.tend();
  expect(await one.takeJobs()).toContain("refetch-referral");
  const other = await goneOn("COMPLETE");
  await other.comeBack();
  expect(await other.takeJobs()).toContain("refetch-referral");
  expect(await other.refetch()).toMatchObject({ kind: "stored", document: true });
});

test.each(["CREATED", "SCHEDULED_REISSUE"])(
  "a form that is not made yet is not asked for: %s",
  async (status) => {
    const one = await goneOn(status);
    await one.comeBack();
    expect(await one.takeJobs()).not.toContain("refetch-referral");
  },
);

/** A result that came without a PDF. */
async function withResult() {
  const one = await start();
  const { shop, ports, uuid } = one;
  await one.refetch();
  const snapshot = resultSnapshot({ referralUuid: uuid, resultAttachment: null });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => snapshot }) };
  const target = { shop, environment: "staging", uuid: snapshot.uuid } as const;
  await refetchResult({ ...ports, services }, target);
  await one.takeJobs();
  return one;
}

test("a result without a PDF is asked for once a day, and at once when the app comes back", async () => {
  const one = await withResult();
  await one.tend();
  expect(await one.takeJobs()).not.toContain("refetch-result");
  one.clock.advance(25 * 3_600_000);
  await one.tend();
  expect(await one.takeJobs()).toContain("refetch-result");
  const other = await withResult();
  await other.comeBack();
  expect(await other.takeJobs()).toContain("refetch-result");
});
