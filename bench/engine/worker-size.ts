import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import type { Figures } from "../figure.ts";
import type { OrderWorld } from "./order-world.ts";
import { giveDetails, payOrders } from "./pay-orders.ts";
import { startQuietWorld } from "./quiet-world.ts";

export const SIZE_GOALS = { mb: 200, connections: 15 };
const options = z.object({ orders: z.coerce.number().int().positive().default(1_000) });

/**
 * P20: what a process that only works holds in memory after so many orders from payment to form (`--orders=10000` is the whole
 * of it, in about an hour), and how many connections it has to the database.
 */
export async function measureWorkerSize(): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { orders: { type: "string" } },
    strict: false,
  });
  const { orders } = options.parse(values);
  await using world = await startQuietWorld({ workers: 1 });
  const size = await workerSize(world, orders);
  const { mb, connections } = size;
  const rounds = [{ orders, ...size }];
  return {
    "P20.memory": {
      value: mb,
      unit: `MB that a worker holds after ${orders} orders`,
      goal: `≤ ${SIZE_GOALS.mb}`,
      met: mb <= SIZE_GOALS.mb,
      rounds,
    },
    "P20.connections": {
      value: connections,
      unit: "connections of a worker to the database, at most",
      goal: `≤ ${SIZE_GOALS.connections}`,
      met: connections <= SIZE_GOALS.connections,
      rounds,
    },
  };
}

/** How large the worker of a world is before and after so many orders, and its connections, looked at twice a second. */
export async function workerSize(world: OrderWorld, orders: number) {
  const [pid] = (await world.processes()).workers;
  if (!pid) throw new Error("the world has no worker");
  const port = Number(new URL(world.line.owner_database_url).port);
  const freshMb = residentMb(pid);
  let connections = 0;
  const looking = setInterval(() => {
    connections = Math.max(connections, connectionsTo(pid, port));
  }, 500);
  try {
    await Promise.all([payOrders(world, orders), giveDetails(world, orders)]);
    const open = `SELECT count(*) FROM referral_requests WHERE state <> 'created'`;
    while ((await world.sql.count(open)) > 0) await delay(500);
  } finally {
    clearInterval(looking);
  }
  return { fresh_mb: freshMb, mb: residentMb(pid), connections };
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

/** The open sockets of a process that lead to a port of this machine. */
function connectionsTo(pid: number, port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const inodes = new Set(
    readFileSync(`/proc/${pid}/net/tcp`, "utf8")
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , remote, state]) => remote?.endsWith(`:${hex}`) && state === "01")
      .map((columns) => columns[9]),
  );
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    } catch {
      // Closed since it was listed.
      return false;
    }
  }).length;
}
