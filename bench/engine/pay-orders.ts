import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { patients, SHIPPING_ADDRESS } from "../../test/harness/index.ts";
import { type OrderWorld, variantOfTests } from "./order-world.ts";

const CUSTOMERS = 20;
const AT_ONCE = 4;

/** Pays so many orders of one test each, as fast as the store can say so, by customers who take turns. */
export async function payOrders(world: OrderWorld, orders: number): Promise<void> {
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, async (_, n) => {
      const email = `bench-${n}@example.com`;
      return (await world.store.createCustomer({ email, firstName: "Kim", lastName: "Lee" })).id;
    }),
  );
  const variantId = variantOfTests(world);
  let paid = 0;
  const pay = async () => {
    while (paid < orders) {
      const customerId = customers[paid++ % CUSTOMERS];
      const lines = [{ variantId, quantity: 1 }];
      await world.store.createOrder({ customerId, lines, shippingAddress: SHIPPING_ADDRESS });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, pay));
}

const waitingUnit = z.object({ id: z.string(), customer: z.string() });

/**
 * Gives the details of so many units as soon as each is asked for. Whose turn it is the database tells: shoppers
 * who look at their page again and again would be most of what is measured.
 */
export async function giveDetails(world: OrderWorld, units: number): Promise<void> {
  const [patient] = patients("bench");
  const given = new Set<string>();
  while (given.size < units) {
    const waiting = await world.sql.rows(
      waitingUnit,
      `SELECT id, customer_id AS customer FROM referral_requests WHERE state = 'awaiting_details'
       ORDER BY created_at LIMIT 100`,
    );
    const queue = waiting.values();
    const give = async () => {
      for (const { id, customer } of queue) {
        await world.customer(customer).giveDetails(id, patient);
        given.add(id);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, give));
    await delay(50);
  }
}
