import { z } from "zod";
import { MEDICARE_CARD } from "../../harness/both-parts.ts";
import {
  type CustomerApi,
  type PatientDetails,
  patients,
  type ServiceReferral,
  type StoreOrder,
  type TestWorld,
} from "../../harness/index.ts";
import { orderPage } from "../../harness/pages.ts";
import type { Random } from "../random.ts";

/** The order whose life it is, and everybody who has to do with it. */
export interface Life {
  world: TestWorld;
  random: Random;
  order: StoreOrder;
  /** Whose account shows it: another one's after a merge. */
  buyer: { id: string; api: CustomerApi };
  /** A name that no other life has, for addresses. */
  name: string;
}

/** Something that somebody may do with an order at any time. Rejects where it is refused, which is an answer too. */
interface Act {
  /** How often it comes, beside the others. */
  weight: number;
  does(life: Life): Promise<unknown>;
}

/** Any status of interface §3, in any sequence: which follow which, the interface does not say. */
const STATUSES = [
  ...(["CREATED", "ISSUED", "SCHEDULED_REISSUE", "PARTIAL_RESULTS", "COMPLETE"] as const),
  ...(["INSUFFICIENT_DATA", "REFUNDED", "FAILED_TEST", "BILLING_FAILED"] as const),
  ...(["TRANSFERRED", "PENDING_VERIFICATION"] as const),
] as const;
const REQUEST_ID = z.object({ id: z.string() });
const INTENTS = ["release", "retry", "reorder", "cancel", "keep"] as const;

export const ACTS: Readonly<Record<string, Act>> = {
  "the buyer gives details": { weight: 5, does: giveDetails },
  "the buyer sends a test to its patient": {
    weight: 0.5,
    async does({ buyer, order, name }) {
      const [test] = (await buyer.api.requests()).filter(({ orderId }) => orderId === order.id);
      if (test) await buyer.api.handOver(test.id, `friend-${name}@example.com`);
    },
  },
  "the store refunds a unit": {
    weight: 0.9,
    does: ({ world, random, order }) =>
      world.store.refund(order.id, [{ lineItemId: anyLine(order, random).id, quantity: 1 }]),
  },
  "the store cancels the order": {
    weight: 0.4,
    does: ({ world, order }) => world.store.cancelOrder(order.id),
  },
  "the store edits a quantity": {
    weight: 0.6,
    does: ({ world, random, order }) =>
      world.store.editOrder(order.id, [
        { lineItemId: anyLine(order, random).id, quantity: random.below(4) },
      ]),
  },
  "the store fulfils a unit": {
    weight: 0.3,
    does: ({ world, random, order }) =>
      world.store.fulfil(order.id, [{ lineItemId: anyLine(order, random).id, quantity: 1 }]),
  },
  "the store merges the buyer into another account": {
    weight: 0.25,
    async does({ world, buyer, name, random }) {
      const email = `merged-${name}-${random.below(1_000_000)}@example.com`;
      const { id } = await world.store.createCustomer({ email, firstName: "Kim" });
      await world.store.mergeCustomers({ into: id, from: buyer.id });
      Object.assign(buyer, { id, api: world.customer(id) });
    },
  },
  "the service gives a status": {
    weight: 2.5,
    does: (life) =>
      toAny(life, ({ uuid }) => life.world.console.setStatus(uuid, life.random.pick(STATUSES))),
  },
  "the laboratory reports": {
    weight: 2.5,
    does: (life) => {
      const { random, world } = life;
      const answer = { partial: random.next() < 0.4, critical: random.next() < 0.2 };
      return toAny(life, ({ uuid }) => world.console.sendResults(uuid, answer));
    },
  },
  "the service verifies a patient": {
    weight: 0.4,
    does: (life) => toAny(life, ({ uuid }) => life.world.console.verifyReferral(uuid)),
  },
  "somebody deletes a referral at the service": {
    weight: 0.6,
    does: (life) => toAny(life, ({ uuid }) => life.world.service.deleteReferral(uuid)),
  },
  "staff decide about a test": {
    weight: 1.5,
    async does({ world, random, order }) {
      const [first, ...others] = await world.sql.rows(
        REQUEST_ID,
        "SELECT id::text FROM referral_requests WHERE order_id = $1",
        [order.id],
      );
      if (!first) return;
      const { id: requestId } = random.pick([first, ...others]);
      await world.pages.submit(orderPage(order), { intent: random.pick(INTENTS), requestId });
    },
  },
};

/** Gives what is asked for, and now and then corrects what was given. */
export async function giveDetails({ buyer, order, name, random }: Life): Promise<void> {
  const people = patients(name);
  for (const { id, orderId, state } of await buyer.api.requests()) {
    if (orderId !== order.id || (state !== "awaiting_details" && random.next() > 0.15)) continue;
    const patient: PatientDetails = { ...random.pick(people), medicareCardNumber: MEDICARE_CARD };
    await buyer.api.giveDetails(id, patient);
  }
}

function anyLine({ lines: [first, ...others] }: StoreOrder, random: Random) {
  if (!first) throw new Error("An order without lines");
  return random.pick([first, ...others]);
}

/** Does something to one of the order's referrals, once there is one. */
async function toAny(
  { world, random, order }: Life,
  act: (referral: ServiceReferral) => Promise<unknown>,
): Promise<void> {
  const numbers = await world.sql.rows(
    REFERENCE,
    "SELECT reference_number AS number FROM referral_requests WHERE order_id = $1",
    [order.id],
  );
  const own = new Set(numbers.map(({ number }) => number));
  const [first, ...others] = (await world.service.recentReferrals()).filter(
    ({ referenceNumber }) => referenceNumber && own.has(referenceNumber),
  );
  if (first) await act(random.pick([first, ...others]));
}

const REFERENCE = z.object({ number: z.string() });
