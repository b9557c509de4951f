/**
 * The last one out: a small process beside the world that ends every process of it and removes throw-away data as
 * soon as its standard input closes, which the operating system sees to however the supervisor ended, SIGKILL included.
 * The supervisor's own stop is nothing but closing that pipe, so that there is one way out and it is used every time.
 *
 * Run by reaper-client.ts. Reads one JSON order per line:
 * {"watch": pid, "role": "client" | "database"}, {"forget": pid}, {"remove": folder}.
 */
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { endProcesses, isAlive, signal } from "./process-life.ts";

const orderSchema = z.union([
  z.object({ watch: z.number().int().positive(), role: z.enum(["client", "database"]) }),
  z.object({ forget: z.number().int() }),
  z.object({ remove: z.string().min(1) }),
]);
export type ReaperOrder = z.infer<typeof orderSchema>;

const clients = new Set<number>();
const databases = new Set<number>();
const folders = new Set<string>();

// The terminal's Ctrl-C and a closing session are the supervisor's business: we outlive it on purpose.
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => {});

for await (const line of createInterface({ input: process.stdin })) {
  const order = orderSchema.parse(JSON.parse(line));
  if ("watch" in order) (order.role === "client" ? clients : databases).add(order.watch);
  else if ("remove" in order) folders.add(order.remove);
  else for (const watched of [clients, databases]) watched.delete(order.forget);
}

await endProcesses([...clients].filter(isAlive), { ask: "SIGTERM", graceMs: 6_000 });
// PostgreSQL goes last, so that its clients can finish; SIGINT is its fast, orderly shutdown.
await endProcesses([...databases].filter(isAlive), { ask: "SIGINT", graceMs: 15_000 });
// Every program leads a group of its own: what a program started and left behind goes too.
for (const leader of [...clients, ...databases]) signal(-leader, "SIGKILL");
for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
