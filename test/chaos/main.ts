/**
 * `npm run chaos`: paid orders while processes are killed at every named point, PostgreSQL is ended and both
 * servers misbehave, and then the counts that matter. `--failover async` (failover.ts), `--freeze` and `--skew`
 * (outage.ts) do so under one fault from outside instead, and `--lives` (lives/) under whatever people do, with `--kills`
 * while processes are killed. A table on standard error, one JSON line on standard output; exit 0 only when every unit that was paid and kept has exactly one referral at the service and its form, and
 * nothing else has one; of `--lives`, only when all that is said of each test agrees.
 */
import { writeFileSync } from "node:fs";
import { readArguments, USAGE } from "./arguments.ts";
import { failoverText, runFailover } from "./failover.ts";
import { livesText, runLives } from "./lives/run-lives.ts";
import { type OutageReport, runFreeze, runSkew } from "./outage.ts";
import { toJson, toText } from "./report.ts";
import { runChaos } from "./run-chaos.ts";
import { isSound } from "./verdict.ts";

const tell = (line: string) => process.stderr.write(`  ${line}\n`);
const options = read();
tell(`seed ${options.seed}: ${options.orders} orders, ${options.kills} kills`);
const { text, json, isWell } = await run();
process.stderr.write(`${text}\n`);
if (options.json) writeFileSync(options.json, `${JSON.stringify(json, null, 2)}\n`);
console.log(JSON.stringify(json));
process.exitCode = isWell ? 0 : 1;

function run() {
  if (options.lives) return lived();
  if (options.failover) return failedOver();
  if (options.freeze) return reported(runFreeze(options));
  if (options.skew) return reported(runSkew(options));
  return killed();
}

async function reported(running: Promise<OutageReport>) {
  const report = await running;
  const text = [...report.told, JSON.stringify(report.verdict)].join("\n");
  return { text, json: report, isWell: isSound(report.verdict) };
}

async function lived() {
  const report = await runLives(options, tell);
  return { text: livesText(report), json: report, isWell: report.contradictions.length === 0 };
}

async function killed() {
  const report = await runChaos(options, tell);
  return { text: toText(report), json: toJson(report), isWell: isSound(report.verdict) };
}

async function failedOver() {
  const report = await runFailover(options, tell);
  return { text: failoverText(report), json: report, isWell: isSound(report.verdict) };
}

function read() {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${USAGE}\n`);
    process.exit(0);
  }
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    process.exit(2);
  }
}
