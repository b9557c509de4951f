import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { failoverText, runFailover } from "./failover.ts";
import { isSound } from "./verdict.ts";

/** The long forms are `npm run chaos -- --failover async`, with other lags and `--restart`. */
test("orders nothing twice when a standby that lost commits takes over while the app runs", async () => {
  const size = ["--orders", "12", "--workers", "1", "--quarantine-ms", "6000", "--seed", "1"];
  const options = readArguments(["--failover", "async", "--lag-ms", "1500", ...size]);
  const said: string[] = [];
  const report = await runFailover(options, (line) => said.push(line));
  expect(isSound(report.verdict), `${said.join("\n")}\n${failoverText(report)}`).toBe(true);
  expect(report.creates).toBeGreaterThan(0);
}, 900_000);
