import { parseArgs } from "node:util";
import { z } from "zod";
import { startEmptyPostgres } from "../empty-postgres.ts";
import { rounded } from "../engine/numbers.ts";
import { COST_GOALS, COST_UNITS, orderCost } from "../engine/order-cost.ts";
import type { StartOrderWorld } from "../engine/order-world.ts";
import { roundTrips, TRIP_GOALS } from "../engine/round-trips.ts";
import { SCALE_GOAL, scaleOut } from "../engine/scale-out.ts";
import { SIZE_GOALS, workerSize } from "../engine/worker-size.ts";
import { type Figures, median } from "../figure.ts";
import { table } from "../table.ts";
import { FORMER, prepareFormerVersion } from "./former-version.ts";
import { REPOSITORY } from "./repository.ts";
import { startVersion } from "./start-version.ts";

const count = z.coerce.number().int().positive();
const options = z.object({ orders: count.optional(), rounds: count.default(2) });

interface Part {
  /** One turn of one version: its figures, by their names in `figures`. */
  turn(start: StartOrderWorld, orders: number | undefined): Promise<Record<string, number>>;
  figures: Record<string, { unit: string; atMost: number } | { unit: string; atLeast: number }>;
}

const cost: Part = {
  async turn(start, orders = 190) {
    await using world = await start();
    const { app, database, bytes, wal } = await orderCost(world, orders);
    return { "P16.app": app, "P16.database": database, "P17.bytes": bytes, "P17.wal": wal };
  },
  figures: {
    "P16.app": { unit: COST_UNITS.app, atMost: COST_GOALS.app },
    "P16.database": { unit: COST_UNITS.database, atMost: COST_GOALS.database },
    "P17.bytes": { unit: COST_UNITS.bytes, atMost: COST_GOALS.bytes },
    "P17.wal": { unit: COST_UNITS.wal, atMost: COST_GOALS.wal },
  },
};

const parts: Record<string, Part> = {
  p16: cost,
  p17: cost,
  p18: {
    async turn(start) {
      const { trips, far_ms: p50 } = await roundTrips(start);
      return { "P18.trips": trips, "P18.p50": p50 };
    },
    figures: {
      "P18.trips": {
        unit: "journeys to the database one after the other",
        atMost: TRIP_GOALS.trips,
      },
      "P18.p50": { unit: "ms from payment to form with 20 ms to it", atMost: TRIP_GOALS.p50 },
    },
  },
  p19: {
    async turn(start) {
      const { value, isWhole } = await scaleOut(withRoom(start));
      if (!isWhole) throw new Error("P19: orders were lost or doubled");
      return { P19: value };
    },
    figures: { P19: { unit: "throughput of 8 processes ÷ 8 × that of 1", atLeast: SCALE_GOAL } },
  },
  p20: {
    async turn(start, orders = 1_000) {
      await using world = await start({ workers: 1 });
      const { mb, connections } = await workerSize(world, orders);
      return { "P20.memory": mb, "P20.connections": connections };
    },
    figures: {
      "P20.memory": { unit: "MB that a worker holds after the orders", atMost: SIZE_GOALS.mb },
      "P20.connections": { unit: "connections of a worker", atMost: SIZE_GOALS.connections },
    },
  },
};

/**
 * P16 to P20 of the former version and of this one, by turns in one run: the same orders, the same ruler, worlds that are
 * driven from outside. `--rounds=N` (2) is how often each has its turn, `--orders=N` how many orders it gets there.
 */
export async function measureBeside(names: readonly string[]): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { orders: { type: "string" }, rounds: { type: "string" } },
    strict: false,
  });
  const { orders, rounds } = options.parse(values);
  const chosen = new Set((names.length > 0 ? names : Object.keys(parts)).map(partOf));
  const former = await prepareFormerVersion(console.log);
  if (former === null) return {};
  const versions = [
    { name: "former", start: startVersion(former) },
    { name: "now", start: startVersion(REPOSITORY) },
  ] as const;

  const figures: Figures = {};
  for (const part of chosen) {
    const seen = { former: [], now: [] } as Record<"former" | "now", Record<string, number>[]>;
    for (let round = 0; round < rounds; round++)
      // The first of this round is the second of the next.
      for (const { name, start } of round % 2 ? versions.toReversed() : versions) {
        const turn = await part.turn(start, orders);
        console.log(`${name === "former" ? FORMER : "now"}: ${JSON.stringify(turn)}`);
        seen[name].push(turn);
      }
    for (const [id, goal] of Object.entries(part.figures)) {
      const of = (turns: Record<string, number>[]) => turns.map((turn) => turn[id] ?? Number.NaN);
      const before = of(seen.former);
      const after = of(seen.now);
      const value = middle(after);
      figures[`beside.${id}`] = {
        value,
        unit: `${goal.unit}, beside ${middle(before)} of ${FORMER}`,
        goal: "atMost" in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`,
        met: "atMost" in goal ? value <= goal.atMost : value >= goal.atLeast,
        rounds: after.map((now, at) => ({ former: before[at] ?? Number.NaN, now })),
      };
    }
  }
  console.log(asTable(figures));
  return figures;
}

const middle = (values: number[]) => rounded(median(values), 2);

/** The former version opens 26 connections for each process: eight of them are more than a world's own PostgreSQL takes. */
function withRoom(start: StartOrderWorld): StartOrderWorld {
  return async (options) => {
    const postgres = await startEmptyPostgres(["-c", "max_connections=400"]);
    const world = await start({ ...options, databaseUrl: postgres.url });
    return {
      ...world,
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]();
        await postgres.stop();
      },
    };
  };
}

function partOf(name: string): Part {
  const part = parts[name];
  if (!part)
    throw new Error(`beside has no part "${name}". It has: ${Object.keys(parts).join(", ")}.`);
  return part;
}

function asTable(figures: Figures): string {
  return table(
    Object.entries(figures).map(([id, { value, goal, met, rounds }]) => ({
      figure: id.replace("beside.", ""),
      [FORMER]: middle(rounds.map(({ former = Number.NaN }) => former)),
      now: value,
      goal,
      "": met ? "met" : "missed",
    })),
  );
}
