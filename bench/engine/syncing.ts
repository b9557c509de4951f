import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { z } from "zod";
import { APP } from "../../sandbox/world/app-command.ts";
import { type Figures, median } from "../figure.ts";
import { rounded } from "./numbers.ts";

const GOAL = 1.05;
export const PAGE = 20;
const WALKS = fileURLToPath(new URL("list-walks.ts", import.meta.url));

const options = z.object({ referrals: z.coerce.number().int().min(10_000).default(100_000) });
const readRounds = z.array(z.looseObject({ ratio: z.number(), gets: z.number() }));

/**
 * P13: the app's service sync walks the list of the sandbox's service, over HTTP, past 100,000 referrals that are all
 * stored, ÷ a bare loop that fetches the same pages one after another and parses their JSON. A round is a whole walk
 * of each, by turns first. Both are in a process with a worker's flags, which decide how its memory is collected.
 */
export async function measureSync(): Promise<Figures> {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { referrals: { type: "string" } },
    allowPositionals: true,
  });
  const { referrals } = options.parse(values);
  const args = [...APP.nodeFlags, ...APP.workerFlags, WALKS, String(referrals)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const rounds = readRounds.parse(JSON.parse(stdout)) as Record<string, number>[];
  const value = rounded(median(rounds.map((round) => round.ratio ?? Number.NaN)), 3);
  const most = Math.max(...rounds.map((round) => round.gets ?? Number.NaN));
  return {
    P13: {
      value,
      unit: "the sync's time ÷ the bare loop's over the same GETs",
      goal: `≤ ${GOAL}`,
      met: value <= GOAL,
      rounds,
    },
    "P13.gets": {
      value: most,
      unit: `GETs for ${referrals} referrals, with their results`,
      goal: `≤ ${referrals / PAGE + 2}`,
      // A list that ends with a full page shows its end by one more; and there are results.
      met: most <= referrals / PAGE + 2,
      rounds: [],
    },
  };
}
