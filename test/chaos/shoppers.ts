import { patients, type TestWorld } from "../harness/index.ts";
import type { Random } from "./random.ts";

/** What was paid for, as the store knows it. */
export interface Bought {
  orderId: string;
  units: number;
}

/** Buys one to three units of a product that is mapped to ordinary tests. Retries nothing: the store is not shaken. */
export async function buy(world: TestWorld, random: Random, customerId: string): Promise<Bought> {
  const variants = world.line.products
    .filter(({ mapsTo }) => (mapsTo.bundleId || mapsTo.tests) && !mapsTo.medicareTests)
    .map(({ variantId }) => variantId);
  const [first, ...others] = variants;
  if (first === undefined) throw new Error("Nothing is mapped to ordinary tests");
  const quantity = 1 + random.below(3);
  const lines = [{ variantId: random.pick([first, ...others]), quantity }];
  const { id } = await world.store.createOrder({ customerId, lines });
  return { orderId: id, units: quantity };
}

/** Gives the details of every request that waits for them. Returns how many; the app may be down just now. */
export async function giveDetails(world: TestWorld, customerId: string): Promise<number> {
  const account = world.customer(customerId);
  const [patient] = patients("chaos");
  let given = 0;
  for (const request of await account.requests()) {
    if (request.state !== "awaiting_details") continue;
    await account.giveDetails(request.id, patient);
    given++;
  }
  return given;
}
