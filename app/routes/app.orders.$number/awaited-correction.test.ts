import { expect, test } from "vitest";
import { openTestDatabase } from "../../../test/database/database.ts";
import { startIssued } from "../../../test/database/issued.ts";
import { storeOrder } from "../../../test/database/seed.ts";
import { describeFailure } from "../../clients/referral-service/failures/describe-failure.ts";
import { readOrder } from "../../modules/reports/read-order.ts";
import { presentOrder } from "./present-order.ts";

const db = await openTestDatabase();

test("says of a form that waits for a correction that it is closed, as its patient reads", async () => {
  const { shop, ports, clock, correct, pass, opens } = await startIssued(db);
  const order = storeOrder();
  await db.tenancy.inShop(shop, (tenant) => tenant.orders.record(order, new Map(), clock.now()));
  const words = async () => {
    const place = { shop, orderId: order.id, actor: null, isWhole: true };
    const overview = await readOrder(ports, place);
    if (!overview) throw new Error("The order is gone");
    const { lines } = presentOrder({ describeFailure }, overview);
    return lines.flatMap(({ requests }) => requests)[0];
  };
  expect(await words()).toMatchObject({ name: "Form ready" });
  await correct({ dob: "1985-04-03" });
  // The service may be away for hours.
  expect(await opens()).toBe(false);
  expect(await words()).toMatchObject({
    name: "Form being corrected",
    sentence: "Corrected details wait to be passed on to the service. The old form is closed.",
    nextStep:
      "Nothing to do: Pathway passes them on by itself, and the new form replaces the old one.",
    referrals: [{ rawStatus: "ISSUED" }],
  });
  expect(await pass()).toEqual({ kind: "applied" });
  expect(await words()).toMatchObject({ name: "Form being remade" });
});
