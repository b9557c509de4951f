import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { Figures } from "../figure.ts";
import { rounded } from "./numbers.ts";
import type { OrderWorld, StartOrderWorld } from "./order-world.ts";
import { giveDetails, payOrders } from "./pay-orders.ts";
import { startQuietWorld } from "./quiet-world.ts";

const CREATE_MS = 12_000;
const PROCESSES = [1, 2, 4, 8];
/** Creates that each process has under way. */
const CREATES_AT_ONCE = 5;
/** Times that each of them is used: before the measurement, while details are still being given, and in it. */
const WARM_UP_TURNS = 2;
const TURNS = 4;
export const SCALE_GOAL = 0.95;

/**
 * P19: workers side by side against a service that takes 12 s for each create, of which each process may have five under
 * way. All processes have one shop's orders to share. The figure is what eight make in a second, over eight times what
 * one makes. The first turns, in which details are still being given, are not counted.
 */
export async function measureScaleOut(): Promise<Figures> {
  const { value, isWhole, rounds } = await scaleOut(startQuietWorld);
  return {
    P19: {
      value,
      unit: "throughput of 8 processes ÷ 8 × that of 1",
      goal: `≥ ${SCALE_GOAL}`,
      met: value >= SCALE_GOAL && isWhole,
      rounds,
    },
  };
}

/** The output of eight processes in a second, over eight times what one makes, in worlds of their own. */
export async function scaleOut(start: StartOrderWorld) {
  const rounds = [];
  for (const processes of PROCESSES) rounds.push(await createdBy(start, processes));
  const one = rounds[0]?.created_per_s ?? Number.NaN;
  const eight = rounds.at(-1)?.created_per_s ?? Number.NaN;
  return {
    value: rounded(eight / one / 8, 3),
    isWhole: rounds.every(({ lost, duplicated }) => lost === 0 && duplicated === 0),
    rounds,
  };
}

async function createdBy(start: StartOrderWorld, processes: number) {
  await using world = await start({
    workers: processes - 1,
    env: { PATHWAY_CREATES_AT_ONCE: String(CREATES_AT_ONCE) },
  });
  const slots = processes * CREATES_AT_ONCE;
  const orders = slots * (WARM_UP_TURNS + TURNS + 1);
  await world.console.setFaults({ createDelayMs: CREATE_MS });
  await Promise.all([payOrders(world, orders), giveDetails(world, orders)]);
  await created(world, orders);
  const [span] = await world.sql.rows(
    z.object({ seconds: z.coerce.number() }),
    `SELECT extract(epoch FROM max(made_at) - min(made_at))::float AS seconds
     FROM (SELECT service_created_at AS made_at, row_number() OVER (ORDER BY service_created_at) AS place FROM referrals) made
     WHERE place IN (${slots * WARM_UP_TURNS}, ${slots * (WARM_UP_TURNS + TURNS)})`,
  );
  const counts = Object.values((await world.console.stats()).referralsByReferenceNumber);
  return {
    processes,
    creates_at_once: slots,
    orders,
    created_per_s: rounded((slots * TURNS) / (span?.seconds ?? Number.NaN), 3),
    ideal_per_s: rounded((slots * 1000) / CREATE_MS, 3),
    lost: orders - counts.length,
    duplicated: counts.filter((n) => n > 1).length,
  };
}

async function created({ sql }: OrderWorld, orders: number): Promise<void> {
  while (
    (await sql.count("SELECT count(*) FROM referral_requests WHERE state = 'created'")) < orders
  )
    await delay(200);
}
