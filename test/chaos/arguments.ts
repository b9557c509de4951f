import { parseArgs } from "node:util";
import { z } from "zod";
import { QUARANTINE_MS } from "./phases.ts";

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
  /** Instead of kills: a standby that lags behind takes the place of PostgreSQL. */
  failover: boolean;
  /** Instead of kills: database connections freeze. */
  freeze: boolean;
  /** Instead of kills: each process has another wrong clock. */
  skew: boolean;
  /** Anything that people may do with an order, in any sequence; with as many kills as are asked for. */
  lives: boolean;
  /** For how long the standby has learnt nothing when it is promoted. */
  lagMs: number;
  /** Whether every process of the app is killed when the standby is promoted. */
  restart: boolean;
  /** A database that is there already, instead of one of the run's own, which nobody ends. */
  databaseUrl: string | undefined;
  /** Where the report goes as JSON, besides standard output. */
  json: string | undefined;
}

export const USAGE =
  "npm run chaos -- [--short] [--orders N] [--kills N] [--seed N] [--workers N] [--database-seconds N] [--database-url URL] [--quarantine-ms N] [--json FILE]\n" +
  "npm run chaos -- --failover async [--lag-ms N] [--restart] [--orders N] [--seed N] [--workers N] [--quarantine-ms N] [--json FILE]\n" +
  "npm run chaos -- --lives [--orders N] [--kills N] [--seed N] [--workers N] [--quarantine-ms N] [--json FILE]\n" +
  "npm run chaos -- --freeze | --skew [--orders N] [--seed N] [--workers N] [--quarantine-ms N] [--json FILE]";

const count = z.coerce.number().int().min(0);
const schema = z.object({
  orders: count.optional(),
  kills: count.optional(),
  seed: count.default(() => Date.now() % 100_000),
  workers: count.max(16).default(3),
  "database-seconds": count.default(20),
  "quarantine-ms": count.default(QUARANTINE_MS),
  failover: z.literal("async").optional(),
  freeze: z.boolean().default(false),
  skew: z.boolean().default(false),
  lives: z.boolean().default(false),
  "lag-ms": count.default(3000),
  restart: z.boolean().default(false),
  "database-url": z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  json: z.string().optional(),
});
const FULL = { orders: 1000, kills: 500 };
const SHORT = { orders: 40, kills: 30 };
const OUTAGE = { orders: 40, kills: 0 };

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
      failover: text,
      freeze: { type: "boolean" },
      skew: { type: "boolean" },
      lives: { type: "boolean" },
      "lag-ms": text,
      restart: { type: "boolean" },
      "database-url": text,
      json: text,
    },
  });
  const { short, ...given } = values;
  const ofKills = short ? SHORT : FULL;
  const isOutage = given.failover || given.freeze || given.skew || given.lives;
  const size = isOutage ? OUTAGE : ofKills;
  const { orders = size.orders, kills = size.kills, ...read } = schema.parse(given);
  return {
    orders,
    kills,
    seed: read.seed,
    workers: read.workers,
    databaseSeconds: read["database-seconds"],
    quarantineMs: read["quarantine-ms"],
    failover: read.failover !== undefined,
    freeze: read.freeze,
    skew: read.skew,
    lives: read.lives,
    lagMs: read["lag-ms"],
    restart: read.restart,
    databaseUrl: read["database-url"],
    json: read.json,
  };
}
