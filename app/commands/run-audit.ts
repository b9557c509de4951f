import { parseArgs } from "node:util";
import { countOf } from "../modules/kernel/words.ts";
import { appendAnchors, readAnchors } from "../platform/audit-anchors.ts";
import { anchorFolder, asksForHelp, CommandError, connect, recordCommand } from "./open-command.ts";
import { type LogReport, logsOf, verifyGone, verifyLog } from "./verify-logs.ts";

const USAGE =
  "Say `npm run audit verify`, or `npm run audit accept -- --finding ID --reason TEXT`.";

const WORDS: Record<LogReport["findings"][number]["kind"], string> = {
  edited: "the row is not as it was chained",
  deleted: "the row was deleted",
  inserted: "the row was put in later",
  back_dated: "the row says a time at which the log had been chained already",
  seal_missing: "a seal before this one is missing",
  seal_altered: "the seal is not as it was written",
  truncated: "the end of the log was cut off: an anchor names this seal",
  gone: "nothing is left of the log, an anchor names this seal, and no erasure of its shop is noted",
};

interface Options {
  "database-url"?: string | undefined;
  anchors?: string | undefined;
  shop?: string | undefined;
  finding?: string | undefined;
  reason?: string | undefined;
}
type Say = (line: string) => void;

/** Does what `npm run audit` is asked for (audit.ts). Returns the exit code. Throws `CommandError` for a wrong call. */
export async function runAudit(args: string[], say: Say): Promise<number> {
  if (asksForHelp(args)) {
    say(USAGE);
    return 0;
  }
  const { values, positionals } = readArguments(args);
  if (positionals[0] === "verify") return verify(values, say);
  if (positionals[0] === "accept") return accept(values, say);
  throw new CommandError(USAGE);
}

function readArguments(args: string[]) {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { "database-url": text, anchors: text, shop: text, finding: text, reason: text },
    });
  } catch {
    // An option that nobody knows: the sentence says which there are.
    throw new CommandError(USAGE);
  }
}

async function verify(values: Options, say: Say): Promise<number> {
  const folder = anchorFolder(values.anchors);
  // Before the logs: an anchor that is written meanwhile is of a seal that this look does not see.
  const outside = await readAnchors(folder);
  const client = await connect(values["database-url"]);
  try {
    const logs = values.shop ? [values.shop] : await logsOf(client);
    const reports: LogReport[] = [];
    for (const log of logs) {
      const report = await verifyLog(client, log, outside);
      // A typing error in a shop's name must not read as a log that is whole.
      if (values.shop && isEmpty(report))
        throw new CommandError(
          `There is no log of ${values.shop} here. Is its name right, and is this the right database?`,
        );
      reports.push(report);
      tell(report, say);
    }
    const gone = values.shop ? [] : await verifyGone(client, logs, outside);
    for (const report of gone) tell(report, say);
    reports.push(...gone);
    const broken = sum(reports, ({ findings }) => findings.filter((one) => !one.accepted).length);
    if (outside.anchors.length === 0)
      say(`No anchors in ${folder}: a log that was cut off at its end would not show.`);
    if (outside.unreadable > 0)
      say(`${countOf(outside.unreadable, "unreadable line")} in ${folder}.`);
    const chained = sum(reports, ({ rows, loose }) => rows - loose);
    const loose = sum(reports, (report) => report.loose);
    say(
      `${broken === 0 ? "OK" : "BROKEN"}: ${countOf(chained, "row")} chained, ${loose} not chained yet, ${countOf(broken, "finding")} in ${countOf(reports.length, "log")}.`,
    );
    await recordCommand(client, "audit verify", { chained, loose, findings: broken });
    return broken === 0 ? 0 : 1;
  } finally {
    await client.end();
  }
}

const isEmpty = ({ rows, seals, findings }: LogReport): boolean =>
  rows === 0 && seals === 0 && findings.length === 0;

function tell(report: LogReport, say: Say): void {
  const { log, rows, seals, loose, oldestLoose, findings } = report;
  if (isEmpty(report)) return;
  const waits = loose > 0 ? `, ${loose} not chained yet (the oldest of ${oldestLoose}Z)` : "";
  say(`${log}: ${countOf(rows - loose, "row")} chained in ${countOf(seals, "seal")}${waits}`);
  for (const { kind, rowId, seal, id, accepted } of findings) {
    const place = [rowId && `row ${rowId}`, seal && `seal ${seal}`].filter(Boolean).join(", ");
    const mark = accepted ? `accepted (${accepted})` : "BROKEN";
    say(`  ${mark}: ${place}: ${WORDS[kind]} [finding ${id}]`);
  }
}

async function accept(values: Options, say: Say): Promise<number> {
  const { finding, reason } = values;
  if (!finding || !reason?.trim()) throw new CommandError(USAGE);
  const client = await connect(values["database-url"]);
  try {
    await recordCommand(client, "audit accept", { finding, reason });
    const now = new Date();
    const line = { accepted: finding, reason, at: now.toISOString() };
    await appendAnchors(anchorFolder(values.anchors), [line], now);
  } finally {
    await client.end();
  }
  say(`Finding ${finding} is accepted: ${reason}`);
  return 0;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
