import { createServer } from "node:http";
import { expect, test } from "vitest";
import { openTestDatabase } from "../test/database/database.ts";
import { listening } from "../test/samples/listening.ts";
import { createHealthCheck } from "./health-check.ts";

const db = await openTestDatabase();

test("is well until the database does not answer, or the process is told to stop", async () => {
  let isStopping = false;
  const answers = createHealthCheck(db.pool, () => isStopping);
  const server = createServer((request, response) => {
    if (!answers(request, response)) response.writeHead(404).end();
  });
  const port = await listening(server);
  const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  expect([await status("/healthz"), await status("/healthy")]).toEqual([200, 404]);
  await db.whileDown(async () => expect(await status("/healthz")).toBe(503));
  await expect.poll(() => status("/healthz")).toBe(200);
  await db.whileReadOnly(() => expect.poll(() => status("/healthz")).toBe(503));
  await expect.poll(() => status("/healthz")).toBe(200);
  isStopping = true;
  expect(await status("/healthz")).toBe(503);
});
