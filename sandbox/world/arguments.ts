import { parseArgs } from "node:util";
import { z } from "zod";

export type WorldMode = "stay" | "once" | "headless";

export interface WorldOptions {
  /** `stay`: fixed ports, kept data, one purchase, then stays. `once`: one purchase, ends. `headless`: no purchase, stays. */
  mode: WorldMode;
  /** Extra worker processes beside the app's own. */
  workers: number;
  /** Extra processes that only serve, behind a round-robin proxy at the app's address. */
  webs: number;
  /** Use this PostgreSQL instead of the embedded one. */
  databaseUrl: string | undefined;
  /** The same PostgreSQL without the pooling proxy that `databaseUrl` leads through. */
  directDatabaseUrl: string | undefined;
  /** The app's waiting time before an ambiguous create may be sent again; undefined leaves the app's default. */
  quarantineMs: number | undefined;
  /** How long the app's news of an order waits for further news; a second unless said otherwise. */
  mailWindowMs: number;
  /** When patients see their results, with a reviewer named; undefined leaves the app's defaults. */
  releasePolicy: string | undefined;
  /** The kind of customer accounts that the store has. */
  accounts: "new" | "legacy";
  /** Leave the app uninstalled, for those who want to install it themselves; only without a purchase. */
  uninstalled: boolean;
  /** Show what the processes say, each line after the name of its process. */
  verbose: boolean;
}

export const USAGE =
  "npm run demo -- [--once | --headless] [--workers N] [--webs N] [--database-url URL [--direct-database-url URL]] [--quarantine-ms N] [--mail-window-ms N] [--release-policy NAME] [--accounts new|legacy] [--uninstalled] [--verbose]";

const count = z.coerce.number().int().min(0);
const flags = z.object({
  once: z.boolean().default(false),
  headless: z.boolean().default(false),
  workers: count.max(64).default(0),
  webs: count.max(8).default(0),
  "database-url": z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  "direct-database-url": z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  "quarantine-ms": count.optional(),
  "mail-window-ms": count.default(1000),
  "release-policy": z.enum(["automatic", "hold_critical", "hold_abnormal", "hold_all"]).optional(),
  accounts: z.enum(["new", "legacy"]).default("new"),
  uninstalled: z.boolean().default(false),
  verbose: z.boolean().default(false),
});

/** Reads the command line. Throws an `Error` whose message is fit to be shown with {@link USAGE}. */
export function readArguments(args: readonly string[]): WorldOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      once: { type: "boolean" },
      headless: { type: "boolean" },
      workers: { type: "string" },
      webs: { type: "string" },
      "database-url": { type: "string" },
      "direct-database-url": { type: "string" },
      "quarantine-ms": { type: "string" },
      "mail-window-ms": { type: "string" },
      "release-policy": { type: "string" },
      accounts: { type: "string" },
      uninstalled: { type: "boolean" },
      verbose: { type: "boolean" },
    },
  });
  const read = flags.safeParse(values);
  if (!read.success) {
    const problems = read.error.issues.map(
      (issue) => `--${issue.path.join(".")}: ${issue.message}`,
    );
    throw new Error(problems.join("; "));
  }
  const { once, headless, workers, webs, accounts, uninstalled, verbose } = read.data;
  if (once && headless) throw new Error("--once and --headless exclude each other");
  if (read.data["direct-database-url"] && !read.data["database-url"])
    throw new Error("--direct-database-url goes with --database-url");
  if (uninstalled && !headless) throw new Error("--uninstalled goes with --headless");
  return {
    mode: once ? "once" : headless ? "headless" : "stay",
    workers,
    webs,
    databaseUrl: read.data["database-url"],
    directDatabaseUrl: read.data["direct-database-url"],
    quarantineMs: read.data["quarantine-ms"],
    mailWindowMs: read.data["mail-window-ms"],
    releasePolicy: read.data["release-policy"],
    accounts,
    uninstalled,
    verbose,
  };
}
