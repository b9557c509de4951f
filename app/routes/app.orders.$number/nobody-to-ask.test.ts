import type { AppLoadContext } from "@remix-run/node";
import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { bought, mappedShop } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { loader } from "../api.admin.orders.$number.requests.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();

test("the block in the Shopify admin says as the order’s page does that nobody could be asked", async () => {
  const shop = await mappedShop(db);
  const { read } = await orderInStore(db, shop);
  const order = bought(1);
  const nobody = { firstName: null, lastName: null, email: null, phone: null, address: null };
  await read({ ...order, customerId: null, buyer: { ...nobody, statusUrl: null } });
  const ports = { tenancy: db.tenancy, clock: { now: () => START }, waits: { reminderDayMs: 1 } };
  const place = { shop, orderId: order.id, actor: null };
  const found = await readOrder(ports as unknown as Parameters<typeof readOrder>[0], place);
  if (!found) return expect.unreachable();
  const [own] = presentOrder({ describeFailure }, found).lines.flatMap((line) => line.requests);
  const context = {
    app: { ports, describeFailure },
    merchant: async () => ({ shop, cors: (answer: Response) => answer }),
  } as unknown as AppLoadContext;
  const request = new Request("https://app.example/api/admin/orders/1001/requests");
  const answer = await loader({ request, params: { number: "1001" }, context });
  const [told] = await answer.json();
  expect(own?.nextStep).toContain("Add the customer");
  expect(told).toMatchObject({ state: "awaiting_details", nextStep: own?.nextStep });
});
