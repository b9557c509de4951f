import { expect, test } from "vitest";
import { awaitWritable } from "../../app/platform/database/await-writable.ts";
import { readArguments } from "./arguments.ts";
import { failoverText, runFailover } from "./failover.ts";
import { startReplicatedPostgres } from "./replicated-postgres.ts";
import { isSound } from "./verdict.ts";

/** The long forms are `npm run chaos -- --failover async`, with other lags and `--restart`. */
test("orders nothing twice when a standby that lost commits takes over while the app runs", async () => {
  const size = ["--orders", "12", "--workers", "1", "--quarantine-ms", "1500", "--seed", "1"];
  const options = readArguments(["--failover", "async", "--lag-ms", "1500", ...size]);
  const said: string[] = [];
  const report = await runFailover(options, (line) => said.push(line));
  expect(isSound(report.verdict), `${said.join("\n")}\n${failoverText(report)}`).toBe(true);
  expect(report.creates).toBeGreaterThan(0);
}, 180_000);

test("waits with the start while the database is a standby, and starts once it is promoted", async () => {
  await using postgres = await startReplicatedPostgres();
  const told = Promise.withResolvers<void>();
  let isStarted = false;
  const start = awaitWritable(postgres.standbyUrl, { warn: () => told.resolve() });
  const started = start.then(() => {
    isStarted = true;
  });
  await told.promise;
  expect(isStarted).toBe(false);
  await postgres.failOver();
  await started;
}, 60_000);
