import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { listCustomerRequests } from "../../access/list-requests.ts";
import { gid } from "../../kernel/ids.ts";
import { dealWithReason } from "../deal-with-reason.ts";
import { parseReasonKey } from "../review-reason.ts";
import type { ResultSnapshot } from "../snapshots.ts";
import { refetchResult } from "./refetch-result.ts";

const db = await openTestDatabase();

const STRANGER = { firstName: "Someone", lastName: "Else", dob: "1950-01-01" };
const CRITICAL = { biomarkerSummary: { normal: 8, abnormal: 1, critical: 1, total: 9 } };

/** A test whose results are shown as soon as they come. */
async function start() {
  const { shop, ports, clock, find, uuids, requestId } = await startCreated(db, {
    settings: { releasePolicy: "automatic" },
  });
  const [referralUuid = ""] = uuids();
  const answers = new Map<string, ResultSnapshot>();
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const getResult = async (uuid: string) => answers.get(uuid) ?? null;
  const services = { forConnection: async () => ({ ...real, getResult }) };
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  return {
    async arrives(fields: Partial<ResultSnapshot>) {
      clock.advance(60_000);
      const updatedAt = clock.now().toISOString();
      const own = { uuid: randomUUID(), referralUuid, status: "COMPLETE", updatedAt };
      const result = resultSnapshot({ ...own, ...fields });
      answers.set(result.uuid, result);
      const target = { shop, environment: "staging", uuid: result.uuid } as const;
      await refetchResult({ ...ports, services }, target);
      return { ...result, updatedAt: null };
    },
    rung: () =>
      db.tenancy.inShop(shop, (tenant) =>
        dealWithReason(tenant, requestId, parseReasonKey("urgent_result_shown") ?? expect.fail(), {
          ...{ actor: "staff:7", at: clock.now() },
        }),
      ),
    reason: async () => (await find())?.reason?.code ?? null,
    isForToday: async () => (await listCustomerRequests(ports, { shop, viewer }))[0]?.isForToday,
  };
}

test("a critical result that its patient can open is not forgotten for another person's, which is told afterwards", async () => {
  const { arrives, rung, reason, isForToday } = await start();
  await arrives(CRITICAL);
  expect(await reason()).toBe("urgent_result_shown");
  await arrives({ person: { ...STRANGER, medicareCardNumber: null } });
  expect([await reason(), await isForToday()]).toEqual(["urgent_result_shown", true]);
  await rung();
  expect([await reason(), await isForToday()]).toEqual(["result_other_person", false]);
});

test("a critical result that comes beside another person's is told first, too", async () => {
  const { arrives, rung, reason, isForToday } = await start();
  await arrives({ person: { ...STRANGER, medicareCardNumber: null } });
  expect(await reason()).toBe("result_other_person");
  await arrives(CRITICAL);
  expect([await reason(), await isForToday()]).toEqual(["urgent_result_shown", true]);
  await rung();
  expect(await reason()).toBe("result_other_person");
});

test("a critical result that turns out to be another person's asks nobody to ring its patient", async () => {
  const { arrives, reason, isForToday } = await start();
  const { uuid } = await arrives(CRITICAL);
  await arrives({});
  await arrives({ ...CRITICAL, uuid, person: { ...STRANGER, medicareCardNumber: null } });
  expect([await reason(), await isForToday()]).toEqual(["result_other_person", false]);
});
