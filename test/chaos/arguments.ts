import { parseArgs } from "node:util";
import { z } from "zod";

export interface ChaosOptions {
  /** Paid orders, of one to three units each. */
  orders: number;
  /** Processes of the app that are ended without a word (SIGKILL) while the orders are handled. */
  kills: number;
  /** Makes the same run again, as far as the machine's own timing permits. */
  seed: number;
  /** Processes that only work off jobs, beside the one that serves as well. */
  workers: number;
  /** Seconds between two sudden ends of PostgreSQL; 0 leaves it alone. */
  databaseSeconds: number;
  /** How long an unclear creation is left alone before it is looked for again. */
  quarantineMs: number;
  /** Where the report goes as JSON, besides standard output. */
  json: string | undefined;
}

export const USAGE =
  "npm run chaos -- [--short] [--orders N] [--kills N] [--seed N] [--workers N] [--database-seconds N] [--quarantine-ms N] [--json FILE]";

const count = z.coerce.number().int().min(0);
const schema = z.object({
  orders: count.optional(),
  kills: count.optional(),
  seed: count.default(() => Date.now() % 100_000),
  workers: count.max(16).default(3),
  "database-seconds": count.default(20),
  "quarantine-ms": count.default(6000),
  json: z.string().optional(),
});
const FULL = { orders: 1000, kills: 500 };
const SHORT = { orders: 40, kills: 30 };

/** Reads the command line. Throws on anything that is not in {@link USAGE}. */
export function readArguments(args: readonly string[]): ChaosOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: "boolean" },
      orders: text,
      kills: text,
      seed: text,
      workers: text,
      "database-seconds": text,
      "quarantine-ms": text,
      json: text,
    },
  });
  const { short, ...given } = values;
  const size = short ? SHORT : FULL;
  const { orders = size.orders, kills = size.kills, ...read } = schema.parse(given);
  return {
    orders,
    kills,
    seed: read.seed,
    workers: read.workers,
    databaseSeconds: read["database-seconds"],
    quarantineMs: read["quarantine-ms"],
    json: read.json,
  };
}
