import { text } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { BOTH_PARTS, startCreated } from "../../../test/database/created.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import type { ShopDomain } from "../../modules/kernel/ids.ts";
import { exportOrders } from "../../modules/reports/export-orders.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { readOrders } from "../../modules/reports/read-orders.ts";
import { readSelection } from "../../modules/reports/selection-text.ts";
import { exportCsv } from "../app.referrals/export-csv.server.ts";
import { presentOrders } from "../app.referrals/present-orders.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();

/** The orders of a list that an address asks for, as its page and its file show them. */
async function listed(ports: Parameters<typeof readOrders>[0], shop: ShopDomain, address: string) {
  const selection = readSelection(address);
  const page = await readOrders(ports, { shop, ...selection, start: null, size: 25 });
  const { orders, counts } = presentOrders({ describeFailure }, page);
  const csv = await text(exportCsv(exportOrders(ports, { shop, selection })));
  const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
  return { orders, counts, statuses: rows.map((row) => row.Status) };
}

test("a test that was ordered again is one test in the list, and nothing of it is called cancelled", async () => {
  const created = await startCreated(db, {});
  const { shop, ports, clock } = created;
  const order = storeOrder();
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  await created.become({ status: "FAILED_TEST" });
  await created.reorder();
  const { orders, counts, statuses } = await listed(ports, shop, "");
  expect(orders[0]).toMatchObject({ units: 1, badges: [{ name: "In progress", count: 1 }] });
  expect(statuses).toEqual(["Ordered again", "In progress"]);
  expect(counts.cancelled).toBe("0");
  expect((await listed(ports, shop, "status=cancelled")).orders).toEqual([]);
});

test("a test of two parts, of which one was ordered again, is one test in the list", async () => {
  const created = await startCreated(db, { items: BOTH_PARTS });
  const { shop, ports, service, clock } = created;
  const order = storeOrder();
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  const medicare = service.referrals.find((each) => each.medicare === true);
  service.set(String(medicare?.uuid), { status: "FAILED_TEST" });
  await created.refetch();
  await created.reorder();
  const { orders } = await listed(ports, shop, "");
  expect(orders[0]).toMatchObject({ units: 1, badges: [{ name: "In progress", count: 1 }] });
});

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
