import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { putRequest } from "../../../test/database/put-request.ts";
import {
  installedShop,
  newRequest,
  ONE_TEST,
  orderLine,
  storeOrder,
} from "../../../test/database/seed.ts";
import { parseReasonKey } from "../referrals/review-reason.ts";
import { pricesOf } from "./price-requests.ts";

const db = await openTestDatabase();
const environment = "staging" as const;

const soldTest = (id: string, priceCents: number) => ({
  ...{ id, name: id, shortName: id, priceCents, description: "", category: null },
  ...{ turnaround: null, medicare: false },
});

/** A shop whose order has one unit in some state, and a catalogue of two tests. */
async function start(state: "rejected" | "held" | "created", items = ONE_TEST) {
  const shop = await installedShop(db);
  const order = storeOrder({ lines: [orderLine()] });
  const request = { ...newRequest(shop, order), items };
  await db.tenancy.inShop(shop, async (tenant) => {
    await tenant.orders.record(order, new Map(), START);
    await tenant.requests.add([request], START);
    const reviewReason = state === "rejected" ? parseReasonKey("rejected:X") : null;
    await putRequest(tenant, request.id, { state, reviewReason });
    const tests = [soldTest("fbc", 4_500), soldTest("tsh", 2_000)];
    await tenant.catalogues.save({ environment, tests, bundles: [], fetchedAt: START });
  });
  const price = () =>
    db.tenancy.inShop(shop, async (tenant) => [...(await pricesOf(tenant, [request.id])).values()]);
  const map = (tests: string[]) =>
    db.tenancy.inShop(shop, (tenant) => {
      const { variantId, productId } = order.lines[0] ?? {};
      if (!variantId || !productId) throw new Error("The line sold nothing");
      const items = { ...ONE_TEST, tests };
      return tenant.mappings.save({ environment, variantId, productId, kind: "order", items });
    });
  return { price, map };
}

test("prices a held unit by what it was sold as", async () => {
  const { price, map } = await start("held");
  await map(["tsh"]);
  expect(await price()).toEqual([{ cents: 4_500, isEstimate: false }]);
});

test("prices a refused unit by what its product is mapped to now", async () => {
  const { price, map } = await start("rejected");
  await map(["fbc", "tsh"]);
  expect(await price()).toEqual([{ cents: 6_500, isEstimate: false }]);
});

test("knows no price of a test that the catalogue lacks", async () => {
  const { price } = await start("held", { ...ONE_TEST, tests: ["gone"] });
  expect(await price()).toEqual([null]);
});

test("prices nothing that nobody can order", async () => {
  const { price } = await start("created");
  expect(await price()).toEqual([]);
});
