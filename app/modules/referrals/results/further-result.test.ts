import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { openResult } from "../../access/open-result.ts";
import { requestOfResult } from "../../access/request-of-result.ts";
import { gid } from "../../kernel/ids.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();

const figures = (critical: number) => ({
  biomarkerSummary: { normal: 8, abnormal: 1, critical, total: 9 },
});

/** A referral whose results come as records of their own. */
async function start() {
  const { shop, ports, clock, uuids, requestId } = await startCreated(db, {
    settings: { releasePolicy: "automatic" },
  });
  const [referralUuid = ""] = uuids();
  const results = new Map<string, ResultSnapshot>();
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const getResult = async (uuid: string) => results.get(uuid) ?? null;
  const services = { forConnection: async () => ({ ...real, getResult }) };
  return {
    async arrives(fields: Partial<ResultSnapshot>) {
      clock.advance(60_000);
      const result = resultSnapshot({ referralUuid, uuid: randomUUID(), ...fields });
      results.set(result.uuid, result);
      const target = { shop, environment: "staging", uuid: result.uuid } as const;
      await refetchResult({ ...ports, services }, target);
      return result;
    },
    open: (resultId: string) =>
      openResult(ports, {
        ...{ shop, resultId },
        viewer: { kind: "customer", customerId: gid("Customer", 7) },
      }),
    requestId,
    requestOf: (resultId: string, customer = 7) =>
      requestOfResult(ports, {
        ...{ shop, resultId },
        viewer: { kind: "customer", customerId: gid("Customer", customer) },
      }),
    async mails(kind: string) {
      const { rows } = await db.pool.query<{ occurrence: string }>(
        "SELECT occurrence FROM notifications WHERE shop = $1 AND request_id = $2 AND kind = $3 ORDER BY occurrence",
        [shop, requestId, kind],
      );
      return rows.map(({ occurrence }) => occurrence);
    },
  };
}

test("each of two results of one referral leads to the other", async () => {
  const { arrives, open } = await start();
  const first = await arrives({ status: "COMPLETE", ...figures(1), resultDate: "2026-04-01" });
  const second = await arrives({ status: "COMPLETE", ...figures(0), resultDate: "2026-04-03" });
  expect((await open(second.uuid))?.others).toEqual([{ id: first.uuid, reportedOn: "2026-04-01" }]);
  expect((await open(first.uuid))?.others).toEqual([{ id: second.uuid, reportedOn: "2026-04-03" }]);
});

test("a result leads to no other one that its patient may not see yet", async () => {
  const { arrives, open } = await start();
  const first = await arrives({ status: "COMPLETE", ...figures(0) });
  await arrives({ status: "IN_REVIEW", ...figures(0) });
  expect((await open(first.uuid))?.others).toEqual([]);
});

test("each of two results of one referral can be shared, by its owner alone", async () => {
  const { arrives, requestOf, requestId } = await start();
  const first = await arrives({ status: "COMPLETE", ...figures(0) });
  const second = await arrives({ status: "COMPLETE", ...figures(0) });
  expect(await requestOf(first.uuid)).toBe(requestId);
  expect(await requestOf(second.uuid)).toBe(requestId);
  expect(await requestOf(first.uuid, 8)).toBeNull();
});

test.each([
  ["results_available", 0],
  ["results_today", 1],
])("mails %s of a second result of one referral", async (kind, critical) => {
  const { arrives, mails } = await start();
  await arrives({ status: "COMPLETE", ...figures(critical) });
  expect(await mails(kind)).toHaveLength(1);
  const second = await arrives({ status: "COMPLETE", ...figures(critical) });
  expect(await mails(kind)).toHaveLength(2);
  // Nothing new is no news.
  await arrives(second);
  expect(await mails(kind)).toHaveLength(2);
});
