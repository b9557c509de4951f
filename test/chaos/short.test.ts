import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { toText } from "./report.ts";
import { runChaos } from "./run-chaos.ts";
import { killsOf } from "./tally.ts";
import { isSound } from "./verdict.ts";

/** The long form is `npm run chaos`: this one shows that it works, and that nothing gross is broken. */
test("orders survive deaths at named points, a dead database and faults of both servers", async () => {
  const size = ["--orders", "12", "--kills", "14", "--workers", "1", "--database-seconds", "12"];
  const options = readArguments([...size, "--seed", "1"]);
  const said: string[] = [];
  const report = await runChaos(options, (line) => said.push(line));
  const text = `${said.join("\n")}\n${toText(report)}`;
  expect(isSound(report.verdict), text).toBe(true);
  expect(killsOf(report.tally)).toBeGreaterThanOrEqual(options.kills);
  expect(report.verdict.units).toBeGreaterThan(0);
}, 1_200_000);
