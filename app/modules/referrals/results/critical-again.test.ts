import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { type DatedResult, resultSnapshot } from "../../../../test/database/snapshots.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();

const figures = (critical: number, total = 9) => ({
  biomarkerSummary: { normal: total - 1, abnormal: 1, critical, total },
});

/** A partial critical result that was shown at once, and whose patient was mailed to open it today. */
async function start() {
  const { shop, ports, clock, uuids, requestId, takeJobs } = await startCreated(db, {
    settings: { releasePolicy: "automatic" },
  });
  const [referralUuid = ""] = uuids();
  let current = resultSnapshot({ referralUuid, status: "PARTIAL", ...figures(1) });
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const services = { forConnection: async () => ({ ...real, getResult: async () => current }) };
  const due = { requestId, kind: "results_today" } as const;
  /** Answers whether the patient is to be mailed to open the results today. */
  const isMailed = async () => {
    const isQueued = (await takeJobs()).includes("send-mail");
    const isNoted = await db.tenancy.inShop(shop, async (tenant) => {
      const waits = await tenant.notifications.waiting([requestId], ["results_today"]);
      if (waits.length > 0) await tenant.notifications.markSent(due, clock.now(), null);
      return waits.length > 0;
    });
    return isQueued && isNoted;
  };
  const arrives = async (fields: Partial<DatedResult>) => {
    clock.advance(60_000);
    const updatedAt = new Date(Date.parse(current.updatedAt) + 60_000).toISOString();
    current = { ...current, updatedAt, ...fields };
    const target = { shop, environment: "staging", uuid: current.uuid } as const;
    await refetchResult({ ...ports, services }, target);
    return isMailed();
  };
  expect(await arrives({})).toBe(true);
  return arrives;
}

test.each<[string, Partial<DatedResult>]>([
  ["was corrected", figures(2)],
  ["was completed", { status: "COMPLETE" }],
  ["was completed with others", { status: "COMPLETE", ...figures(1, 12) }],
])("a critical result that %s is mailed of today as well", async (_, fields) => {
  const arrives = await start();
  expect(await arrives(fields)).toBe(true);
  // Nothing new is no news.
  expect(await arrives({})).toBe(false);
});

test("a result that is critical again after a correction is mailed of again", async () => {
  const arrives = await start();
  await arrives(figures(0));
  expect(await arrives(figures(1))).toBe(true);
});
