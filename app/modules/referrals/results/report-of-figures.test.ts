import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import { gid } from "../../kernel/ids.ts";
import { maintainShop } from "../../lifecycle/maintain-shop.ts";
import { LOOKS_MS } from "../documents/awaited-document.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();
const REPORT_URL = "https://service.example/report.pdf";
const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
const OTHER_FIGURES = { biomarkerSummary: { normal: 1, abnormal: 1, critical: 0, total: 2 } };

/** A partial result, released, with its report. `pdf` is what its address gives; null while it gives nothing. */
async function start() {
  const created = await startCreated(db, { settings: { releasePolicy: "automatic" } });
  const { shop, ports, clock } = created;
  const [referralUuid = ""] = created.uuids();
  let current = resultSnapshot({ referralUuid, status: "PARTIAL", resultAttachment: REPORT_URL });
  const source: { pdf: string | null } = { pdf: "partial" };
  const attachments = {
    async download() {
      return source.pdf === null
        ? { kind: "refused" as const, reason: "no PDF now" }
        : { kind: "pdf" as const, bytes: Buffer.from(`%PDF-1.7 ${source.pdf}`) };
    },
  };
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  const arrives = (fields: Partial<DatedResult> = {}) => {
    clock.advance(60_000);
    const updatedAt = new Date(Date.parse(current.updatedAt) + 60_000).toISOString();
    current = { ...current, updatedAt, ...fields };
    const target = { shop, environment: "staging", uuid: current.uuid } as const;
    return refetchResult({ ...ports, services, attachments }, target);
  };
  await arrives();
  await created.takeJobs();
  return {
    ...created,
    source,
    arrives,
    tend: () => maintainShop({ ...ports, maintenanceIntervalMs: 3_600_000 }, { shop }),
    async reports() {
      const [seen] = await listCustomerRequests(ports, { shop, viewer });
      return seen?.documents.map(({ version, partial }) => ({ version, partial }));
    },
    async refetchesLater() {
      const { rows } = await db.pool.query<{ ms: string }>(
        `SELECT extract(epoch FROM start_after) * 1000 AS ms FROM outbox
         WHERE shop = $1 AND name = 'refetch-result' AND start_after > $2`,
        [shop, clock.now()],
      );
      return rows.map(({ ms }) => Number(ms) - clock.now().getTime());
    },
  };
}

test.each<[string, Partial<DatedResult>]>([
  ["completed", { status: "COMPLETE" }],
  ["corrected", OTHER_FIGURES],
])("the report of a result that was %s is not shown beside the new figures", async (_, news) => {
  const one = await start();
  expect(await one.reports()).toEqual([{ version: 1, partial: true }]);
  await one.arrives({ ...news, resultAttachment: null });
  expect(await one.reports()).toEqual([]);
  // The new one may be made at any time, and nobody tells: it is asked for soon, then seldom, and then every day.
  expect(await one.refetchesLater()).toEqual([LOOKS_MS[0]]);
  await one.takeJobs();
  await one.arrives();
  // A minute has gone by.
  expect(await one.refetchesLater()).toEqual([60_000]);
  await one.takeJobs();
  one.clock.advance(3_600_000);
  await one.arrives();
  expect(await one.refetchesLater()).toEqual([]);
  await one.takeJobs();
  await one.tend();
  expect(await one.takeJobs()).not.toContain("refetch-result");
  one.clock.advance(25 * 3_600_000);
  await one.tend();
  expect(await one.takeJobs()).toContain("refetch-result");

  one.source.pdf = "new";
  await one.arrives({ resultAttachment: REPORT_URL });
  const partial = !("status" in news);
  expect(await one.reports()).toEqual([{ version: 2, partial }]);
});

test("a new report that cannot be had leaves none beside the new figures", async () => {
  const one = await start();
  one.source.pdf = null;
  await expect(one.arrives(OTHER_FIGURES)).rejects.toThrow();
  expect(await one.reports()).toEqual([]);
  one.clock.advance(25 * 3_600_000);
  await one.tend();
  expect(await one.takeJobs()).toContain("refetch-result");
});

test("the same figures keep their report, and the same report comes back", async () => {
  const one = await start();
  await one.arrives({ resultAttachment: null });
  expect(await one.reports()).toEqual([{ version: 1, partial: true }]);
  expect(await one.takeJobs()).toEqual([]);
  await one.arrives({ ...OTHER_FIGURES, resultAttachment: REPORT_URL });
  expect(await one.reports()).toEqual([{ version: 1, partial: true }]);
});
