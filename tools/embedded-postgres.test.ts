import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "./embedded-postgres.ts";

test("any free port is none that a system gives to outgoing connections", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pathway-any-port-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startPostgres({ dir: join(folder, "postgres"), port: 0 });
  onTestFinished(() => server.stop());
  const port = Number(new URL(server.url).port);
  expect(port).toBeGreaterThanOrEqual(10_000);
  expect(port).toBeLessThan(12_000);
});
