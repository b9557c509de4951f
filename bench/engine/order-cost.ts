import { parseArgs } from "node:util";
import { z } from "zod";
import { cpuTimeMs } from "../cpu-time.ts";
import type { Figures } from "../figure.ts";
import { rounded } from "./numbers.ts";
import { settled, toForms, toReports, toTheEnd } from "./order-walk.ts";
import type { OrderWorld } from "./order-world.ts";
import { startQuietWorld } from "./quiet-world.ts";
import { tableSizes, total, vacuum, writtenWal } from "./storage.ts";

const WARM_UP = 20;
export const COST_GOALS = { app: 60, database: 40, bytes: 20_000, wal: 90_000 };
export const COST_UNITS = {
  app: "ms of the app's processor time per order",
  database: "ms of PostgreSQL's processor time per order",
  bytes: "bytes of an order that are alive in PostgreSQL, without documents",
  wal: "bytes of WAL per order, documents included",
};

const options = z.object({
  orders: z.coerce.number().int().positive().default(190),
  /** Where PDFs go, as PATHWAY_DOCUMENTS says it. */
  documents: z.enum(["database", "files"]).default("database"),
});

/**
 * P16 and P17: what an order of one unit, a whole panel of tests, costs. Processor time of the app and of PostgreSQL from its
 * webhook to its form; bytes that are alive in PostgreSQL, without documents, and bytes of WAL, from its webhook to its report.
 * So many orders of such a kind are what the goals were measured with (docs/decisions/0208).
 */
export async function measureOrderCost(): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { orders: { type: "string" }, documents: { type: "string" } },
    strict: false,
  });
  const { orders, documents } = options.parse(values);
  await using world = await startQuietWorld({ env: { PATHWAY_DOCUMENTS: documents } });
  const { tables, ...perOrder } = await orderCost(world, orders);
  for (const [name, bytes] of tables)
    if (bytes >= 500) console.log(`${name}: ${Math.round(bytes)} bytes per order`);
  const rounds = [{ orders, ...perOrder }];
  const figure = (name: keyof typeof COST_GOALS) => ({
    value: perOrder[name],
    unit: COST_UNITS[name],
    goal: `≤ ${COST_GOALS[name]}`,
    met: perOrder[name] <= COST_GOALS[name],
    rounds,
  });
  return {
    "P16.app": figure("app"),
    "P16.database": figure("database"),
    "P17.bytes": figure("bytes"),
    "P17.wal": figure("wal"),
  };
}

/**
 * The difference that so many orders make to a world, for each of them, after some that warm its processes up: once before its
 * tables are packed, for what is alive, and once after that, so that they are as tables in use are.
 */
export async function orderCost(world: OrderWorld, orders: number) {
  await toTheEnd(world, WARM_UP);
  await vacuum(world, "FULL");
  const packed = total(await tableSizes(world));
  await toTheEnd(world, WARM_UP);

  await vacuum(world);
  const before = { tables: await tableSizes(world), wal: await writtenWal(world) };
  // After the vacuum, which is no order's.
  const cpuBefore = await processorTime(world);
  await toForms(world, orders);
  const cpu = await processorTime(world);
  // What is left of the last orders, then an app that has nothing to do until its next checks, and our questions whether it has.
  await settled(world);
  const cpuAtRest = await processorTime(world);
  await toReports(world);
  await settled(world);
  const wal = await writtenWal(world);
  await vacuum(world);
  const after = await tableSizes(world);
  await vacuum(world, "FULL");
  const alive = total(await tableSizes(world)) - packed;

  const perOrder = (now: number, then: number) => rounded((now - then) / orders, 1);
  return {
    app: perOrder(cpu.app, cpuBefore.app),
    database: perOrder(cpu.database, cpuBefore.database),
    app_until_rest: perOrder(cpuAtRest.app, cpu.app),
    database_until_rest: perOrder(cpuAtRest.database, cpu.database),
    bytes: rounded(alive / (orders + WARM_UP), 1),
    /** With the space that the next orders use again. */
    bytes_held: perOrder(total(after), total(before.tables)),
    wal: perOrder(wal, before.wal),
    tables: new Map(
      [...after].map(([name, now]) => [name, perOrder(now, before.tables.get(name) ?? 0)]),
    ),
  };
}

async function processorTime(world: OrderWorld): Promise<{ app: number; database: number }> {
  const { app, workers, database } = await world.processes();
  return {
    app: [app, ...workers].reduce((sum, pid) => sum + cpuTimeMs(pid), 0),
    database: database === null ? Number.NaN : cpuTimeMs(database),
  };
}
