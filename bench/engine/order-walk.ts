import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { patients, SHIPPING_ADDRESS } from "../../test/harness/index.ts";
import { type OrderWorld, variantOfPanel } from "./order-world.ts";

const AT_ONCE = 2;

/** Pays orders, each of a buyer of its own, gives the details of each as soon as they are asked for, and waits until every form is there. */
export async function toForms(world: OrderWorld, orders: number): Promise<void> {
  const variantId = variantOfPanel(world);
  const [patient] = patients("cost");
  let left = orders;
  const shop = async () => {
    while (left-- > 0) {
      const email = `cost-${crypto.randomUUID()}@example.com`;
      const buyer = await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" });
      const order = await world.store.createOrder({
        customerId: buyer.id,
        lines: [{ variantId, quantity: 1 }],
        shippingAddress: SHIPPING_ADDRESS,
      });
      await world.customer(buyer.id).giveDetails(await requestOf(world, order.id), patient);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, shop));
  await until(async () => (await waitingForForm(world)) === 0);
}

async function requestOf({ sql }: OrderWorld, orderId: string): Promise<string> {
  const row = z.object({ id: z.string() });
  const query = "SELECT id FROM referral_requests WHERE order_id = $1";
  let found: z.infer<typeof row>[] = [];
  await until(async () => {
    found = await sql.rows(row, query, [orderId]);
    return found.length > 0;
  });
  return found[0]?.id ?? "";
}

const waitingForForm = ({ sql }: OrderWorld) =>
  sql.count(
    `SELECT count(*) FROM referral_requests r WHERE NOT EXISTS (
       SELECT FROM referrals f JOIN documents d ON d.shop = f.shop AND d.source_uuid = f.uuid
       WHERE f.shop = r.shop AND f.request_id = r.id)`,
  );

/** Has the service send results for every referral that has none, and waits until each is there with its report. */
export async function toReports(world: OrderWorld): Promise<void> {
  const row = z.object({ uuid: z.string() });
  const open = await world.sql.rows(row, "SELECT uuid FROM referrals WHERE result_uuid IS NULL");
  for (const { uuid } of open) await world.service.generateResults(uuid);
  await until(
    async () =>
      (await world.sql.count(
        "SELECT count(*) FROM referrals f WHERE NOT EXISTS (SELECT FROM results r WHERE r.shop = f.shop AND r.uuid = f.result_uuid)",
      )) === 0,
  );
}

/** Until nothing is to be done any more: no message, and no work that is due soon. */
export const settled = (world: OrderWorld) =>
  until(
    async () =>
      (await world.sql.count(
        `SELECT (SELECT count(*) FROM inbox WHERE state IN ('received', 'queued')) + (SELECT count(*) FROM outbox)
              + (SELECT count(*) FROM pgboss.job WHERE state < 'completed' AND start_after < now() + interval '20 s'
                 AND name NOT LIKE '\\_\\_pgboss%' AND name <> 'resolve-ambiguous')`,
      )) === 0,
  );

/** Takes orders all the way, and lets the world come to rest. */
export async function toTheEnd(world: OrderWorld, orders: number): Promise<void> {
  await toForms(world, orders);
  await settled(world);
  await toReports(world);
  await settled(world);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await isSo()) return;
    await delay(250);
  }
  throw new Error("the world did not get there within ten minutes");
}
