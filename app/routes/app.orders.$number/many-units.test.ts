import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startLedger } from "../../../test/database/ledger.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import { newRequest, orderLine, storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { gid } from "../../modules/kernel/ids.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();
const REFUSED = { code: "rejected", detail: "115" } as const;

/** An order of so many tests, of which these wait for details, and these were refused; the rest is sent in a moment. */
async function start(
  quantity: number,
  { waiting, refused }: Record<"waiting" | "refused", number[]>,
) {
  const { shop, ports } = await startLedger(db);
  const order = storeOrder({ lines: [orderLine({ quantity })] });
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    const units = Array.from({ length: quantity }, (_, index) =>
      newRequest(shop, order, { unit: index + 1 }),
    );
    await tenant.requests.add(units, START);
    for (const { id, unit } of units) {
      if (waiting.includes(unit)) continue;
      const isRefused = refused.includes(unit);
      const reviewReason = isRefused ? REFUSED : null;
      await putRequest(tenant, id, { state: isRefused ? "rejected" : "ready", reviewReason });
    }
  });
  return async (isWhole: boolean) => {
    const overview = await readOrder(ports, { shop, orderId: order.id, actor: null, isWhole });
    if (!overview) throw new Error("The order is gone");
    const { lines, summary } = presentOrder({ describeFailure }, overview);
    return { line: lines[0], summary };
  };
}

const numbersOf = (line: { requests: { unitName: string }[] } | undefined) =>
  line?.requests.map(({ unitName }) => Number(unitName.split(" ")[1]));

test("shows of many tests those that need somebody and the first others, and all when asked", async () => {
  const page = await start(60, { waiting: [59], refused: [57, 60] });
  const { line, summary } = await page(false);
  const first = Array.from({ length: 47 }, (_, index) => index + 1);
  expect(numbersOf(line)).toEqual([...first, 57, 59, 60]);
  expect(line).toMatchObject({ hidden: 10, hiddenAttention: 0 });
  // Whoever is asked for details is asked from the page as it is.
  const actions = line?.requests.flatMap((request) => request.actions.primary?.intent ?? []);
  expect(actions).toContain("resend");
  // Where all of them stand is said all the same.
  expect(summary[0]?.stages.map(({ count }) => count).reduce((sum, one) => sum + one)).toBe(60);
  const whole = await page(true);
  expect(whole.line?.requests).toHaveLength(60);
  expect(whole.line?.hidden).toBe(0);
});

test("says how many of those that are not shown need somebody", async () => {
  const refused = Array.from({ length: 55 }, (_, index) => index + 1);
  const page = await start(56, { waiting: [], refused });
  expect((await page(false)).line).toMatchObject({ hidden: 6, hiddenAttention: 5 });
});

test("numbers the tests of several products through the order, as their buyer reads it", async () => {
  const { shop, ports } = await startLedger(db);
  const lines = [
    orderLine({ number: 1, quantity: 2 }),
    orderLine({ number: 2, title: "Thyroid check" }),
  ];
  const order = storeOrder({ lines });
  const lineItemId = gid("LineItem", 2);
  const units = [
    newRequest(shop, order, { unit: 1 }),
    newRequest(shop, order, { unit: 2 }),
    { ...newRequest(shop, order), lineItemId, referenceNumber: "900000000001" },
  ];
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add(units, START);
  });
  const overview = await readOrder(ports, { shop, orderId: order.id, actor: null });
  if (!overview) throw new Error("The order is gone");
  const shown = presentOrder({ describeFailure }, overview).lines.map(({ requests }) =>
    requests.map(({ unitName }) => unitName),
  );
  expect(shown).toEqual([["Test 1 of 3", "Test 2 of 3"], ["Test 3 of 3"]]);
});
