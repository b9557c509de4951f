import { expect, test } from "vitest";
import { readArguments } from "./arguments.ts";
import { type OutageReport, runFreeze, runSkew } from "./outage.ts";
import { isSound } from "./verdict.ts";

// The quarantine outlasts what the service creates late, also on a busy machine (phases.ts).
const SIZE = ["--orders", "10", "--workers", "1", "--quarantine-ms", "8000", "--seed", "1"];

function expectSound({ verdict, told }: OutageReport): void {
  expect(isSound(verdict), `${told.join("\n")}\n${JSON.stringify(verdict)}`).toBe(true);
  expect(verdict.units).toBeGreaterThan(0);
}

test("orders each unit once while every process has another wrong clock", async () => {
  expectSound(await runSkew(readArguments(["--skew", ...SIZE])));
}, 900_000);

test("says that it is not ready and moves again when database connections freeze", async () => {
  expectSound(await runFreeze(readArguments(["--freeze", ...SIZE])));
}, 900_000);
