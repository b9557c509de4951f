/**
 * `npm run mutation`: Stryker changes the core of the program, one small fault at a time (targets.ts), and runs the tests
 * that reach the changed place. A mutant that no test notices survives. Survivors that are known to change nothing are in
 * known-survivors.json, each with its reason; any other one fails the command, and so does an entry that is noticed by now.
 *
 *   npm run mutation                              all files
 *   npm run mutation -- app/platform/encryption/sealing.ts …      these only
 *   npm run mutation -- --workers=1               leaves the machine to others
 *   npm run mutation -- --shrink                  takes entries out of the list that no longer survive
 */
import { rmSync } from "node:fs";
import { Stryker } from "@stryker-mutator/core";
import { compareWithKnown, dropNoticed } from "./known-survivors.ts";
import { readSurvivors } from "./survivor.ts";
import { TARGETS } from "./targets.ts";

const MIN_SCORE = 90;
const NOTICED: ReadonlySet<string> = new Set(["Killed", "Timeout"]);
const SURVIVED: ReadonlySet<string> = new Set(["Survived", "NoCoverage"]);

const args = process.argv.slice(2);
const shrink = args.includes("--shrink");
const workers = args.find((arg) => arg.startsWith("--workers="))?.split("=")[1];
const wanted = args.filter((arg) => !arg.startsWith("--"));
const all: string[] = Object.values(TARGETS).flat();
const files = wanted.length > 0 ? wanted : all;
const strange = files.filter((file) => !all.includes(file));
if (strange.length > 0) {
  process.stderr.write(`Not in tools/mutation/targets.ts: ${strange.join(", ")}\n`);
  process.exit(1);
}

// A run that was stopped leaves its copy, and the gates would look at it.
const clear = () => rmSync(".cache/mutation", { recursive: true, force: true });
clear();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    clear();
    process.exit(1);
  });

// Works on a copy of the sources, so that no file is changed that somebody is editing.
const mutants = await new Stryker({
  configFile: "tools/mutation/stryker.config.json",
  mutate: files,
  ...(workers ? { concurrency: Number(workers) } : {}),
}).runMutationTest();

const rate = (file?: string) => {
  const own = mutants.filter((one) => file === undefined || one.fileName.endsWith(file));
  const noticed = own.filter(({ status }) => NOTICED.has(status)).length;
  const valid = noticed + own.filter(({ status }) => SURVIVED.has(status)).length;
  return { noticed, valid, score: valid === 0 ? 100 : (100 * noticed) / valid };
};
const line = (name: string, { noticed, valid, score }: ReturnType<typeof rate>) =>
  `${score.toFixed(1).padStart(6)} %  ${`${noticed}/${valid}`.padStart(9)}  ${name}\n`;

for (const [subject, own] of Object.entries(TARGETS)) {
  const looked = own.filter((file) => files.includes(file));
  if (looked.length > 0) process.stdout.write(`\n${subject}\n`);
  for (const file of looked) process.stdout.write(line(file, rate(file)));
}
const total = rate();
process.stdout.write(`\n${line("in all", total)}`);

const survivors = readSurvivors(mutants.filter(({ status }) => SURVIVED.has(status)));
if (shrink) dropNoticed(files, survivors);
const faults = compareWithKnown(files, survivors);
if (wanted.length === 0 && total.score < MIN_SCORE)
  faults.push(`the score is below ${MIN_SCORE} %`);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
