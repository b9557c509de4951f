import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();

test("a test of which one part was ordered again stands where each of its parts does", async () => {
  const created = await startCreated(db, { items: BOTH_PARTS });
  const { shop, ports, service, clock } = created;
  const order = storeOrder();
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  const become = (medicare: boolean, status: string) => {
    const one = service.referrals.find((each) => each.medicare === medicare);
    service.set(String(one?.uuid), { status });
    return created.refetch();
  };
  const stages = async () => {
    const place = { shop, orderId: order.id, actor: null, isWhole: true };
    const overview = await readOrder(ports, place);
    if (!overview) throw new Error("The order is gone");
    const { summary, lines } = presentOrder({ describeFailure }, overview);
    const names = lines.flatMap(({ requests }) => requests.map(({ name }) => name));
    return { names, counted: summary.flatMap((line) => line.stages.map(({ name }) => name)) };
  };
  await become(false, "PENDING_VERIFICATION");
  await become(true, "FAILED_TEST");
  await created.reorder();
  const { names, counted } = await stages();
  expect(new Set(names).size).toBe(2);
  expect(counted).toEqual(names);
  await become(false, "FAILED_TEST");
  await created.reorder();
  const after = await stages();
  expect(after.names[0]).toBe("Ordered again");
  expect(after.counted).not.toContain("Ordered again");
});
