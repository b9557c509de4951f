import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { patients, SHIPPING_ADDRESS } from "../../test/harness/index.ts";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { type Figures, median } from "../figure.ts";
import { rounded } from "./numbers.ts";
import { type StartOrderWorld, variantOfTests } from "./order-world.ts";
import { startQuietWorld } from "./quiet-world.ts";

const DISTANCE_MS = 20;
const ORDERS = 15;
export const TRIP_GOALS = { trips: 45, p50: 1_500 };

/**
 * P18: an order from its payment to its form, one at a time, with 20 ms to the database and back, and how many times it
 * waits for the database one after the other: what the distance adds, over the distance.
 */
export async function measureRoundTrips(): Promise<Figures> {
  const round = await roundTrips(startQuietWorld);
  const { trips, far_ms } = round;
  const rounds = [round];
  return {
    "P18.trips": {
      value: trips,
      unit: "journeys to the database one after the other, from payment to form",
      goal: `≤ ${TRIP_GOALS.trips}`,
      met: trips <= TRIP_GOALS.trips,
      rounds,
    },
    "P18.p50": {
      value: far_ms,
      unit: `ms from payment to form with ${DISTANCE_MS} ms to the database`,
      goal: `≤ ${TRIP_GOALS.p50}`,
      met: far_ms <= TRIP_GOALS.p50,
      rounds,
    },
  };
}

/** Takes a world through its orders, near its database and far from it. */
export async function roundTrips(start: StartOrderWorld) {
  const postgres = await startEmptyPostgres();
  const proxy = await startDistance(postgres.url);
  const near = new pg.Client({ connectionString: postgres.url });
  await near.connect();
  try {
    await using world = await start({ databaseUrl: proxy.url });
    const variantId = variantOfTests(world);
    const { id: customerId } = await world.store.createCustomer({
      ...{ email: "trips@example.com", firstName: "Kim", lastName: "Lee" },
    });
    const buyer = world.customer(customerId);
    const [patient] = patients("trips");
    const seen = async (text: string, value: string): Promise<string> => {
      for (;;) {
        const { rows } = await near.query<{ id: string }>(text, [value]);
        if (rows[0]) return rows[0].id;
        await delay(5);
      }
    };
    const orderMs = async () => {
      const lines = [{ variantId, quantity: 1 }];
      const paidAt = performance.now();
      const order = await world.store.createOrder({
        ...{ customerId, lines, shippingAddress: SHIPPING_ADDRESS },
      });
      const request = await seen(REQUEST, order.id);
      await buyer.giveDetails(request, patient);
      await seen(FORM, request);
      return performance.now() - paidAt;
    };
    const p50 = async (distanceMs: number) => {
      proxy.setDistance(distanceMs);
      const times: number[] = [];
      for (let order = -3; order < ORDERS; order++) {
        const ms = await orderMs();
        if (order >= 0) times.push(ms);
      }
      return median(times);
    };
    const nearMs = await p50(0);
    const farMs = await p50(DISTANCE_MS);
    return {
      near_ms: Math.round(nearMs),
      far_ms: Math.round(farMs),
      trips: rounded((farMs - nearMs) / DISTANCE_MS, 1),
    };
  } finally {
    await near.end();
    proxy.stop();
    await postgres.stop();
  }
}

const REQUEST = "SELECT id FROM referral_requests WHERE order_id = $1";
const FORM = `
  SELECT d.id FROM referrals f JOIN documents d ON d.shop = f.shop AND d.source_uuid = f.uuid WHERE f.request_id = $1::uuid`;

/** Stands between the app and its database, and makes every journey there and back take so long. */
async function startDistance(databaseUrl: string) {
  let halfMs = 0;
  const target = new URL(databaseUrl);
  const carry = (from: Socket, to: Socket) =>
    from.on("data", (bytes) => {
      // Timers of one length end in the order in which they began.
      if (halfMs === 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), halfMs);
    });
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    const onward = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      carry(one, other);
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (!address || typeof address === "string") throw new Error("no port");
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return {
    url: url.href,
    setDistance(ms: number) {
      halfMs = ms / 2;
    },
    stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
