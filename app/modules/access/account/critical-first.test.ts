import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../../test/database/created.ts";
import { openTestDatabase } from "../../../../test/database/database.ts";
import { ONE_TEST } from "../../../../test/database/seed.ts";
import { resultSnapshot } from "../../../../test/database/snapshots.ts";
import { gid } from "../../kernel/ids.ts";
import { apply } from "../../referrals/apply.ts";
import { refetchResult } from "../../referrals/results/refetch-result.ts";
import type { ResultSnapshot } from "../../referrals/snapshots.ts";
import { listCustomerRequests } from "../list-requests.ts";
import { openResult } from "../open-result.ts";

const db = await openTestDatabase();

const TODAY = /^Please open your results today and read the note at the top\./;
const SHOWN = { code: "urgent_result_shown", detail: null } as const;

/** A test whose results come one after the other, and are shown at once. */
async function start(items = ONE_TEST) {
  const { shop, ports, clock, requestId, referrals } = await startCreated(db, {
    ...{ settings: { releasePolicy: "automatic" as const }, items },
  });
  const known = await referrals();
  const uuidOf = (medicare: boolean) => known.find((one) => one.medicare === medicare)?.uuid ?? "";
  const answers = new Map<string, ResultSnapshot>();
  const real = await ports.services.forConnection(shop, "staging");
  if (!real) throw new Error("no service");
  const getResult = async (uuid: string) => answers.get(uuid) ?? null;
  const services = { forConnection: async () => ({ ...real, getResult }) };
  const viewer = { kind: "customer", customerId: gid("Customer", 7) } as const;
  return {
    /** The laboratory reports so many critical values. Answers the result's id. */
    async arrives(critical: number, { medicare = false, uuid = randomUUID() as string } = {}) {
      clock.advance(60_000);
      const result = resultSnapshot({
        ...{ uuid, referralUuid: uuidOf(medicare), status: "COMPLETE" },
        updatedAt: clock.now().toISOString(),
        biomarkerSummary: { normal: 8, abnormal: critical, critical, total: 9 },
      });
      answers.set(uuid, result);
      await refetchResult({ ...ports, services }, { shop, environment: "staging", uuid });
      return uuid;
    },
    see: async () => (await listCustomerRequests(ports, { shop, viewer }))[0],
    open: (resultId: string) => openResult(ports, { shop, viewer, resultId }),
    /** Somebody of the shop has rung. */
    ring: () =>
      db.tenancy.inShop(shop, (tenant) =>
        apply(
          tenant,
          requestId,
          { kind: "handled", reason: SHOWN },
          { actor: "staff:7", at: clock.now() },
        ),
      ),
  };
}

test("leads to the critical one of two results, though a harmless one came later", async () => {
  const { arrives, see, open, ring } = await start();
  const critical = await arrives(1);
  const later = await arrives(0);
  const seen = await see();
  expect(seen).toMatchObject({ resultId: critical, isForToday: true });
  expect(seen?.nextStep).toMatch(TODAY);
  const opened = await open(critical);
  expect(opened?.alert).toEqual({ level: "critical", count: 1 });
  expect(opened?.others.map(({ id }) => id)).toEqual([later]);
  await ring();
  expect(await see()).toMatchObject({ resultId: later, isForToday: false });
});

test("asks to open the part today whose result is critical, and not the other", async () => {
  const { arrives, see } = await start(BOTH_PARTS);
  const critical = await arrives(1);
  const harmless = await arrives(0, { medicare: true });
  const seen = await see();
  expect(seen).toMatchObject({ resultId: critical, isForToday: true });
  expect(seen?.parts).toMatchObject([
    { part: "commercial", resultId: critical, isForToday: true },
    { part: "medicare", resultId: harmless, isForToday: false },
  ]);
  expect(seen?.parts.map(({ nextStep }) => nextStep)).toEqual([
    expect.stringMatching(TODAY),
    "Your results are ready.",
  ]);
});

test("promises no note at the top of a result that was corrected and is critical no more", async () => {
  const { arrives, see, open } = await start();
  const uuid = await arrives(1);
  await arrives(0, { uuid });
  expect((await open(uuid))?.alert).toBeNull();
  const seen = await see();
  expect(seen).toMatchObject({ resultId: uuid, isForToday: false });
  expect(seen?.nextStep).toMatch(/^Your results are ready\. Values that could be seen before/);
});
