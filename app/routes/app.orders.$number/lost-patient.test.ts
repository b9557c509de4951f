import { expect, test } from "vitest";
import { START } from "../../../test/database/clock.ts";
import { openTestDatabase } from "../../../test/database/database.ts";
import { orderInStore } from "../../../test/database/order-in-store.ts";
import { bought, mappedShop } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { describeForBlock } from "../../modules/reports/order-block.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();

test("says of a patient whose address was lost whom to ring, and offers no email that nobody would get", async () => {
  const shop = await mappedShop(db);
  const { read } = await orderInStore(db, shop);
  const order = bought(1);
  const { buyer, ...rest } = order;
  await read({ ...rest, buyer: { ...(buyer ?? expect.unreachable()), phone: "02 9000 2222" } });
  await db.pool.query(
    `UPDATE referral_requests SET owner = 'patient', invited_at = $2, mail_refused_at = $2,
       stage = 'attention', reason_code = 'mail_refused' WHERE shop = $1`,
    [shop, START],
  );
  const ports = { tenancy: db.tenancy, clock: { now: () => START }, waits: { reminderDayMs: 1 } };
  const place = { shop, orderId: order.id, actor: null };
  const found = await readOrder(ports as unknown as Parameters<typeof readOrder>[0], place);
  if (!found) return expect.unreachable();
  const { lines, reminders } = presentOrder({ describeFailure }, found);
  const [own] = lines.flatMap((line) => line.requests);
  expect(own?.sentence).toContain("email address is lost");
  expect(own?.nextStep).toMatch(/^Ring the buyer, and ask them to cancel the invitation/);
  // The buyer typed the address, and alone can type another.
  expect(own?.ring).toEqual({
    text: "Emails can’t be delivered. Ring the customer:",
    phone: "02 9000 2222",
  });
  expect([own?.actions.primary, ...(own?.actions.others ?? [])]).toEqual([null]);
  expect(describeForBlock(found.requests, describeFailure)).toMatchObject([
    { nextStep: own?.nextStep, needsStaff: true },
  ]);
  expect(JSON.stringify(reminders)).toContain("invite the patient again");
});
