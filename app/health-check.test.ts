import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { listening } from "../test/samples/listening.ts";
import { createHealthCheck } from "./health-check.ts";
import { createLogger } from "./platform/logger.ts";
import { type UnreadyReason, watchVitals } from "./queue/vitals.ts";

const db = await openTestDatabase();

/** A process that answers `GET /healthz`. */
async function start() {
  const vitals = watchVitals({ pool: db.pool, logger: createLogger("silent"), onHang: () => {} });
  onTestFinished(() => vitals.stop());
  const answers = createHealthCheck(db.pool, vitals);
  const server = createServer((request, response) => {
    if (!answers(request, response)) response.writeHead(404).end();
  });
  const port = await listening(server);
  return {
    vitals,
    status: async (path = "/healthz") => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
  };
}

test("is well until the database does not answer, or the process is told to stop", async () => {
  const { vitals, status } = await start();
  expect([await status(), await status("/healthy")]).toEqual([200, 404]);
  vitals.ready();
  await db.whileDown(async () => expect(await status()).toBe(503));
  await expect.poll(() => status()).toBe(200);
  await db.whileReadOnly(() => expect.poll(() => status()).toBe(503));
  await expect.poll(() => status()).toBe(200);
  vitals.stop();
  expect(await status()).toBe(503);
});

test("is not well while no message can be stored, though the database answers", async () => {
  const { vitals, status } = await start();
  let reason: UnreadyReason | null = null;
  vitals.watch(() => reason);
  vitals.ready();
  expect(await status()).toBe(200);
  reason = "intake_failing";
  expect(await status()).toBe(503);
  // Work that is stored, and waits.
  reason = "relay_late";
  expect(await status()).toBe(200);
});
