import { CRASH_POINTS } from "../../app/platform/crash-points.ts";
import type { ChaosOptions } from "./arguments.ts";
import type { Repaired } from "./settle.ts";
import { killsOf, type Tally, unreached } from "./tally.ts";
import type { Verdict } from "./verdict.ts";

export interface Report {
  options: Pick<ChaosOptions, "orders" | "kills" | "seed" | "workers">;
  kills: number;
  tally: Tally;
  verdict: Verdict;
  /** The findings of the app's own regular look at the store, because no message about them had come through. */
  repaired: Repaired;
  seconds: number;
}

/** The report as one JSON value. */
export function toJson({ tally, ...report }: Report) {
  const { atPoint, faults, ...counts } = tally;
  return {
    ...report,
    ...counts,
    unreached: unreached(tally),
    points: Object.fromEntries(atPoint),
    faults: Object.fromEntries(faults),
  };
}

/** The report as a table for people. */
export function toText({ options, tally, verdict, repaired, seconds }: Report): string {
  const points = [...tally.atPoint].map(([point, kills]) => row(point, kills, meaning(point)));
  const faults = [...tally.faults].map(([name, { phases, creates }]) =>
    row(name, phases, `${creates} create calls came meanwhile`),
  );
  const { units, referrals, lost, duplicated, unasked, unresolved } = verdict;
  return [
    `Kills at named points (${unreached(tally).length} of ${tally.atPoint.size} not reached)`,
    ...points,
    "Faults, times in force",
    ...faults,
    "Beside these",
    row("SIGKILL at random", tally.random),
    row("SIGSTOP past every deadline, SIGCONT", tally.frozen),
    row("SIGTERM", tally.asked),
    row("PostgreSQL ended", tally.database),
    row("orders found by catch-up", repaired.imported, "no message about them had come through"),
    row("orders brought up to date by it", repaired.changed, "nor about what was changed in these"),
    `Verdict: seed ${options.seed}, ${options.orders} orders, ${killsOf(tally)} kills, ${seconds} s`,
    row("units paid and kept", units),
    row("referrals at the service", referrals),
    row("lost", lost),
    row("duplicated", duplicated),
    row("unasked", unasked),
    row("unresolved", unresolved),
    row(
      "taken back after creation",
      verdict.takenBackAfterCreation,
      "may have one; shown to staff",
    ),
    row("forms missing", verdict.withoutForm),
    row("in a wrong list of the admin", verdict.misplaced),
    row("mails sent twice", verdict.mailDuplicates, "allowed: two mails harm less than none"),
    ...verdict.examples.map((line) => `  ! ${line}`),
  ].join("\n");
}

const row = (name: string, count: number, note = "") =>
  `  ${name.padEnd(44)}${String(count).padStart(7)}${note && `  ${note}`}`;

const meaning = (point: string): string =>
  new Map<string, string>(Object.entries(CRASH_POINTS)).get(point) ?? "";
