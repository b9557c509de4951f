import { setTimeout as delay } from "node:timers/promises";
import type { Figures } from "../figure.ts";
import { table } from "../table.ts";
import { rounded } from "./numbers.ts";
import { toTheEnd } from "./order-walk.ts";
import type { OrderWorld } from "./order-world.ts";
import { startQuietWorld } from "./quiet-world.ts";
import { tableSizes, total, vacuum, writtenWal } from "./storage.ts";

const WARM_UP = 20;
/** After so many orders it is looked at what they have left. */
const MARKS = [100, 300, 1_000];
const GOAL = 25_000;
/** An app to which nothing happens is watched for so long, after PostgreSQL has taken statistics of tables that began to grow. */
const IDLE_SECONDS = 120;
const SETTLING_SECONDS = 150;
const IDLE_GOAL = 2_000;

/**
 * P17.idle, and P17 over many orders: what they leave in PostgreSQL while it vacuums by itself, as it is configured, with nothing done
 * to help it: what is alive of them, and space that the next orders use again. The first pay for space that those after them use, so
 * the figure is what the last 700 leave.
 */
export async function measureLeftovers(): Promise<Figures> {
  await using world = await startQuietWorld();
  await toTheEnd(world, WARM_UP);
  const idle = await idleWal(world);
  await vacuum(world, "FULL");
  const look = async (orders: number) => {
    const tables = await tableSizes(world);
    return { orders, tables, bytes: total(tables), wal: await writtenWal(world) };
  };
  await vacuum(world);
  const looks = [await look(0)];
  for (const mark of MARKS) {
    await toTheEnd(world, mark - (looks.at(-1)?.orders ?? 0));
    looks.push(await look(mark));
  }
  const [first, ...later] = looks;
  if (!first) throw new Error("nothing was measured");
  const rounds = later.map((now, at) => {
    const before = looks[at] ?? first;
    return {
      orders: now.orders,
      bytes_each: rounded((now.bytes - first.bytes) / now.orders, 0),
      bytes_each_since_last: rounded((now.bytes - before.bytes) / (now.orders - before.orders), 0),
      wal_each_since_last: rounded((now.wal - before.wal) / (now.orders - before.orders), 0),
    };
  });
  const last = later.at(-1);
  const before = later.at(-2);
  if (last && before) {
    const grown = [...last.tables].map(([name, bytes]) => ({
      name,
      bytes: Math.round((bytes - (before.tables.get(name) ?? 0)) / (last.orders - before.orders)),
    }));
    console.log(table(grown.filter(({ bytes }) => bytes >= 200)));
  }
  const lasting = rounds.at(-1)?.bytes_each_since_last ?? Number.NaN;
  return {
    "P17.idle": {
      ...{ value: idle, unit: "bytes of WAL a second while nothing happens" },
      ...{ goal: `≤ ${IDLE_GOAL}`, met: idle <= IDLE_GOAL, rounds: [{ seconds: IDLE_SECONDS }] },
    },
    "P17.lasting": {
      ...{ value: lasting, unit: "bytes that each of the last 700 of 1,000 orders leaves" },
      ...{ goal: `≤ ${GOAL}`, met: lasting <= GOAL, rounds },
    },
  };
}

async function idleWal(world: OrderWorld): Promise<number> {
  await delay(SETTLING_SECONDS * 1_000);
  const before = await writtenWal(world);
  await delay(IDLE_SECONDS * 1_000);
  return rounded(((await writtenWal(world)) - before) / IDLE_SECONDS, 0);
}
